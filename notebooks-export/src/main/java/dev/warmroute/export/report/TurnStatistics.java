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

    private record Run(String policy, long seed) {
        private static Run of(TurnRow turn) {
            return new Run(turn.policy(), turn.seed());
        }

        private String name() {
            return seed == 0 ? "measured" : "seed " + seed;
        }
    }

    /** Returns the distribution for each policy and seed that has times, in order of appearance. */
    public static List<Percentiles> percentiles(String scenario, Iterable<TurnRow> turns) {
        Map<Run, List<Double>> times = new LinkedHashMap<>();
        for (TurnRow turn : turns) {
            turn.ttftS().ifPresent(t -> times.computeIfAbsent(Run.of(turn), r -> new ArrayList<>()).add(t));
        }
        List<Percentiles> all = new ArrayList<>();
        times.forEach((run, ofRun) -> all.add(new Percentiles(scenario, run.policy(), run.name(), points(ofRun))));
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

    /** Returns the requests that each replica got under each policy and seed, replicas by name. */
    public static List<Loads> loads(String scenario, Iterable<TurnRow> turns) {
        Map<Run, Map<String, Integer>> requests = new LinkedHashMap<>();
        List<String> replicas = new ArrayList<>();
        for (TurnRow turn : turns) {
            turn.replica().ifPresent(replica -> {
                if (!replicas.contains(replica)) {
                    replicas.add(replica);
                }
                requests.computeIfAbsent(Run.of(turn), r -> new TreeMap<>()).merge(replica, 1, Integer::sum);
            });
        }
        replicas.sort(TurnStatistics::byNameAndNumber);
        List<Loads> all = new ArrayList<>();
        requests.forEach((run, ofRun) -> all.add(new Loads(
                scenario,
                run.policy(),
                run.name(),
                "requests",
                replicas.stream().map(r -> new ReplicaLoad.Load(r, ofRun.getOrDefault(r, 0))).toList())));
        return all;
    }

    /** r2 before r10. */
    private static int byNameAndNumber(String a, String b) {
        int byLength = Integer.compare(a.length(), b.length());
        return byLength != 0 ? byLength : a.compareTo(b);
    }
}
