package dev.warmroute.export.report;

import dev.warmroute.export.chart.ReplicaLoad;
import dev.warmroute.export.chart.Series;
import dev.warmroute.export.report.ReportInput.Loads;
import dev.warmroute.export.report.ReportInput.Percentiles;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a report shows of single requests: percentiles of the time to first token, and what each replica got. */
public final class TurnStatistics {
    /** Percentiles that are computed: the tail in ever finer steps, as far as the requests allow. */
    private static final int STEPS_A_DECADE = 40;

    private TurnStatistics() {}

    /**
     * Returns the distribution for each policy that has times, in order of appearance.
     *
     * @param measured whether the turns were measured, not simulated
     */
    public static List<Percentiles> percentiles(String scenario, boolean measured, Iterable<TurnRow> turns) {
        Map<String, List<Double>> times = new LinkedHashMap<>();
        for (TurnRow turn : turns) {
            turn.ttftS().ifPresent(t -> times.computeIfAbsent(turn.policy(), p -> new ArrayList<>()).add(t));
        }
        List<Percentiles> all = new ArrayList<>();
        times.forEach((policy, ofPolicy) -> all.add(new Percentiles(scenario, policy, measured, points(ofPolicy))));
        return all;
    }

    private static List<Series.Point> points(List<Double> times) {
        Quantiles quantiles = Quantiles.of(times.stream().mapToDouble(Double::doubleValue).toArray());
        List<Series.Point> points = new ArrayList<>();
        for (int step = 0; ; step++) {
            double tail = Math.pow(10, -(double) step / STEPS_A_DECADE);
            // Beyond the last but one request the tail is a single value.
            if (step > 0 && tail * times.size() < 1) {
                return points;
            }
            points.add(new Series.Point(100 * (1 - tail), quantiles.at(1 - tail).orElseThrow()));
        }
    }

    /** Returns the requests that each replica got under each policy, replicas by name. */
    public static List<Loads> loads(String scenario, Iterable<TurnRow> turns) {
        Map<String, Map<String, Integer>> requests = new LinkedHashMap<>();
        List<String> replicas = new ArrayList<>();
        for (TurnRow turn : turns) {
            turn.replica().ifPresent(replica -> {
                if (!replicas.contains(replica)) {
                    replicas.add(replica);
                }
                requests.computeIfAbsent(turn.policy(), p -> new TreeMap<>()).merge(replica, 1, Integer::sum);
            });
        }
        replicas.sort(TurnStatistics::byNameAndNumber);
        List<Loads> all = new ArrayList<>();
        requests.forEach((policy, ofPolicy) -> all.add(new Loads(
                scenario,
                policy,
                "requests",
                replicas.stream().map(r -> new ReplicaLoad.Load(r, ofPolicy.getOrDefault(r, 0))).toList())));
        return all;
    }

    /** r2 before r10. */
    private static int byNameAndNumber(String a, String b) {
        int byLength = Integer.compare(a.length(), b.length());
        return byLength != 0 ? byLength : a.compareTo(b);
    }
}
