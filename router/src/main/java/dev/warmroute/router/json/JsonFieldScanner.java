package dev.warmroute.router.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads wanted fields out of one JSON value that arrives in pieces, cut anywhere. Exact about structure: a name inside a
 * text, or at another place in the tree, is never mistaken for a field. What is not wanted is passed over, eight bytes at a
 * time inside texts, and not checked for being valid. Of a field that occurs several times the last value counts, as in the
 * engines' own parsers; null counts as not there.
 *
 * <p>Not thread-safe; {@link #reset} makes it ready for the next value.
 *
 * <p>The class is long because a value may be cut at any byte: every state of the reading is a field here, and its handling beside it.
 */
public final class JsonFieldScanner {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Containers that may hold wanted fields are this deep at most. */
    private static final int MAX_DEPTH = 16;

    /** Longer values of wanted fields count as not there. */
    private static final int MAX_VALUE = 4_096;

    private enum State {
        VALUE,
        /** In a map, before a name or the end. */
        NAME,
        COLON,
        /** After a value, before a comma or the end of the container. */
        AFTER,
        TEXT,
        SCALAR,
        /** Inside a container that holds nothing wanted. */
        PASSING,
        DONE,
        FAILED
    }

    private final JsonFields fields;
    private final String[] values;
    private final boolean[] isText;

    private State state;
    private int depth;
    private final JsonFields.Node[] nodes = new JsonFields.Node[MAX_DEPTH + 1];
    private final boolean[] inList = new boolean[MAX_DEPTH + 1];
    /** Step of the value that comes next; null when nothing below it is wanted. */
    private JsonFields.Node next;

    /** Open containers since passing over began. */
    private int passing;

    private boolean textIsName;
    private boolean textIsPassed;
    private boolean escaped;
    private boolean sawEscape;
    private byte[] kept = new byte[64];
    private int keptLength;
    private boolean keptTooLong;
    private boolean keeping;

    public JsonFieldScanner(JsonFields fields) {
        this.fields = fields;
        this.values = new String[fields.size()];
        this.isText = new boolean[fields.size()];
        reset();
    }

    /** Forgets everything; a new value begins. */
    public void reset() {
        Arrays.fill(values, "");
        Arrays.fill(isText, false);
        state = State.VALUE;
        depth = 0;
        next = fields.root();
        passing = 0;
        escaped = false;
    }

    /** Value of a field: a text decoded, a number or literal as written; empty when it is not there. */
    public String value(int field) {
        return values[field];
    }

    /** Whether the field has been seen with a value. */
    public boolean has(int field) {
        return !values[field].isEmpty();
    }

    /** Whether the field's value is a text, rather than a number or a literal. */
    public boolean isText(int field) {
        return isText[field];
    }

    /** Value of a whole number of at least 0, or -1 when the field is not there or something else. */
    public long count(int field) {
        String v = values[field];
        if (isText[field] || v.isEmpty() || v.length() > 18) {
            return -1;
        }
        long n = 0;
        for (int i = 0; i < v.length(); i++) {
            int digit = v.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            n = n * 10 + digit;
        }
        return n;
    }

    /** Whether the value has ended. */
    public boolean complete() {
        return state == State.DONE;
    }

    /** Whether this is not JSON; nothing further is read. */
    public boolean failed() {
        return state == State.FAILED;
    }

    /** Reads on with the next bytes; {@code piece}'s position does not change. */
    public void feed(ByteBuffer piece) {
        int i = piece.position();
        int end = piece.limit();
        while (i < end) {
            switch (state) {
                case TEXT -> i = text(piece, i, end);
                case PASSING -> i = pass(piece, i, end);
                case SCALAR -> i = scalar(piece, i, end);
                case DONE, FAILED -> {
                    return;
                }
                default -> {
                    byte b = piece.get(i++);
                    if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                        structure(b);
                    }
                }
            }
        }
    }

    private void structure(byte b) {
        switch (state) {
            case NAME -> {
                if (b == '"') {
                    beginText(true);
                } else if (b == '}') {
                    closeContainer();
                } else {
                    state = State.FAILED;
                }
            }
            case COLON -> state = b == ':' ? State.VALUE : State.FAILED;
            case AFTER -> {
                if (b == ',') {
                    next = inList[depth] ? nodes[depth] : null;
                    state = inList[depth] ? State.VALUE : State.NAME;
                } else if (b == (inList[depth] ? ']' : '}')) {
                    closeContainer();
                } else {
                    state = State.FAILED;
                }
            }
            default -> beginValue(b);
        }
    }

    private void beginValue(byte b) {
        switch (b) {
            case '"' -> beginText(false);
            case '{', '[' -> {
                if (next == null || next.isLeaf() || depth == MAX_DEPTH) {
                    passing = 1;
                    state = State.PASSING;
                } else {
                    depth++;
                    nodes[depth] = next;
                    inList[depth] = b == '[';
                    state = b == '[' ? State.VALUE : State.NAME;
                }
            }
            case ']' -> {
                if (depth > 0 && inList[depth]) {
                    closeContainer();
                } else {
                    state = State.FAILED;
                }
            }
            case '}', ',', ':' -> state = State.FAILED;
            default -> {
                keep(wanted());
                keepByte(b);
                state = State.SCALAR;
            }
        }
    }

    private boolean wanted() {
        return next != null && next.field() >= 0;
    }

    private void closeContainer() {
        depth--;
        state = depth == 0 ? State.DONE : State.AFTER;
    }

    private void afterValue() {
        state = depth == 0 ? State.DONE : State.AFTER;
    }

    private void keep(boolean wanted) {
        keeping = wanted;
        keptLength = 0;
        keptTooLong = false;
        sawEscape = false;
    }

    private void keepByte(byte b) {
        if (keeping) {
            if (keptLength == kept.length) {
                grow(keptLength + 1);
            }
            if (!keptTooLong) {
                kept[keptLength++] = b;
            }
        }
    }

    private void grow(int needed) {
        if (needed > MAX_VALUE) {
            keptTooLong = true;
        } else {
            kept = Arrays.copyOf(kept, Math.min(MAX_VALUE, Math.max(needed, kept.length * 2)));
        }
    }

    private void beginText(boolean isName) {
        textIsName = isName;
        textIsPassed = false;
        keep(isName || wanted());
        state = State.TEXT;
    }

    private int text(ByteBuffer piece, int from, int end) {
        int i = from;
        if (escaped) {
            escaped = false;
            i++;
        }
        while (i < end) {
            int found = quoteOrBackslash(piece, i, end);
            if (found < end && piece.get(found) == '\\') {
                sawEscape = true;
                if (found + 1 == end) {
                    escaped = true;
                    i = end;
                } else {
                    i = found + 2;
                }
                continue;
            }
            keepBytes(piece, from, found);
            if (found < end) {
                endText();
                return found + 1;
            }
            return end;
        }
        keepBytes(piece, from, end);
        return end;
    }

    private void keepBytes(ByteBuffer piece, int from, int to) {
        if (!keeping || keptTooLong) {
            return;
        }
        int n = to - from;
        if (keptLength + n > kept.length) {
            grow(keptLength + n);
        }
        if (!keptTooLong) {
            piece.get(from, kept, keptLength, n);
            keptLength += n;
        }
    }

    private void endText() {
        if (textIsPassed) {
            state = State.PASSING;
        } else if (textIsName) {
            next = child();
            state = State.COLON;
        } else {
            if (keeping && !keptTooLong) {
                set(next.field(), decoded(), true);
            }
            afterValue();
        }
    }

    private JsonFields.Node child() {
        if (keptTooLong) {
            return null;
        }
        if (!sawEscape) {
            return nodes[depth].child(kept, keptLength);
        }
        byte[] name = decoded().getBytes(StandardCharsets.UTF_8);
        return nodes[depth].child(name, name.length);
    }

    private String decoded() {
        String raw = new String(kept, 0, keptLength, StandardCharsets.UTF_8);
        if (!sawEscape) {
            return raw;
        }
        try {
            return MAPPER.readValue('"' + raw + '"', String.class);
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    private void set(int field, String value, boolean text) {
        values[field] = value;
        isText[field] = text;
    }

    private int scalar(ByteBuffer piece, int from, int end) {
        for (int i = from; i < end; i++) {
            byte b = piece.get(i);
            switch (b) {
                case ',', '}', ']', ' ', '\n', '\r', '\t' -> {
                    endScalar();
                    return i;
                }
                case '"', '{', '[', ':' -> {
                    state = State.FAILED;
                    return end;
                }
                default -> keepByte(b);
            }
        }
        return end;
    }

    private void endScalar() {
        if (keeping && !keptTooLong) {
            String value = new String(kept, 0, keptLength, StandardCharsets.UTF_8);
            if (!value.equals("null")) {
                set(next.field(), value, false);
            }
        }
        afterValue();
    }

    private int pass(ByteBuffer piece, int from, int end) {
        for (int i = from; i < end; i++) {
            switch (piece.get(i)) {
                case '"' -> {
                    beginText(false);
                    keeping = false;
                    textIsPassed = true;
                    return i + 1;
                }
                case '{', '[' -> passing++;
                case '}', ']' -> {
                    if (--passing == 0) {
                        afterValue();
                        return i + 1;
                    }
                }
                default -> {}
            }
        }
        return end;
    }

    /** Index of the first quote or backslash, or {@code end}: eight bytes at a time (Mycroft's zero-byte test). */
    private static int quoteOrBackslash(ByteBuffer piece, int from, int end) {
        int i = from;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            long word = (long) LONGS.get(piece, i);
            long q = word ^ QUOTES;
            long s = word ^ BACKSLASHES;
            long hit = (((q - ONES) & ~q) | ((s - ONES) & ~s)) & HIGHS;
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
        }
        for (; i < end; i++) {
            byte b = piece.get(i);
            if (b == '"' || b == '\\') {
                return i;
            }
        }
        return end;
    }
}
