package dev.warmroute.export.figure;

import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * What is compared between policies: the field of a {@link PolicyRow}, its names, and which way is better. Tables, charts and
 * the comparison with what was measured all go through this list; a new metric is one line here.
 */
public enum Metric {
    HIT_PCT("hit_pct", "Prefix hit", Unit.PERCENT, Better.HIGHER, PolicyRow::hitPct),
    OUTPUT_TOKENS_PER_MIN(
            "output_tokens_per_min", "Output", Unit.TOKENS_PER_MINUTE, Better.HIGHER, PolicyRow::outputTokensPerMin),
    TTFT_P50_S("ttft_p50_s", "TTFT p50", Unit.SECONDS, Better.LOWER, PolicyRow::ttftP50S),
    TTFT_P95_S("ttft_p95_s", "TTFT p95", Unit.SECONDS, Better.LOWER, PolicyRow::ttftP95S),
    SESSION_P50_S("session_p50_s", "Session p50", Unit.SECONDS, Better.LOWER, PolicyRow::sessionP50S),
    SESSION_P95_S("session_p95_s", "Session p95", Unit.SECONDS, Better.LOWER, PolicyRow::sessionP95S),
    SESSION_FAIRNESS("session_fairness", "Fairness", Unit.RATIO, Better.HIGHER, PolicyRow::sessionFairness),
    REPLICAS_BUSY("replicas_busy", "Replicas busy", Unit.COUNT, Better.NEITHER, PolicyRow::replicasBusy),
    STAYED_PCT("stayed_pct", "Stayed", Unit.PERCENT, Better.NEITHER, PolicyRow::stayedPct),
    PREEMPTIONS("preemptions", "Preemptions", Unit.COUNT, Better.LOWER, r -> widen(r.preemptions())),
    UNFINISHED_SESSIONS(
            "unfinished_sessions", "Unfinished", Unit.COUNT, Better.NEITHER, r -> widen(r.unfinishedSessions()));

    /** Which way is better. */
    public enum Better {
        HIGHER,
        LOWER,
        NEITHER
    }

    private final String field;
    private final String label;
    private final Unit unit;
    private final Better better;
    private final Function<PolicyRow, OptionalDouble> value;

    Metric(String field, String label, Unit unit, Better better, Function<PolicyRow, OptionalDouble> value) {
        this.field = field;
        this.label = label;
        this.unit = unit;
        this.better = better;
        this.value = value;
    }

    /** Field name in JSON, and key of its interval. */
    public String field() {
        return field;
    }

    public String label() {
        return label;
    }

    public Unit unit() {
        return unit;
    }

    public Better better() {
        return better;
    }

    public OptionalDouble of(PolicyRow row) {
        return value.apply(row);
    }

    public Optional<Cell.Range> range(PolicyRow row) {
        Interval interval = row.interval().get(field);
        return Optional.ofNullable(interval).map(i -> new Cell.Range(i.low(), i.high()));
    }

    private static OptionalDouble widen(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
    }
}
