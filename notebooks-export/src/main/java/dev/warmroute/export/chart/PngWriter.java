package dev.warmroute.export.chart;

import dev.warmroute.export.chart.Chart.Layout;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import org.jfree.chart.JFreeChart;

/**
 * Draws charts as PNG at twice their size, with title and source. It needs a font on the machine, and its bytes depend on
 * it; where they must not, take {@link SvgWriter}.
 */
public final class PngWriter {
    private static final int SCALE = 2;

    /**
     * Returns the picture as a PNG file.
     *
     * @param theme light or dark
     */
    public byte[] write(Chart chart, ChartTheme theme) {
        if (theme == ChartTheme.BOTH) {
            throw new IllegalArgumentException("a picture is light or dark");
        }
        Layout first = chart.layouts().get(0);
        Layout layout = new Layout(first.name(), first.width(), first.height() + 48);
        int width = layout.width() * SCALE, height = layout.height() * SCALE;
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        try {
            Color paper = theme.colour(Ink.PAPER);
            g.setColor(paper);
            g.fillRect(0, 0, width, height);
            g.scale(SCALE, SCALE);
            JFreeChart drawing = Framed.draw(chart, new ChartStyle(theme), layout);
            drawing.draw(new MeasuredGraphics(g), new Rectangle2D.Double(0, 0, layout.width(), layout.height()));
        } finally {
            g.dispose();
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException("the chart " + chart.id() + " could not be written as PNG", e);
        }
        return png.toByteArray();
    }
}
