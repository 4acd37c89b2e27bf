package dev.warmroute.export.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ThinningTest {
    private static final Scale LINEAR = Scale.linear(Scale::trimmed);

    @Property(tries = 200)
    void keepsTheEndsTheOrderAndTheNumber(
            @ForAll @Size(min = 1, max = 300) List<@DoubleRange(min = -1e6, max = 1e6) Double> values,
            @ForAll @IntRange(min = 3, max = 50) int most) {
        List<Series.Point> points = new ArrayList<>();
        for (double value : values) {
            points.add(new Series.Point(points.size(), value));
        }
        List<Series.Point> kept = Thinning.of(points, most, LINEAR);
        assertThat(kept).hasSize(Math.min(most, points.size()));
        assertThat(points).containsSubsequence(kept);
        assertThat(kept.get(0)).isEqualTo(points.get(0));
        assertThat(kept.get(kept.size() - 1)).isEqualTo(points.get(points.size() - 1));
    }

    @Test
    void keepsAStep() {
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            points.add(new Series.Point(i, i < 617 ? 5 : 90));
        }
        List<Series.Point> kept = Thinning.of(points, 20, LINEAR);
        double below = kept.stream()
                .filter(p -> p.y() == 5)
                .mapToDouble(Series.Point::x)
                .max()
                .orElseThrow();
        double above = kept.stream()
                .filter(p -> p.y() == 90)
                .mapToDouble(Series.Point::x)
                .min()
                .orElseThrow();
        assertThat(below).isGreaterThan(540);
        assertThat(above).isLessThan(700);
    }
}
