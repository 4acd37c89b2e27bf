package dev.warmroute.export.report;

import java.io.InputStream;
import java.util.Objects;

/** The typeface of a PDF, from the library that carries it. */
final class PdfFonts {
    static final String REGULAR = "/liberation/LiberationSans-Regular.ttf";
    static final String BOLD = "/liberation/LiberationSans-Bold.ttf";

    private PdfFonts() {}

    static InputStream open(String font) {
        return Objects.requireNonNull(PdfFonts.class.getResourceAsStream(font), font);
    }
}
