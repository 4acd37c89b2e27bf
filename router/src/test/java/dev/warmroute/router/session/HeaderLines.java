package dev.warmroute.router.session;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Headers from lines {@code Name: value}. */
record HeaderLines(List<String[]> fields) implements RequestHeaders {
    static HeaderLines of(String... lines) {
        return new HeaderLines(Arrays.stream(lines).map(line -> line.split(": ", 2)).toList());
    }

    @Override
    public int size() {
        return fields.size();
    }

    @Override
    public String name(int index) {
        return fields.get(index)[0].toLowerCase(Locale.ROOT);
    }

    @Override
    public String value(int index) {
        return fields.get(index)[1];
    }
}
