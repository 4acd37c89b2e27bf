package dev.warmroute.export.chart;

import dev.warmroute.router.UserError;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A kind of picture that a chart can be written as. */
public enum ChartFormat {
    /** Follows the reader's light or dark theme; the same bytes on every machine. */
    SVG(chart -> new SvgWriter().document(chart).getBytes(StandardCharsets.UTF_8)),
    /** Light, at twice its size; needs a font on the machine. */
    PNG(chart -> new PngWriter().write(chart, ChartTheme.LIGHT));

    private final Function<Chart, byte[]> drawing;

    ChartFormat(Function<Chart, byte[]> drawing) {
        this.drawing = drawing;
    }

    /** Name on the command line, and extension of the files. */
    public String formatName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The format of a name. */
    public static ChartFormat named(String name) {
        return Arrays.stream(values())
                .filter(f -> f.formatName().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError("there is no chart format '" + name + "'; the formats are "
                        + Arrays.stream(values()).map(ChartFormat::formatName).collect(Collectors.joining(", "))));
    }

    /** Draws a chart as a file's content. */
    public byte[] draw(Chart chart) {
        return drawing.apply(chart);
    }
}
