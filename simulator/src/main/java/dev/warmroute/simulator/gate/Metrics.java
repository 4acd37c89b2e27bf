package dev.warmroute.simulator.gate;

import dev.warmroute.router.event.Kind;
import dev.warmroute.simulator.compare.Overflows;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.replay.MissCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** Registry of the metrics: every figure of a row of {@code whatif}, in its order. */
public final class Metrics {
    private static final List<Metric> ALL = all();

    private Metrics() {}

    private static List<Metric> all() {
        List<Metric> all = new ArrayList<>(List.of(
                new Metric("requests", Unit.NONE, r -> OptionalDouble.of(r.requests())),
                new Metric("prompt_tokens", Unit.TOKENS, r -> OptionalDouble.of(r.promptTokens())),
                new Metric("cached_tokens", Unit.TOKENS, r -> count(r.cachedTokens())),
                new Metric("hit_pct", Unit.PERCENT, PolicyRow::hitPct),
                new Metric("output_tokens_per_min", Unit.TOKENS_PER_MIN, PolicyRow::outputTokensPerMin),
                new Metric("ttft_p50_s", Unit.SECONDS, PolicyRow::ttftP50S),
                new Metric("ttft_p95_s", Unit.SECONDS, PolicyRow::ttftP95S),
                new Metric("replicas_busy", Unit.NONE, PolicyRow::replicasBusy),
                new Metric("stayed_pct", Unit.PERCENT, PolicyRow::stayedPct),
                new Metric("preemptions", Unit.NONE, r -> count(r.preemptions())),
                new Metric("session_p50_s", Unit.SECONDS, PolicyRow::sessionP50S),
                new Metric("session_p95_s", Unit.SECONDS, PolicyRow::sessionP95S),
                new Metric("unfinished_sessions", Unit.NONE, r -> count(r.unfinishedSessions())),
                new Metric("session_fairness", Unit.NONE, PolicyRow::sessionFairness),
                new Metric("external_queries", Unit.TOKENS, r -> count(r.externalQueries())),
                new Metric("external_hits", Unit.TOKENS, r -> count(r.externalHits())),
                overflows("count", Unit.NONE, o -> OptionalDouble.of(o.count())),
                overflows("reprefilled_tokens", Unit.TOKENS, o -> OptionalDouble.of(o.reprefilledTokens())),
                overflows("p50_tokens", Unit.TOKENS, Overflows::p50Tokens),
                overflows("p95_tokens", Unit.TOKENS, Overflows::p95Tokens),
                overflows("max_tokens", Unit.TOKENS, Overflows::maxTokens)));
        for (MissCause cause : MissCause.values()) {
            String name = cause.wireName();
            all.add(new Metric(
                    "misses." + name,
                    Unit.TOKENS,
                    r -> Optional.ofNullable(r.misses().get(name))
                            .map(OptionalDouble::of)
                            .orElse(OptionalDouble.empty())));
        }
        for (Kind kind : Kind.values()) {
            String name = kind.wireName();
            all.add(new Metric(
                    "kinds." + name, Unit.NONE, r -> OptionalDouble.of(r.kinds().getOrDefault(name, 0L))));
        }
        return List.copyOf(all);
    }

    private static Metric overflows(String name, Unit unit, Function<Overflows, OptionalDouble> value) {
        return new Metric(
                "overflows." + name, unit, r -> r.overflows().map(value).orElse(OptionalDouble.empty()));
    }

    private static OptionalDouble count(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
    }

    /** All of them. */
    public static List<Metric> values() {
        return ALL;
    }

    /** The metric of this field name, or of its short name. */
    static Optional<Metric> named(String word) {
        return ALL.stream().filter(m -> m.isNamed(word)).findFirst();
    }

    /** Their short names. */
    static List<String> names() {
        return ALL.stream().map(Metric::shortName).toList();
    }
}
