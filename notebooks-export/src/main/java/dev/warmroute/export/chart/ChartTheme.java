package dev.warmroute.export.chart;

import java.awt.Color;
import java.util.Locale;
import java.util.function.Function;

/** How the inks are turned into colours. */
public enum ChartTheme {
    /** For paper and light pages. */
    LIGHT(Ink::light),
    /** For dark pages. */
    DARK(Ink::dark),
    /** Placeholders that become classes; only SVG. */
    BOTH(Ink::placeholder);

    private final Function<Ink, Color> colours;

    ChartTheme(Function<Ink, Color> colours) {
        this.colours = colours;
    }

    Color colour(Ink ink) {
        return colours.apply(ink);
    }

    /**
     * Style sheet of the classes that {@link SvgWriter} uses; a page with inline charts needs it once. It sets fills
     * ({@code f-INK}) and strokes ({@code s-INK}) within {@code .chart}, dark ones where the reader prefers them.
     */
    public static String css() {
        return rules(Ink::light) + "@media screen and (prefers-color-scheme:dark){" + rules(Ink::dark) + "}";
    }

    private static String rules(Function<Ink, Color> colours) {
        StringBuilder css = new StringBuilder();
        for (Ink ink : Ink.values()) {
            String hex = String.format(Locale.ROOT, "#%06x", colours.apply(ink).getRGB() & 0xffffff);
            css.append(".chart .f-")
                    .append(ink.css())
                    .append("{fill:")
                    .append(hex)
                    .append("}.chart .s-");
            css.append(ink.css()).append("{stroke:").append(hex).append("}\n");
        }
        return css.toString();
    }
}
