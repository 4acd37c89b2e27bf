package dev.warmroute.export.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The series colours can be seen and told apart, on light and on dark paper, by readers with any kind of colour vision. */
class PaletteTest {
    private static final List<Ink> SERIES = List.of(Ink.BLUE, Ink.ORANGE, Ink.GREEN, Ink.PURPLE, Ink.OCHRE, Ink.ROSE);

    /** Linear RGB as seen with full protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009). */
    private static final Map<String, double[]> VISION = Map.of(
            "normal", new double[] {1, 0, 0, 0, 1, 0, 0, 0, 1},
            "protanopia",
                    new double[] {
                        0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998
                    },
            "deuteranopia",
                    new double[] {
                        0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881
                    },
            "tritanopia",
                    new double[] {
                        1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900
                    });

    @Test
    void everySeriesStandsOutFromItsPaper() {
        for (Ink ink : SERIES) {
            assertThat(Ink.contrast(ink.light(), Ink.PAPER.light()))
                    .as("%s on light", ink)
                    .isGreaterThanOrEqualTo(3);
            assertThat(Ink.contrast(ink.dark(), Ink.PAPER.dark()))
                    .as("%s on dark", ink)
                    .isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void textCanBeRead() {
        for (Ink ink : List.of(Ink.TEXT, Ink.MUTED)) {
            for (Ink ground : List.of(Ink.PAPER, Ink.BAND)) {
                assertThat(Ink.contrast(ink.light(), ground.light()))
                        .as("%s on %s", ink, ground)
                        .isGreaterThanOrEqualTo(4.5);
                assertThat(Ink.contrast(ink.dark(), ground.dark()))
                        .as("%s on %s", ink, ground)
                        .isGreaterThanOrEqualTo(4.5);
            }
        }
        assertThat(Ink.contrast(Color.BLACK, Color.WHITE)).isEqualTo(21);
    }

    @ParameterizedTest
    @ValueSource(strings = {"normal", "protanopia", "deuteranopia", "tritanopia"})
    void anyTwoSeriesDiffer(String vision) {
        List<Function<Ink, Color>> themes = List.of(Ink::light, Ink::dark);
        for (Function<Ink, Color> theme : themes) {
            for (Ink a : SERIES) {
                for (Ink b : SERIES.subList(SERIES.indexOf(a) + 1, SERIES.size())) {
                    double[] seenA = lab(theme.apply(a), VISION.get(vision)),
                            seenB = lab(theme.apply(b), VISION.get(vision));
                    double apart =
                            Math.hypot(Math.hypot(seenA[0] - seenB[0], seenA[1] - seenB[1]), seenA[2] - seenB[2]);
                    assertThat(apart)
                            .as("%s and %s with %s vision", a, b, vision)
                            .isGreaterThan(15);
                }
            }
        }
    }

    @Test
    void noTwoStylesLookAlikeWithoutColour() {
        List<String> seen = new ArrayList<>();
        for (SeriesStyle style : SeriesStyle.values()) {
            seen.add(
                    style.ink() + " " + style.shape().getClass() + style.shape().getBounds2D());
        }
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(SeriesStyle.at(0)).isEqualTo(SeriesStyle.at(10)).isNotEqualTo(SeriesStyle.at(1));
    }

    @Test
    void aPlaceholderLeadsBackToItsInk() {
        for (Ink ink : Ink.values()) {
            assertThat(Ink.of(ink.placeholder())).isEqualTo(ink);
        }
    }

    private static double[] lab(Color colour, double[] m) {
        double[] c = new double[3];
        for (int i = 0; i < 3; i++) {
            int channel = i == 0 ? colour.getRed() : i == 1 ? colour.getGreen() : colour.getBlue();
            double s = channel / 255.0;
            c[i] = s <= 0.04045 ? s / 12.92 : Math.pow((s + 0.055) / 1.055, 2.4);
        }
        double r = clip(m[0] * c[0] + m[1] * c[1] + m[2] * c[2]);
        double g = clip(m[3] * c[0] + m[4] * c[1] + m[5] * c[2]);
        double b = clip(m[6] * c[0] + m[7] * c[1] + m[8] * c[2]);
        double x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
        double y = root(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
        double z = root((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double clip(double v) {
        return Math.max(0, Math.min(1, v));
    }

    private static double root(double t) {
        return t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
}
