package dev.warmroute.export.report;

import dev.warmroute.export.chart.ReplicaLoad;
import dev.warmroute.export.chart.Series;
import dev.warmroute.export.report.ReportInput.Loads;
import dev.warmroute.export.report.ReportInput.Percentiles;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.simulator.replay.Quantiles;
import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a report shows of single requests: percentiles of the time to first token, and what each replica got. Rows are handed in
 * one by one; of each its time is kept.
 */
public final class TurnStatistics implements Consumer<TurnRow> {
    /** Percentiles that are computed: the tail in ever finer steps, as far as the requests allow. */
    private static final int STEPS_A_DECADE = 40;

    private final Map<Run, DoubleArrayList> times = new LinkedHashMap<>();
    private final Map<Run, Map<String, Integer>> requests = new LinkedHashMap<>();
    private final Set<String> replicas = new HashSet<>();

    private record Run(String policy, long seed) {
        private static Run of(TurnRow turn) {
            return new Run(turn.policy(), turn.seed());
        }

        private String name() {
            return seed == 0 ? "measured" : "seed " + seed;
        }
    }

    /** The statistics of rows that are there. */
    public static TurnStatistics of(Iterable<TurnRow> turns) {
        TurnStatistics statistics = new TurnStatistics();
        turns.forEach(statistics);
        return statistics;
    }

    @Override
    public void accept(TurnRow turn) {
        turn.ttftS()
                .ifPresent(t -> times.computeIfAbsent(Run.of(turn), r -> new DoubleArrayList())
                        .add(t));
        turn.replica().ifPresent(replica -> {
            replicas.add(replica);
            requests.computeIfAbsent(Run.of(turn), r -> new TreeMap<>()).merge(replica, 1, Integer::sum);
        });
    }

    /** Returns the distribution for each policy and seed that has times, in order of appearance. */
    public List<Percentiles> percentiles(String scenario) {
        List<Percentiles> all = new ArrayList<>();
        times.forEach((run, ofRun) -> all.add(new Percentiles(scenario, run.policy(), run.name(), points(ofRun))));
        return all;
    }

    private static List<Series.Point> points(DoubleArrayList times) {
        Quantiles quantiles = Quantiles.of(times.elements(), times.size());
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
    public List<Loads> loads(String scenario) {
        List<String> byName =
                replicas.stream().sorted(TurnStatistics::byNameAndNumber).toList();
        List<Loads> all = new ArrayList<>();
        requests.forEach((run, ofRun) -> all.add(new Loads(
                scenario,
                run.policy(),
                run.name(),
                "requests",
                byName.stream()
                        .map(r -> new ReplicaLoad.Load(r, ofRun.getOrDefault(r, 0)))
                        .toList())));
        return all;
    }

    /** r2 before r10. */
    private static int byNameAndNumber(String a, String b) {
        int byLength = Integer.compare(a.length(), b.length());
        return byLength != 0 ? byLength : a.compareTo(b);
    }
}
