package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What a sweep found, in short.
 *
 * @param table its Parquet file
 * @param subject what was replayed
 * @param hash of the grid
 * @param computed scenarios that this run computed; the others were there
 * @param wrong scenarios that are not what was asked for, each with its reason in the table
 * @param wallS time of this run, in seconds
 * @param policies one row a policy, in the order of the grid
 */
public record SweepSummary(
        String table,
        String subject,
        String hash,
        int scenarios,
        int computed,
        int wrong,
        double wallS,
        List<OfPolicy> policies) {
    public SweepSummary {
        policies = List.copyOf(policies);
    }

    /**
     * A policy over all scenarios that went as asked for: means of their figures.
     *
     * @param scenarios scenarios of it
     * @param wrong those that did not go as asked for
     * @param bestOutput points of the grid (all but policy and seed) at which its mean output over the seeds is the highest
     * @param points points at which it can be compared with another policy
     */
    public record OfPolicy(
            String policy,
            int scenarios,
            int wrong,
            OptionalDouble hitPct,
            OptionalDouble outputTokensPerMin,
            @JsonProperty("ttft_p50_s") OptionalDouble ttftP50S,
            @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S,
            @JsonProperty("session_p50_s") OptionalDouble sessionP50S,
            int bestOutput,
            int points) {}

    /** Sums up a table. */
    public static SweepSummary of(String table, Sweep sweep, List<SweepRow> rows, SweepProgress run) {
        Map<String, List<SweepRow>> byPolicy = new LinkedHashMap<>();
        Map<Point, Map<String, List<SweepRow>>> byPoint = new LinkedHashMap<>();
        for (SweepRow row : rows) {
            String policy = row.scenario().policy().label();
            byPolicy.computeIfAbsent(policy, p -> new ArrayList<>()).add(row);
            byPoint.computeIfAbsent(Point.of(row.scenario()), p -> new LinkedHashMap<>())
                    .computeIfAbsent(policy, p -> new ArrayList<>())
                    .add(row);
        }
        Map<String, Integer> best = new LinkedHashMap<>();
        Map<String, Integer> points = new LinkedHashMap<>();
        byPoint.values().forEach(point -> judge(point, best, points));
        List<OfPolicy> policies = byPolicy.entrySet().stream()
                .map(e -> ofPolicy(
                        e.getKey(), e.getValue(), best.getOrDefault(e.getKey(), 0), points.getOrDefault(e.getKey(), 0)))
                .toList();
        return new SweepSummary(
                table,
                sweep.subject().source(),
                sweep.hash(),
                rows.size(),
                run.computed(),
                wrong(rows),
                run.seconds(),
                policies);
    }

    /** A scenario without its policy and its seed. */
    private record Point(Object sessions, CacheChoice cache, Object replicas, EngineChoice engine) {
        static Point of(Scenario s) {
            return new Point(s.sessions(), s.cache(), s.replicas(), s.engine());
        }
    }

    private static void judge(
            Map<String, List<SweepRow>> point, Map<String, Integer> best, Map<String, Integer> points) {
        Map<String, Double> output = new LinkedHashMap<>();
        point.forEach((policy, rows) -> {
            OptionalDouble mean = mean(rows, ScenarioFigures::outputTokensPerMin);
            if (wrong(rows) == 0 && mean.isPresent()) {
                output.put(policy, mean.getAsDouble());
            }
        });
        if (output.size() < 2) {
            return;
        }
        output.keySet().forEach(p -> points.merge(p, 1, Integer::sum));
        // Of equal ones the first of the grid.
        String winner = "";
        for (Map.Entry<String, Double> e : output.entrySet()) {
            if (winner.isEmpty() || e.getValue() > output.get(winner)) {
                winner = e.getKey();
            }
        }
        best.merge(winner, 1, Integer::sum);
    }

    private static OfPolicy ofPolicy(String policy, List<SweepRow> rows, int best, int points) {
        return new OfPolicy(
                policy,
                rows.size(),
                wrong(rows),
                mean(rows, ScenarioFigures::hitPct),
                mean(rows, ScenarioFigures::outputTokensPerMin),
                mean(rows, ScenarioFigures::ttftP50S),
                mean(rows, ScenarioFigures::ttftP95S),
                mean(rows, ScenarioFigures::sessionP50S),
                best,
                points);
    }

    private static int wrong(List<SweepRow> rows) {
        return (int) rows.stream().filter(r -> !r.result().reason().isEmpty()).count();
    }

    private static OptionalDouble mean(List<SweepRow> rows, Function<ScenarioFigures, OptionalDouble> figure) {
        return rows.stream()
                .filter(r -> r.result().reason().isEmpty())
                .map(r -> r.result().figures().map(figure).orElse(OptionalDouble.empty()))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }
}
