package dev.warmroute.router.event;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Events of the control topic: what happened to the router and the replicas, rather than to a request. */
public sealed interface ControlEvent extends Event {
    RouterIdentity router();

    /** When, in microseconds since the epoch. */
    long atUs();

    @Override
    default String key() {
        return router().instance();
    }

    @Override
    default String subject() {
        return router().instance();
    }

    /**
     * {@code router.started}.
     *
     * @param models every model with its policy and replicas
     * @param saltId id of the salt behind all hashes of this router
     */
    record RouterStarted(long atUs, String version, String saltId, List<ModelSetup> models, RouterIdentity router)
            implements ControlEvent {
        public RouterStarted {
            models = List.copyOf(models);
        }
    }

    /** A model as configured when the router started. */
    record ModelSetup(String name, int maxNumSeqs, RoutingDecision.PolicyIdentity policy, List<String> replicas) {
        public ModelSetup {
            replicas = List.copyOf(replicas);
        }
    }

    /** {@code router.stopped}; {@code events} counts everything this process published, this event included. */
    record RouterStopped(long atUs, String reason, long events, RouterIdentity router) implements ControlEvent {}

    /**
     * {@code policy.changed}.
     *
     * @param by who changed it: {@code config}, {@code admin}, {@code promote}, {@code rollback}
     * @param checkHash hash of the check that the new policy passed, when it came through the gate: SHA-256 in hex
     */
    record PolicyChanged(
            long atUs,
            String model,
            RoutingDecision.PolicyIdentity before,
            RoutingDecision.PolicyIdentity after,
            String by,
            Optional<String> checkHash,
            RouterIdentity router)
            implements ControlEvent {}

    /** {@code replica.up}: it answers, and may be chosen. */
    record ReplicaUp(long atUs, String replica, String url, Optional<String> engineVersion, RouterIdentity router)
            implements ControlEvent {
        @Override
        public String key() {
            return replica;
        }
    }

    /** {@code replica.down}: it may not be chosen. */
    record ReplicaDown(long atUs, String replica, String reason, RouterIdentity router) implements ControlEvent {
        @Override
        public String key() {
            return replica;
        }
    }

    /** {@code replica.epoch}: the engine behind a replica was started again; its cache is empty, its homes are dropped. */
    record ReplicaEpoch(long atUs, String replica, int epoch, int homesDropped, RouterIdentity router)
            implements ControlEvent {
        @Override
        public String key() {
            return replica;
        }
    }

    /**
     * {@code warmup.started}.
     *
     * @param reason {@code start}, {@code up}, {@code epoch}, {@code cleared}, {@code resumed}
     * @param prompts how many are sent
     */
    record WarmupStarted(long atUs, String replica, String reason, int prompts, RouterIdentity router)
            implements ControlEvent {
        @Override
        public String key() {
            return replica;
        }
    }

    /**
     * {@code warmup.finished}.
     *
     * @param completed prompts that were answered
     * @param skipped prompts that were not, or not sent
     * @param promptTokens tokens of those that were answered
     * @param mode {@code strict-prefix}, {@code chat-fallback}, {@code mixed}, {@code none}
     */
    record WarmupFinished(
            long atUs,
            String replica,
            int completed,
            int skipped,
            long promptTokens,
            OptionalDouble seconds,
            String mode,
            RouterIdentity router)
            implements ControlEvent {
        @Override
        public String key() {
            return replica;
        }
    }

    /**
     * {@code prefix_cache.cleared}: somebody wanted that through the router.
     *
     * @param status {@link #CLEARED}, {@link #UNANSWERED}, {@code not_supported}, {@code busy}, {@code failed}
     */
    record PrefixCacheCleared(long atUs, String replica, String status, RouterIdentity router) implements ControlEvent {
        /** The cache is empty, the homes of conversations there are dropped. */
        public static final String CLEARED = "cleared";
        /** The replica was asked and did not answer: the cache may be empty, and the homes are dropped, too. */
        public static final String UNANSWERED = "unanswered";

        /** Whether the router took the cache for empty from here on. */
        public boolean emptied() {
            return status.equals(CLEARED) || status.equals(UNANSWERED);
        }

        @Override
        public String key() {
            return replica;
        }
    }

    /**
     * {@code events.lost}: events that were never written because the buffer was full or Kafka did not take them in time.
     * Every lost number of the router's sequence lies in the range of one such event. As a rule the whole range is lost; when
     * the counts add up to less than its width, the other numbers in it were written.
     *
     * @param fromSequence first sequence number lost
     * @param toSequence last sequence number lost
     * @param count how many of the numbers in the range were lost, by topic without its prefix
     * @param reason why, in one line
     */
    record EventsLost(
            long atUs,
            long fromSequence,
            long toSequence,
            Map<String, Long> count,
            String reason,
            RouterIdentity router)
            implements ControlEvent {
        public EventsLost {
            count = Map.copyOf(count);
        }
    }
}
