package dev.warmroute.recorder.format;

/**
 * JSON objects one after the other: one a line, or over several lines with lines between them that begin with {@code #} or
 * {@code =====}, as files are laid out for human eyes.
 */
final class JsonRecords implements AutoCloseable {
    private final TraceLines lines;
    private String text = "";

    JsonRecords(TraceFile file) {
        lines = new TraceLines(file);
    }

    /** Moves to the next object; false at the end. */
    boolean next() {
        StringBuilder object = new StringBuilder();
        Depth depth = new Depth();
        while (lines.next()) {
            String line = lines.text();
            boolean between = object.isEmpty() && (line.isBlank() || line.startsWith("#") || line.startsWith("====="));
            if (!between) {
                object.append(line).append('\n');
                depth.take(line);
                if (depth.closed()) {
                    text = object.toString();
                    return true;
                }
            }
        }
        text = object.toString();
        return !text.isEmpty();
    }

    /** The object. */
    JsonFields record() {
        return JsonFields.of(text);
    }

    /** Where it ends. */
    String place() {
        return lines.place();
    }

    @Override
    public void close() {
        lines.close();
    }

    /** Counts braces outside of strings. */
    private static final class Depth {
        private int open;
        private boolean quoted;
        private boolean escaped;

        void take(String line) {
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                if (quoted) {
                    quoted = escaped || c != '"';
                    escaped = !escaped && c == '\\';
                } else if (c == '"') {
                    quoted = true;
                    escaped = false;
                } else if (c == '{' || c == '[') {
                    open++;
                } else if (c == '}' || c == ']') {
                    open--;
                }
            }
        }

        /** Whether what was opened is closed; a line that opens nothing stands alone. */
        boolean closed() {
            return open <= 0;
        }
    }
}
