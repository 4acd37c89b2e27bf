package dev.warmroute.export.chart;

/**
 * Widths of the characters of a plain sans-serif typeface, in thousandths of its size. Layout uses them instead of the
 * machine's fonts: an SVG is then the same on every machine, needs no font installed where it is made, and whoever shows it
 * fits his own typeface into the same width.
 */
final class TextWidths {
    static final double ASCENT = 0.93;
    static final double DESCENT = 0.22;
    private static final double BOLD = 1.06;
    private static final int OTHER = 600;

    /** From the space to the tilde. */
    private static final int[] ASCII = {
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to slash
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584 // p to ~
    };

    private TextWidths() {}

    /** Width of a text in the unit of its size. */
    static double of(CharSequence text, double size, boolean bold) {
        double sum = 0;
        for (int i = 0; i < text.length(); i++) {
            sum += of(text.charAt(i));
        }
        return sum * size / 1000 * (bold ? BOLD : 1);
    }

    private static int of(char c) {
        if (c >= ' ' && c <= '~') {
            return ASCII[c - ' '];
        }
        return switch (c) {
            case '\u00a0' -> 278;
            case '\u2212', '\u00d7' -> 584;
            case '\u2013' -> 556;
            case '\u2002' -> 500;
            default -> OTHER;
        };
    }
}
