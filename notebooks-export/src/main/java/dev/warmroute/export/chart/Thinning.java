package dev.warmroute.export.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Leaves out points of a curve that the eye would not miss: of each stretch, the point is kept that spans the largest
 * triangle with the one kept before and the middle of the next stretch (Steinarsson's "largest triangle three buckets"). The
 * first and the last point stay.
 */
final class Thinning {
    private Thinning() {}

    /**
     * Returns at most {@code most} points, at least 3.
     *
     * @param scale scale on which the eye sees x
     */
    static List<Series.Point> of(List<Series.Point> points, int most, Scale scale) {
        int n = points.size();
        if (n <= most) {
            return points;
        }
        List<Series.Point> kept = new ArrayList<>(most);
        Series.Point last = points.get(0);
        kept.add(last);
        double stretch = (n - 2) / (double) (most - 2);
        for (int i = 0; i < most - 2; i++) {
            int from = 1 + (int) (i * stretch), to = Math.max(from + 1, 1 + (int) ((i + 1) * stretch));
            int after = Math.min(n, Math.max(to + 1, 1 + (int) ((i + 2) * stretch)));
            double midX = 0, midY = 0;
            for (int j = to; j < after; j++) {
                midX += scale.position(points.get(j).x()) / (after - to);
                midY += points.get(j).y() / (after - to);
            }
            last = widest(points.subList(from, to), last, midX, midY, scale);
            kept.add(last);
        }
        kept.add(points.get(n - 1));
        return kept;
    }

    private static Series.Point widest(List<Series.Point> stretch, Series.Point a, double x, double y, Scale scale) {
        Series.Point best = stretch.get(0);
        double widest = -1, ax = scale.position(a.x());
        for (Series.Point p : stretch) {
            double area = Math.abs((ax - x) * (p.y() - a.y()) - (ax - scale.position(p.x())) * (y - a.y()));
            if (area > widest) {
                widest = area;
                best = p;
            }
        }
        return best;
    }
}
