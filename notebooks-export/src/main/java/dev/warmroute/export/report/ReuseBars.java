package dev.warmroute.export.report;

import dev.warmroute.export.chart.ReuseHistogram.Bar;
import dev.warmroute.simulator.capacity.ReuseCurve;
import java.util.ArrayList;
import java.util.List;

/** The steps of a reuse curve as bars: what each larger cache has that the one before had not. */
final class ReuseBars {
    private static final int MOST = 40;

    private ReuseBars() {}

    static List<Bar> of(ReuseCurve curve) {
        List<ReuseCurve.Point> points =
                curve.curve().stream().filter(p -> p.capacityTokens() > 0).toList();
        if (points.size() < 2) {
            return List.of();
        }
        double first = points.get(0).capacityTokens(),
                last = points.get(points.size() - 1).capacityTokens();
        double ratio = Math.pow(last / first, 1.0 / MOST);
        List<Bar> bars = new ArrayList<>();
        double from = first / ratio, had = 0, next = 0;
        for (ReuseCurve.Point p : points) {
            if (p.capacityTokens() >= next || p == points.get(points.size() - 1)) {
                bars.add(new Bar(from, p.capacityTokens(), Math.max(0, p.hitPct() - had)));
                from = p.capacityTokens();
                had = p.hitPct();
                next = from * ratio;
            }
        }
        return bars;
    }
}
