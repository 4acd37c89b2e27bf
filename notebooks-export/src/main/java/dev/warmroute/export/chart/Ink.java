package dev.warmroute.export.chart;

import java.awt.Color;
import java.util.Locale;

/**
 * The colours of a chart by their job, each with a value for a light and for a dark background. In SVG they are classes, so
 * that one drawing serves both.
 *
 * <p>The series colours keep a contrast of at least 3:1 with their background, and stay apart from each other for readers
 * with protanopia, deuteranopia and tritanopia; {@code PaletteTest} measures both. Series differ in shape and dash as well.
 */
public enum Ink {
    PAPER(0xffffff, 0x171b21),
    TEXT(0x1c2127, 0xe8eaed),
    MUTED(0x5b6570, 0xa3acb6),
    GRID(0xe3e6ea, 0x2b313a),
    AXIS(0x9aa3ad, 0x5d6773),
    BAND(0xeef1f5, 0x20262e),
    BLUE(0x1f6fd6, 0x8ab4f8),
    ORANGE(0x9c3a0a, 0xe8853f),
    GREEN(0x0b5348, 0x5ce8c8),
    PURPLE(0x56208c, 0xa463f2),
    OCHRE(0xa08a14, 0xf5e27a),
    ROSE(0xcf3d8a, 0xee4a8b),
    /** From little to much, in five steps. */
    SHADE_1(0xe1ebf8, 0x1f2c3f),
    SHADE_2(0xb4cff3, 0x294a75),
    SHADE_3(0x7faae8, 0x3c6cae),
    SHADE_4(0x4280d8, 0x6c9fe4),
    SHADE_5(0x174a94, 0xb5d3ff);

    private final Color light;
    private final Color dark;

    Ink(int light, int dark) {
        this.light = new Color(light);
        this.dark = new Color(dark);
    }

    public Color light() {
        return light;
    }

    public Color dark() {
        return dark;
    }

    /** Whether paper-coloured text on a patch of this ink can be read: a contrast of 4.5:1 in both themes. */
    boolean carriesText() {
        return contrast(light, PAPER.light) >= 4.5 && contrast(dark, PAPER.dark) >= 4.5;
    }

    /** Contrast ratio of two colours by WCAG 2.2, from 1 to 21. */
    static double contrast(Color a, Color b) {
        double high = Math.max(luminance(a), luminance(b)), low = Math.min(luminance(a), luminance(b));
        return (high + 0.05) / (low + 0.05);
    }

    private static double luminance(Color c) {
        return 0.2126 * linear(c.getRed()) + 0.7152 * linear(c.getGreen()) + 0.0722 * linear(c.getBlue());
    }

    private static double linear(int channel) {
        double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }

    /** Name within class names. */
    String css() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Colour that stands for this ink while a drawing is on its way to classes. */
    Color placeholder() {
        return new Color(1, ordinal() + 1, 255 - ordinal());
    }

    /** Returns the ink behind a {@link #placeholder()}. */
    static Ink of(Color placeholder) {
        int i = placeholder.getGreen() - 1;
        if (i < 0 || i >= values().length || !opaque(placeholder).equals(values()[i].placeholder())) {
            throw new IllegalArgumentException("a chart may only use its inks: " + placeholder);
        }
        return values()[i];
    }

    private static Color opaque(Color color) {
        return new Color(color.getRGB());
    }
}
