package dev.warmroute.recorder.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A line of a table with commas: a field in double quotes may hold commas, and a doubled quote in it is a quote. */
public final class CsvLine {
    private CsvLine() {}

    /** The fields without the spaces around them; empty when a quote is opened and not closed. */
    public static Optional<List<String>> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString().strip());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString().strip());
        return quoted ? Optional.empty() : Optional.of(fields);
    }
}
