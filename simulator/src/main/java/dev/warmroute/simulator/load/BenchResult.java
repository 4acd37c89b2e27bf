package dev.warmroute.simulator.load;

import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What a benchmark measured.
 *
 * @param run what it was
 * @param requests sent in all
 * @param failures those that were not answered completely
 * @param firstError what the first of these said; empty if there was none
 * @param rows figures at each concurrency
 */
public record BenchResult(BenchRun run, int requests, int failures, String firstError, List<Row> rows) {
    public BenchResult {
        rows = List.copyOf(rows);
    }

    /**
     * The figures at one concurrency, over its answered requests; times in seconds; empty where nothing was measured.
     *
     * @param waves how many times so many requests were sent together
     * @param promptTokens of a request on average
     * @param hitPct cached prompt tokens in percent, of requests whose answer says how many
     * @param engineHitPct the same by the engines' metrics
     * @param tokensPerS output tokens a second of all requests together, mean of the waves
     * @param requestsPerS likewise
     */
    public record Row(
            int concurrency,
            int waves,
            int requests,
            int failures,
            OptionalDouble promptTokens,
            OptionalDouble hitPct,
            OptionalDouble engineHitPct,
            Percentiles ttftS,
            Percentiles tpotS,
            Percentiles e2eS,
            OptionalDouble tokensPerS,
            OptionalDouble requestsPerS) {}

    /** Of a time in seconds, by linear interpolation. */
    public record Percentiles(OptionalDouble mean, OptionalDouble p50, OptionalDouble p95, OptionalDouble p99) {
        static Percentiles of(List<RequestOutcome> requests, Function<BenchTimes, OptionalDouble> millis) {
            Quantiles q = Quantiles.of(requests.stream()
                    .map(BenchTimes::of)
                    .map(millis)
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(ms -> ms.getAsDouble() * 1e-3)
                    .toArray());
            return new Percentiles(q.mean(), q.at(0.5), q.at(0.95), q.at(0.99));
        }
    }

    static BenchResult of(BenchRun run, List<BenchWave> waves) {
        List<RequestOutcome> all =
                waves.stream().flatMap(w -> w.requests().stream()).toList();
        List<Row> rows = new ArrayList<>();
        waves.stream()
                .map(BenchWave::concurrency)
                .distinct()
                .forEach(c -> rows.add(
                        row(c, waves.stream().filter(w -> w.concurrency() == c).toList())));
        return new BenchResult(
                run,
                all.size(),
                (int) all.stream().filter(r -> !r.ok()).count(),
                all.stream()
                        .map(RequestOutcome::error)
                        .filter(e -> !e.isEmpty())
                        .findFirst()
                        .orElse(""),
                rows);
    }

    private static Row row(int concurrency, List<BenchWave> waves) {
        List<RequestOutcome> sent =
                waves.stream().flatMap(w -> w.requests().stream()).toList();
        List<RequestOutcome> answered = sent.stream().filter(RequestOutcome::ok).toList();
        List<RequestOutcome> told = answered.stream()
                .filter(r -> r.cachedTokens() >= 0 && r.promptTokens() > 0)
                .toList();
        long queries = waves.stream().mapToLong(w -> w.cacheQueries().orElse(0)).sum();
        long hits = waves.stream().mapToLong(w -> w.cacheHits().orElse(0)).sum();
        return new Row(
                concurrency,
                waves.size(),
                sent.size(),
                sent.size() - answered.size(),
                answered.stream()
                        .mapToInt(RequestOutcome::promptTokens)
                        .filter(n -> n >= 0)
                        .average(),
                percent(
                        told.stream().mapToLong(RequestOutcome::cachedTokens).sum(),
                        told.stream().mapToLong(RequestOutcome::promptTokens).sum()),
                percent(hits, queries),
                Percentiles.of(answered, BenchTimes::ttftMillis),
                Percentiles.of(answered, BenchTimes::tokenMillis),
                Percentiles.of(answered, BenchTimes::wholeMillis),
                waves.stream()
                        .map(BenchWave::throughput)
                        .filter(OptionalDouble::isPresent)
                        .mapToDouble(OptionalDouble::getAsDouble)
                        .average(),
                waves.stream().mapToDouble(BenchWave::requestsPerSecond).average());
    }

    private static OptionalDouble percent(long part, long whole) {
        return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * part / whole);
    }
}
