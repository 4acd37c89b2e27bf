package dev.warmroute.export.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PngWriterTest {
    @ParameterizedTest
    @EnumSource(
            value = ChartTheme.class,
            names = {"LIGHT", "DARK"})
    void drawsOnItsPaperInItsInks(ChartTheme theme) throws Exception {
        BufferedImage image = ImageIO.read(
                new ByteArrayInputStream(new PngWriter().write(SampleCharts.load("affinity", 1, 182, 88, 63), theme)));
        assertThat(image.getWidth()).isEqualTo(740);
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                colours.add(image.getRGB(x, y));
            }
        }
        assertThat(image.getRGB(1, 1)).isEqualTo(theme.colour(Ink.PAPER).getRGB());
        assertThat(colours)
                .contains(
                        theme.colour(Ink.ORANGE).getRGB(),
                        theme.colour(Ink.GRID).getRGB());
    }

    @Test
    void aPictureHasOneTheme() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PngWriter().write(SampleCharts.byPolicy(), ChartTheme.BOTH));
    }
}
