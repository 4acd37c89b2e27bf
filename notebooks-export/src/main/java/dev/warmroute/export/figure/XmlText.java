package dev.warmroute.export.figure;

/** Makes text fit for XML and HTML, whoever wrote it. */
public final class XmlText {
    private static final int REPLACEMENT = 0xFFFD;

    private XmlText() {}

    /** Replaces the characters that XML cannot hold, such as control characters and halves of surrogate pairs. */
    public static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> clean.appendCodePoint(inXml(c) ? c : REPLACEMENT));
        return clean.toString();
    }

    /** Returns {@link #clean} text with the characters escaped that have a meaning in elements and attributes. */
    public static String escaped(String text) {
        return clean(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static boolean inXml(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || c >= ' ' && c <= 0xD7FF
                || c >= 0xE000 && c <= 0xFFFD
                || c >= 0x10000;
    }
}
