package dev.warmroute.router.warm;

import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What became of clearing the prefix caches.
 *
 * @param replicas in the order of the configuration
 */
public record Clearing(List<Cleared> replicas) {
    public Clearing {
        replicas = List.copyOf(replicas);
    }

    /** What a replica said. */
    public enum Status {
        CLEARED(PrefixCacheCleared.CLEARED),
        /** The engine has no such endpoint: vLLM has it with {@code VLLM_SERVER_DEV_MODE=1} only. */
        NOT_SUPPORTED("not_supported"),
        /** The engine refuses while requests hold blocks. */
        BUSY("busy"),
        /** It was asked and did not answer: its cache may be empty, and counts as such. */
        UNANSWERED(PrefixCacheCleared.UNANSWERED),
        FAILED("failed");

        private final String wireName;

        Status(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /**
     * One replica.
     *
     * @param problem why it was not cleared; empty when it was
     * @param rewarmScheduled whether its warm prompts are being sent again
     */
    public record Cleared(String replica, Status status, String problem, boolean rewarmScheduled) {}

    /** The status that all replicas have; {@code partial} when they differ. */
    public String status() {
        Set<Status> all = EnumSet.noneOf(Status.class);
        replicas.forEach(r -> all.add(r.status()));
        return all.size() == 1 ? all.iterator().next().wireName() : "partial";
    }

    public boolean rewarmScheduled() {
        return replicas.stream().anyMatch(Cleared::rewarmScheduled);
    }
}
