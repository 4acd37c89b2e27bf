package dev.warmroute.router.admin;

import dev.warmroute.router.admin.StatusReport.Replica;
import dev.warmroute.router.fleet.Signals;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Registry of the figures of a replica: each stands in the status under its name and among the metrics under its other name,
 * with the same value. What nobody has said is null there and absent here, never 0.
 */
enum ReplicaMetric {
    ELIGIBLE(
            "",
            "warmroute_replica_eligible",
            Type.GAUGE,
            "Whether the replica may be chosen.",
            r -> r.row().eligible() ? 1 : 0),
    IN_FLIGHT(
            "in_flight",
            "warmroute_replica_in_flight",
            Type.GAUGE,
            "Requests sent there that have not ended.",
            r -> r.row().inFlight()),
    LIVE_SESSIONS(
            "live_sessions",
            "warmroute_replica_live_sessions",
            Type.GAUGE,
            "Conversations at home there that spoke lately.",
            r -> r.row().liveSessions()),
    RUNNING("running", "warmroute_replica_running", "Requests that the engine runs.", Signals::running),
    WAITING("waiting", "warmroute_replica_waiting", "Requests that wait in the engine.", Signals::waiting),
    KV_USAGE(
            "kv_usage",
            "warmroute_replica_kv_usage_ratio",
            "Part of the KV blocks held by running requests.",
            Signals::kvUsage),
    COUNTERS_AGE(
            "counters_age_seconds",
            "warmroute_replica_counters_age_seconds",
            "Time since the engine's counters were read.",
            s -> s.ageMillis() / 1000.0),
    HITS_5M(
            Type.GAUGE,
            "prefix_hits_5m",
            "warmroute_replica_prefix_hit_ratio_5m",
            "Part of the prompt tokens found in the prefix cache in the last 5 minutes, by the engine's counters.",
            r -> r.figures().hitsLately()),
    HITS_SINCE_START(
            Type.GAUGE,
            "prefix_hits_since_start",
            "warmroute_replica_prefix_hit_ratio",
            "Likewise since the engine was started.",
            r -> r.figures().hitsSinceStart()),
    CACHED_PER_SECOND(
            "cached_tokens_per_second",
            "warmroute_replica_cached_tokens_per_second",
            Type.GAUGE,
            "Prompt tokens found in the cache, over the last minute, as the engine said request by request.",
            r -> r.figures().cachedPerSecond()),
    COMPUTED_PER_SECOND(
            "computed_tokens_per_second",
            "warmroute_replica_computed_tokens_per_second",
            Type.GAUGE,
            "Prompt tokens computed, over the last minute; those of which the engine said nothing are among them.",
            r -> r.figures().computedPerSecond()),
    TTFT_P95(
            Type.GAUGE,
            "ttft_p95_seconds",
            "warmroute_replica_ttft_p95_seconds",
            "Time to the first byte of the answer that 95 % were within in the last 5 minutes.",
            r -> r.figures().ttftP95Seconds()),
    CAPACITY(
            Type.GAUGE,
            "capacity_tokens",
            "warmroute_replica_capacity_tokens",
            "Tokens that the KV cache holds, as the engine says.",
            Replica::capacityTokens),
    CONTEXT(
            Type.GAUGE,
            "context_tokens",
            "warmroute_replica_context_tokens",
            "Mean tokens of the conversations at home there.",
            r -> r.figures().contextTokens()),
    WORKING_SET(
            Type.GAUGE,
            "working_set_tokens",
            "warmroute_replica_working_set_tokens",
            "Tokens of all live conversations at home there, what they share counted once; an estimate.",
            Replica::workingSetTokens),
    RESIDENT(
            Type.GAUGE,
            "resident_tokens",
            "warmroute_replica_resident_tokens",
            "The working set as far as the cache holds it; an estimate.",
            Replica::residentTokens),
    HEADROOM(
            Type.GAUGE,
            "headroom_sessions",
            "warmroute_replica_headroom_sessions",
            "Conversations that still fit; negative: there are too many.",
            Replica::headroom),
    FINISHED(
            "finished",
            "warmroute_replica_finished_total",
            Type.COUNTER,
            "Requests answered to their end.",
            r -> r.row().totals().finished()),
    FAILED(
            "failed",
            "warmroute_replica_failed_total",
            Type.COUNTER,
            "Requests not answered to their end.",
            r -> r.row().totals().failed()),
    CLIENT_GONE(
            "client_gone",
            "warmroute_replica_client_gone_total",
            Type.COUNTER,
            "Requests whose client left.",
            r -> r.row().totals().abandoned()),
    PROMPT_TOKENS(
            "prompt_tokens",
            "warmroute_replica_prompt_tokens_total",
            Type.COUNTER,
            "Prompt tokens where the engine reported them.",
            r -> r.row().totals().promptTokens()),
    CACHED_TOKENS(
            "cached_tokens",
            "warmroute_replica_cached_tokens_total",
            Type.COUNTER,
            "Of these, found in the prefix cache.",
            r -> r.row().totals().cachedTokens()),
    COMPLETION_TOKENS(
            "completion_tokens",
            "warmroute_replica_completion_tokens_total",
            Type.COUNTER,
            "Generated tokens where the engine reported them.",
            r -> r.row().totals().completionTokens());

    /** Prometheus' type of a metric. */
    enum Type {
        GAUGE,
        COUNTER
    }

    private final Type type;
    private final String statusName;
    private final String metricName;
    private final String help;
    private final Function<Replica, OptionalDouble> value;

    ReplicaMetric(
            Type type, String statusName, String metricName, String help, Function<Replica, OptionalDouble> value) {
        this.type = type;
        this.statusName = statusName;
        this.metricName = metricName;
        this.help = help;
        this.value = value;
    }

    ReplicaMetric(String statusName, String metricName, Type type, String help, ToDoubleFunction<Replica> value) {
        this(type, statusName, metricName, help, r -> OptionalDouble.of(value.applyAsDouble(r)));
    }

    /** A signal of the last scrape. */
    ReplicaMetric(String statusName, String metricName, String help, ToDoubleFunction<Signals> signal) {
        this(Type.GAUGE, statusName, metricName, help, r -> {
            Signals signals = r.row().signals();
            return signals.known() ? OptionalDouble.of(signal.applyAsDouble(signals)) : OptionalDouble.empty();
        });
    }

    Type type() {
        return type;
    }

    /** Name in the status; empty when the status says it in another way. */
    String statusName() {
        return statusName;
    }

    String metricName() {
        return metricName;
    }

    String help() {
        return help;
    }

    OptionalDouble value(Replica replica) {
        return value.apply(replica);
    }
}
