package dev.warmroute.router.session;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Headers from lines {@code Name: value}. */
record HeaderLines(boolean messages, List<String[]> fields) implements RequestHeaders {
    static HeaderLines of(String... lines) {
        return new HeaderLines(true, fields(lines));
    }

    /** Of a request that is none of Anthropic's messages. */
    static HeaderLines ofChat(String... lines) {
        return new HeaderLines(false, fields(lines));
    }

    private static List<String[]> fields(String... lines) {
        return Arrays.stream(lines).map(line -> line.split(": ", 2)).toList();
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
