package dev.warmroute.router.admin;

import dev.warmroute.router.figures.ReplicaFigures;
import dev.warmroute.router.prompt.PromptTotals;
import dev.warmroute.router.proxy.ProxyStatus.ModelStatus;
import dev.warmroute.router.proxy.ProxyStatus.ReplicaRow;
import dev.warmroute.router.proxy.ProxyTotals;
import dev.warmroute.router.warm.WarmSource;
import dev.warmroute.router.warm.WarmState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Everything that status, metrics and panel show, at one moment.
 *
 * @param startedUs when the router was started, microseconds since the epoch
 * @param nowUs the moment
 * @param kafka empty for a router without
 */
record StatusReport(
        String instance,
        String version,
        long startedUs,
        long nowUs,
        ProxyTotals totals,
        PromptTotals prompts,
        List<Model> models,
        WarmSource warmPrompts,
        Optional<KafkaStatus> kafka) {

    /**
     * A model.
     *
     * @param changed last change since the start; empty when it is as configured
     */
    record Model(ModelStatus status, Optional<Changed> changed, List<Replica> replicas) {}

    /** Who changed a model last, and when. */
    record Changed(String by, long atUs) {}

    /**
     * A replica: what the proxy knows, the figures, and how it stands with the warm prompts.
     *
     * @param warmShare part of the cache that these take; empty when that is not known
     */
    record Replica(ReplicaRow row, ReplicaFigures figures, WarmState warm, OptionalDouble warmShare) {
        OptionalDouble capacityTokens() {
            return row.capacityTokens() < 0 ? OptionalDouble.empty() : OptionalDouble.of(row.capacityTokens());
        }

        OptionalDouble workingSetTokens() {
            return figures.workingSetTokens(row.liveSessions());
        }

        /** The working set as far as the cache holds it. */
        OptionalDouble residentTokens() {
            OptionalDouble set = workingSetTokens();
            return set.isPresent() && row.capacityTokens() >= 0
                    ? OptionalDouble.of(Math.min(set.getAsDouble(), row.capacityTokens()))
                    : set;
        }

        OptionalDouble headroom() {
            return figures.headroom(row.capacityTokens(), row.liveSessions());
        }
    }

    boolean ready() {
        return models.stream().allMatch(m -> m.status().ready());
    }
}
