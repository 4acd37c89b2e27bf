package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

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
     * A policy over what it shares with the others: means of its figures over the points of the grid (all but policy and seed) at
     * which every policy went as asked for, under every seed. A policy that never did has no figures, and the others do not wait
     * for it.
     *
     * @param scenarios scenarios of it
     * @param wrong those that did not go as asked for
     * @param compared those that the means are of
     * @param bestOutput points at which no other policy's mean output over the seeds is higher; equal ones all count
     * @param points points of the means; none where there is nothing to compare with
     */
    public record OfPolicy(
            String policy,
            int scenarios,
            int wrong,
            int compared,
            OptionalDouble hitPct,
            OptionalDouble outputTokensPerMin,
            @JsonProperty("ttft_p50_s") OptionalDouble ttftP50S,
            @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S,
            @JsonProperty("session_p50_s") OptionalDouble sessionP50S,
            int bestOutput,
            int points) {}

    /** Sums up a table. */
    public static SweepSummary of(String table, Sweep sweep, List<SweepRow> rows, SweepProgress run) {
        Map<String, List<SweepRow>> byPolicy = byPolicy(rows);
        List<Map<String, List<SweepRow>>> shared = shared(rows);
        List<Set<String>> best = shared.stream()
                .map(SweepSummary::best)
                .filter(b -> !b.isEmpty())
                .toList();
        List<OfPolicy> policies = byPolicy.entrySet().stream()
                .map(e -> {
                    List<SweepRow> compared = shared.stream()
                            .flatMap(point -> point.getOrDefault(e.getKey(), List.of()).stream())
                            .toList();
                    int points = compared.isEmpty() ? 0 : best.size();
                    int first = (int)
                            best.stream().filter(b -> b.contains(e.getKey())).count();
                    return ofPolicy(e.getKey(), e.getValue(), compared, first, points);
                })
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
        static Point of(SweepRow row) {
            Scenario s = row.scenario();
            return new Point(s.sessions(), s.cache(), s.replicas(), s.engine());
        }
    }

    private static Map<String, List<SweepRow>> byPolicy(List<SweepRow> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        r -> r.scenario().policy().label(), LinkedHashMap::new, Collectors.toList()));
    }

    private static Map<String, List<SweepRow>> rightByPolicy(List<SweepRow> point) {
        Map<String, List<SweepRow>> right = byPolicy(point);
        right.values().removeIf(rows -> wrong(rows) > 0);
        return right;
    }

    /** The points at which all policies went as asked for, but for those that nowhere did; the rows of each by policy. */
    private static List<Map<String, List<SweepRow>>> shared(List<SweepRow> rows) {
        Map<Point, List<SweepRow>> points =
                rows.stream().collect(Collectors.groupingBy(Point::of, LinkedHashMap::new, Collectors.toList()));
        List<Map<String, List<SweepRow>>> right =
                points.values().stream().map(SweepSummary::rightByPolicy).toList();
        Set<String> able =
                right.stream().flatMap(point -> point.keySet().stream()).collect(Collectors.toSet());
        return right.stream()
                .filter(point -> !able.isEmpty() && point.keySet().equals(able))
                .toList();
    }

    /** The policies with the highest output; none when there is but one. */
    private static Set<String> best(Map<String, List<SweepRow>> point) {
        Map<String, Double> output = new LinkedHashMap<>();
        point.forEach((policy, rows) ->
                mean(rows, ScenarioFigures::outputTokensPerMin).ifPresent(mean -> output.put(policy, mean)));
        if (output.size() < 2) {
            return Set.of();
        }
        double highest = Collections.max(output.values());
        return output.keySet().stream()
                .filter(policy -> output.get(policy) == highest)
                .collect(Collectors.toSet());
    }

    private static OfPolicy ofPolicy(
            String policy, List<SweepRow> rows, List<SweepRow> compared, int best, int points) {
        return new OfPolicy(
                policy,
                rows.size(),
                wrong(rows),
                compared.size(),
                mean(compared, ScenarioFigures::hitPct),
                mean(compared, ScenarioFigures::outputTokensPerMin),
                mean(compared, ScenarioFigures::ttftP50S),
                mean(compared, ScenarioFigures::ttftP95S),
                mean(compared, ScenarioFigures::sessionP50S),
                best,
                points);
    }

    private static int wrong(List<SweepRow> rows) {
        return (int) rows.stream().filter(r -> !r.result().reason().isEmpty()).count();
    }

    private static OptionalDouble mean(List<SweepRow> rows, Function<ScenarioFigures, OptionalDouble> figure) {
        return rows.stream()
                .map(r -> r.result().figures().map(figure).orElse(OptionalDouble.empty()))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }
}
