package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.EventColumn.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes the values of a topic's typed columns out of an event's JSON in one pass over the bytes: the recorder reads every
 * event that way, and most of an event is candidates that no column wants, which are passed over without looking at more
 * than quotes and brackets. Nothing is decided on these values; the exact bytes are kept beside them.
 */
final class EventScanner {
    /** What to do with a field: fill a column, or look into it. */
    private static final class Field {
        private final byte[] name;
        private int column = -1;
        private final List<Field> inner = new ArrayList<>();

        private Field(byte[] name) {
            this.name = name;
        }

        private Field inner(byte[] innerName) {
            for (Field f : inner) {
                if (Arrays.equals(f.name, innerName)) {
                    return f;
                }
            }
            Field fresh = new Field(innerName);
            inner.add(fresh);
            return fresh;
        }
    }

    private final List<EventColumn> columns;
    private final Field root = new Field(new byte[0]);
    private byte[] json;
    private int at;
    private Object[] values;

    EventScanner(List<EventColumn> columns) {
        this.columns = columns;
        for (int i = 0; i < columns.size(); i++) {
            Field field = root;
            for (String name : columns.get(i).path().split("\\.")) {
                field = field.inner(name.getBytes(StandardCharsets.UTF_8));
            }
            field.column = i;
        }
    }

    /**
     * Reads the columns' values into an array: Long, Double, String, Boolean or null.
     *
     * @return whether the bytes look like one JSON object; if not, what was found before the fault is there
     */
    boolean scan(byte[] bytes, Object[] into) {
        json = bytes;
        values = into;
        at = 0;
        try {
            space();
            if (json[at] != '{') {
                return false;
            }
            object(root);
            space();
            return at == json.length;
        } catch (IndexOutOfBoundsException | BadJson e) {
            return false;
        }
    }

    private static final class BadJson extends RuntimeException {
        private static final BadJson HERE = new BadJson();

        private BadJson() {
            super("not JSON", null, false, false);
        }
    }

    /** Reads an object from its opening brace to behind its closing one. */
    private void object(Field field) {
        at++;
        space();
        if (json[at] == '}') {
            at++;
            return;
        }
        int expected = 0;
        while (true) {
            space();
            require((byte) '"');
            int start = at;
            skipString();
            int found = find(field, start, at - 1, expected);
            space();
            require((byte) ':');
            space();
            if (found < 0) {
                skipValue();
            } else {
                expected = found + 1;
                member(field.inner.get(found));
            }
            space();
            byte next = json[at++];
            if (next == '}') {
                return;
            }
            if (next != ',') {
                throw BadJson.HERE;
            }
        }
    }

    private void member(Field field) {
        if (field.column < 0) {
            if (json[at] == '{') {
                object(field);
            } else {
                skipValue();
            }
            return;
        }
        int start = at;
        skipValue();
        values[field.column] = value(start, at, columns.get(field.column).type());
    }

    /** Position of a name among a field's inner ones, which mostly come in order; -1 when it is not among them. */
    private int find(Field field, int start, int end, int expected) {
        int n = field.inner.size();
        for (int i = 0; i < n; i++) {
            int candidate = expected + i < n ? expected + i : expected + i - n;
            byte[] name = field.inner.get(candidate).name;
            if (name.length == end - start && Arrays.equals(name, 0, name.length, json, start, end)) {
                return candidate;
            }
        }
        return -1;
    }

    private Object value(int start, int end, Type type) {
        byte first = json[start];
        return switch (type) {
            case TEXT -> first == '"' ? text(start + 1, end - 1) : null;
            case FLAG -> first == 't' ? Boolean.TRUE : first == 'f' ? Boolean.FALSE : null;
            case LONG -> whole(start, end);
            case DOUBLE -> number(start, end);
        };
    }

    private String text(int start, int end) {
        for (int i = start; i < end; i++) {
            if (json[i] == '\\') {
                return unescaped(start, end);
            }
        }
        return new String(json, start, end - start, StandardCharsets.UTF_8);
    }

    private String unescaped(int start, int end) {
        String raw = new String(json, start, end - start, StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = raw.charAt(++i);
            switch (escaped) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'r' -> out.append('\r');
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    try {
                        out.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
                    } catch (NumberFormatException e) {
                        throw BadJson.HERE;
                    }
                    i += 4;
                }
                default -> out.append(escaped);
            }
        }
        return out.toString();
    }

    private Object whole(int start, int end) {
        boolean negative = json[start] == '-';
        int from = negative ? start + 1 : start;
        if (from == end || end - from > 18) {
            return null;
        }
        long value = 0;
        for (int i = from; i < end; i++) {
            int digit = json[i] - '0';
            if (digit < 0 || digit > 9) {
                return null;
            }
            value = 10 * value + digit;
        }
        return negative ? -value : value;
    }

    private Object number(int start, int end) {
        if (json[start] != '-' && (json[start] < '0' || json[start] > '9')) {
            return null;
        }
        try {
            return Double.valueOf(new String(json, start, end - start, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            throw BadJson.HERE;
        }
    }

    private void skipValue() {
        byte first = json[at];
        if (first == '"') {
            at++;
            skipString();
        } else if (first == '{' || first == '[') {
            skipNested();
        } else {
            int start = at;
            while (at < json.length && json[at] != ',' && json[at] != '}' && json[at] != ']' && json[at] > ' ') {
                at++;
            }
            if (at == start) {
                throw BadJson.HERE;
            }
        }
    }

    /** Passes an object or a list. */
    private void skipNested() {
        int depth = 0;
        do {
            byte b = json[at++];
            if (b == '"') {
                skipString();
            } else if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            }
        } while (depth > 0);
    }

    /** Passes a string whose opening quote has been passed, and its closing quote. */
    private void skipString() {
        while (true) {
            byte b = json[at++];
            if (b == '"') {
                return;
            }
            if (b == '\\') {
                at++;
            }
        }
    }

    private void space() {
        while (at < json.length && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
    }

    private void require(byte b) {
        if (json[at++] != b) {
            throw BadJson.HERE;
        }
    }
}
