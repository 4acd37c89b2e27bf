package dev.warmroute.router.proxy.http;

import dev.warmroute.router.session.RequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The field lines of a head, as offsets into its bytes: a line that is passed on is copied, not written anew. Strict: no
 * folded lines, no blank before the colon, no bare CR or LF, no control characters.
 */
final class FieldLines implements RequestHeaders {
    /** Fields that belong to one connection (RFC 9110 §7.6.1). */
    private static final List<String> HOP_BY_HOP = List.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final byte[] bytes;
    private String[] names = new String[16];
    /** Of each line: start, start of value, end of value, end with CRLF. */
    private int[] marks = new int[64];

    private int size;

    FieldLines(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Reads lines up to the empty one.
     *
     * @return what is wrong, or the empty string
     */
    String parse(int from) {
        int i = from;
        while (true) {
            if (i + 1 >= bytes.length) {
                return "the head has no end";
            }
            if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
                return "";
            }
            int start = i;
            while (i < bytes.length && Bytes.isToken(bytes[i])) {
                i++;
            }
            if (i == start) {
                return Bytes.isBlank(bytes[i]) ? "a header is folded over two lines" : "a header's name is wrong";
            }
            if (i == bytes.length || bytes[i] != ':') {
                return "a header's name is wrong";
            }
            String name = lowerCase(start, i);
            i++;
            while (i < bytes.length && Bytes.isBlank(bytes[i])) {
                i++;
            }
            int value = i;
            while (i < bytes.length && Bytes.isFieldContent(bytes[i])) {
                i++;
            }
            if (i + 1 >= bytes.length || bytes[i] != '\r' || bytes[i + 1] != '\n') {
                return "header " + name + " has a character that no header may have";
            }
            int end = i;
            while (end > value && Bytes.isBlank(bytes[end - 1])) {
                end--;
            }
            i += 2;
            add(name, start, value, end, i);
        }
    }

    private String lowerCase(int from, int to) {
        byte[] lower = new byte[to - from];
        for (int i = from; i < to; i++) {
            lower[i - from] = Bytes.lower(bytes[i]);
        }
        return new String(lower, StandardCharsets.ISO_8859_1);
    }

    private void add(String name, int start, int value, int end, int next) {
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
            marks = Arrays.copyOf(marks, size * 8);
        }
        names[size] = name;
        int m = size * 4;
        marks[m] = start;
        marks[m + 1] = value;
        marks[m + 2] = end;
        marks[m + 3] = next;
        size++;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String name(int index) {
        return names[index];
    }

    @Override
    public String value(int index) {
        int m = index * 4;
        return new String(bytes, marks[m + 1], marks[m + 2] - marks[m + 1], StandardCharsets.ISO_8859_1);
    }

    /** Start of a line in the head's bytes. */
    int lineStart(int index) {
        return marks[index * 4];
    }

    /** End of a line, CRLF included. */
    int lineEnd(int index) {
        return marks[index * 4 + 3];
    }

    /** Whether a field belongs to this connection alone, by its name or because a Connection field names it. */
    boolean hopByHop(int index) {
        String name = names[index];
        if (HOP_BY_HOP.contains(name)) {
            return true;
        }
        for (int i = 0; i < size; i++) {
            if (names[i].equals("connection") && listHas(value(i), name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a comma-separated list has an element, in any case. */
    static boolean listHas(String list, String element) {
        for (String e : list.split(",")) {
            if (e.strip().equalsIgnoreCase(element)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a Connection field has this option. */
    boolean connectionHas(String option) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals("connection") && listHas(value(i), option)) {
                return true;
            }
        }
        return false;
    }

    /** Digits as a number; -1 when it is not one, or too large to be a length. */
    static long length(String digits) {
        if (digits.isEmpty() || digits.length() > 15) {
            return -1;
        }
        long n = 0;
        for (int i = 0; i < digits.length(); i++) {
            int d = digits.charAt(i) - '0';
            if (d < 0 || d > 9) {
                return -1;
            }
            n = n * 10 + d;
        }
        return n;
    }
}
