package dev.warmroute.export.report;

import dev.warmroute.export.report.ReportModel.PlacedChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which plots a report has not, and what they would need. */
final class PlotsLeftOut {
    private static final List<Definition> ALL = List.of(
            plot("P1", "prefix hits by cache size", "a trace that says which prompts begin alike"),
            plot("P2", "figures by policy or by sessions", "at least two policies, or several numbers of sessions"),
            plot("P3", "time to first token by percentile", "a replay with a clock"),
            plot("P4", "what the caches held", "a replay with a clock, on caches with a limit"),
            plot("P5", "conversations as lanes", "a replay with a clock, of requests with sessions"),
            plot("P6", "how far apart tokens are said again", "a trace that says which prompts begin alike"),
            plot("P7", "load of the replicas over time", "a replay with a clock"),
            plot("P8", "prompt tokens over time", "a replay with a clock"),
            plot("P9", "why prompt tokens were computed", "a replay under a policy"),
            plot("P10", "output against waiting", "two policies in closed loops: recorded times fix the output"),
            plot("P11", "predicted and measured", "runs of the same requests on real replicas"),
            plot("P12", "how prompts grow", "five conversations of at least two turns"),
            plot("P13", "what each replica got", "a replay of requests with sessions on several replicas"));

    private PlotsLeftOut() {}

    private static Definition plot(String number, String name, String needs) {
        return new Definition(number + ", " + name, "Needs " + needs + ".");
    }

    static List<Definition> of(List<PlacedChart> placed) {
        Set<String> there = placed.stream().map(p -> p.chart().plot()).collect(Collectors.toSet());
        List<Definition> left = new ArrayList<>();
        for (Definition plot : ALL) {
            if (!there.contains(plot.term().substring(0, plot.term().indexOf(',')))) {
                left.add(plot);
            }
        }
        return left;
    }
}
