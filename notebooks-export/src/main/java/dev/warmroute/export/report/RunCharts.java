package dev.warmroute.export.report;

import dev.warmroute.export.chart.CacheOccupancy;
import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.ContextByTurn;
import dev.warmroute.export.chart.LoadOverTime;
import dev.warmroute.export.chart.ReplicaLoad;
import dev.warmroute.export.chart.SessionLanes;
import dev.warmroute.export.chart.Source;
import dev.warmroute.export.chart.TokenRate;
import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.run.Chance;
import dev.warmroute.export.run.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** What the replays looked like from inside, as charts. */
final class RunCharts {
    private final Source source;
    private final ToIntFunction<String> style;
    private final List<Chart> charts = new ArrayList<>();

    /** @param style position of a policy in the list of styles */
    RunCharts(Source source, ToIntFunction<String> style) {
        this.source = source;
        this.style = style;
    }

    List<Chart> of(List<RunView> runs) {
        runs.stream()
                .filter(r -> r.contexts().size() > 1)
                .findFirst()
                .ifPresent(r ->
                        charts.add(new ContextByTurn("contexts", "Prompts from turn to turn", r.contexts(), source)));
        double highest = runs.stream()
                .flatMap(r -> r.placed().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        runs.forEach(r -> placed(r, highest));
        double busiest = runs.stream()
                .flatMap(r -> r.timeline().stream())
                .flatMap(t -> t.inFlight().stream())
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        runs.forEach(r -> over(r, busiest));
        return List.copyOf(charts);
    }

    private static String id(String what, RunView run) {
        return what + '-' + run.policy().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    private void placed(RunView run, double highest) {
        int conversations = run.placed().stream().mapToInt(Integer::intValue).sum();
        if (conversations == 0 || run.placed().size() < 2) {
            return;
        }
        List<ReplicaLoad.Load> loads = new ArrayList<>();
        for (int r = 0; r < run.placed().size(); r++) {
            loads.add(new ReplicaLoad.Load("r" + r, run.placed().get(r)));
        }
        int[] chance = Chance.middle(conversations, run.placed().size());
        charts.add(new ReplicaLoad(
                id("placed", run),
                "Conversations begun on each replica under " + run.policy(),
                "conversations",
                style.applyAsInt(run.policy()),
                loads,
                highest,
                Optional.of(new Cell.Range(chance[0], chance[1])),
                source));
    }

    private void over(RunView run, double busiest) {
        String under = " under " + run.policy();
        run.timeline().ifPresent(t -> {
            charts.add(new TokenRate(id("rate", run), "Prompt tokens over time" + under, t, source));
            charts.add(new LoadOverTime(
                    id("inflight", run), "Load of the replicas over time" + under, t, busiest, source));
        });
        run.occupancy()
                .ifPresent(o -> charts.add(
                        new CacheOccupancy(id("occupancy", run), "What the caches held" + under, o, source)));
        run.lanes()
                .ifPresent(l -> charts.add(new SessionLanes(
                        id("lanes", run), "Conversations around the costliest turn" + under, l, source)));
    }
}
