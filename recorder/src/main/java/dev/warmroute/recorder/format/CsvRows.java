package dev.warmroute.recorder.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Writes lines of fields separated by commas, quoted where they have to be. */
final class CsvRows {
    private final Writer text;

    /** Writes the header. */
    CsvRows(Writer text, String... header) {
        this.text = text;
        row((Object[]) header);
    }

    void row(Object... fields) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < fields.length; i++) {
            String field = fields[i].toString();
            line.append(i == 0 ? "" : ",").append(needsQuotes(field) ? '"' + field.replace("\"", "\"\"") + '"' : field);
        }
        try {
            text.write(line.append('\n').toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A time in a unit with the decimals that it needs; nothing when it is unknown. */
    static String time(long nanos, long unitNanos) {
        return nanos < 0 ? "" : JsonRows.decimal(nanos, unitNanos).toPlainString();
    }

    private static boolean needsQuotes(String field) {
        return field.indexOf(',') >= 0
                || field.indexOf('"') >= 0
                || field.indexOf('\n') >= 0
                || field.indexOf('\r') >= 0;
    }
}
