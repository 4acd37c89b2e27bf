package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of one Mooncake row, to be filled again and again. Rows as programs write them (known fields, plain numbers and
 * strings, spaces) are read from their bytes by {@link #readPlain}; whatever else a row may hold is left to the JSON parser,
 * which also finds the words for what is wrong.
 */
final class MooncakeRow {
    private static final long MILLI = 1_000_000;
    private static final long MAX_ID = (1L << 60) / MooncakeReader.BLOCK_SIZE - 1;

    /** Largest plain number: 15 digits are exact as a double too, so that both ways of reading agree. */
    private static final int MAX_DIGITS = 15;
    /** Largest plain time in milliseconds; that of {@link JsonRow#nanos} is above it. */
    private static final long MAX_MILLIS = 1_000_000_000_000L;

    private static final long ABSENT = -1;
    private static final long NOT_PLAIN = -2;

    private enum Field {
        TIMESTAMP("timestamp"),
        INPUT_LENGTH("input_length"),
        OUTPUT_LENGTH("output_length"),
        HASH_IDS("hash_ids"),
        SESSION_ID("session_id"),
        TURN("turn"),
        DELAY("delay");

        private static final Field[] ALL = values();

        private final byte[] name;

        Field(String name) {
            this.name = name.getBytes(StandardCharsets.US_ASCII);
        }
    }

    private long arrivalNanos;
    private long input;
    private long output;
    private long[] ids = new long[64];
    private int idCount;
    private String session = "";
    private long turn;
    private long gapNanos;

    // Where readPlain stands.
    private byte[] bytes = {};
    private int at;
    private int end;

    long arrivalNanos() {
        return arrivalNanos;
    }

    /** Length of the prompt in tokens. */
    int inputTokens() {
        return (int) input;
    }

    int outputTokens() {
        return (int) output;
    }

    /** Number of block ids. */
    int blocks() {
        return idCount;
    }

    long block(int i) {
        return ids[i];
    }

    /** Empty without one. */
    String session() {
        return session;
    }

    /** 0 when the row does not say. */
    int turn() {
        return (int) turn;
    }

    /** {@link Turn#UNKNOWN} when the row does not say. */
    long gapNanos() {
        return gapNanos;
    }

    private void clear() {
        arrivalNanos = ABSENT;
        input = ABSENT;
        output = ABSENT;
        idCount = (int) ABSENT;
        session = "";
        turn = 0;
        gapNanos = Turn.UNKNOWN;
    }

    /**
     * Reads any row.
     *
     * @throws RowException if it is not of this format
     */
    void read(JsonRow json) {
        clear();
        while (json.nextField()) {
            switch (json.field()) {
                case "timestamp" -> arrivalNanos = json.nanos(MILLI);
                case "input_length" -> input = json.whole(1);
                case "output_length" -> output = json.whole(0);
                case "hash_ids" -> ids(json);
                case "session_id" -> session = json.isNull() ? "" : json.text();
                case "turn" -> turn = json.whole(1);
                case "delay" -> gapNanos = json.isNull() ? Turn.UNKNOWN : json.nanos(MILLI);
                default -> json.skip();
            }
        }
        json.require("timestamp", arrivalNanos >= 0);
        json.require("input_length", input >= 0);
        json.require("output_length", output >= 0);
        json.require("hash_ids", idCount >= 0);
    }

    private void ids(JsonRow json) {
        idCount = 0;
        json.array();
        while (json.nextElement()) {
            addId(json.whole(0, MAX_ID));
        }
    }

    private void addId(long id) {
        if (idCount == ids.length) {
            ids = Arrays.copyOf(ids, 2 * idCount);
        }
        ids[idCount++] = id;
    }

    /**
     * Reads a plain row.
     *
     * @return false if it is not plain, which says nothing about whether it is right
     */
    boolean readPlain(byte[] line, int from, int to) {
        clear();
        bytes = line;
        at = from;
        end = to;
        if (!take('{')) {
            return false;
        }
        do {
            if (!plainField()) {
                return false;
            }
        } while (take(','));
        return take('}') && atEnd() && arrivalNanos >= 0 && input >= 0 && output >= 0 && idCount >= 0;
    }

    private boolean plainField() {
        if (!take('"')) {
            return false;
        }
        for (Field field : Field.ALL) {
            if (takeName(field.name)) {
                return take(':') && plainValue(field);
            }
        }
        return false;
    }

    private boolean plainValue(Field field) {
        switch (field) {
            case TIMESTAMP:
                arrivalNanos = plainTime();
                return arrivalNanos >= 0;
            case INPUT_LENGTH:
                input = plainNumber();
                return input >= 1 && input <= Integer.MAX_VALUE;
            case OUTPUT_LENGTH:
                output = plainNumber();
                return output >= 0 && output <= Integer.MAX_VALUE;
            case HASH_IDS:
                return plainIds();
            case SESSION_ID:
                return plainSession();
            case TURN:
                turn = plainNumber();
                return turn >= 1 && turn <= Integer.MAX_VALUE;
            case DELAY:
                gapNanos = plainTime();
                return gapNanos >= 0;
            default:
                return false;
        }
    }

    /** Most of a row's bytes are here: one loop over locals. */
    private boolean plainIds() {
        idCount = 0;
        if (!take('[')) {
            return false;
        }
        if (take(']')) {
            return true;
        }
        byte[] line = bytes;
        int last = end - 1; // what follows the last id
        int next = at;
        while (true) {
            while (next < last && line[next] == ' ') {
                next++;
            }
            int start = next;
            long id = 0;
            while (next < last && line[next] >= '0' && line[next] <= '9') {
                id = 10 * id + (line[next++] - '0');
            }
            if (!plainDigits(start, next) || id > MAX_ID) {
                return false;
            }
            addId(id);
            if (line[next] != ',') {
                at = next;
                return take(']');
            }
            next++;
        }
    }

    private boolean plainSession() {
        if (!take('"')) {
            return false;
        }
        int start = at;
        while (at < end && bytes[at] != '"') {
            if (bytes[at] < ' ' || bytes[at] == '\\') {
                return false; // escapes, control characters, and bytes outside ASCII
            }
            at++;
        }
        if (at == end || at == start) {
            return false;
        }
        session = new String(bytes, start, at - start, StandardCharsets.US_ASCII);
        at++;
        return true;
    }

    private long plainTime() {
        long millis = plainNumber();
        return millis >= 0 && millis <= MAX_MILLIS ? millis * MILLI : NOT_PLAIN;
    }

    /** A number of digits alone; a sign, a point or an exponent after them is met by whoever looks for what follows. */
    private long plainNumber() {
        skipSpaces();
        int start = at;
        long value = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            value = 10 * value + (bytes[at++] - '0');
        }
        return plainDigits(start, at) ? value : NOT_PLAIN;
    }

    private boolean plainDigits(int from, int to) {
        int digits = to - from;
        boolean leadingZero = digits > 1 && bytes[from] == '0';
        return digits > 0 && digits <= MAX_DIGITS && !leadingZero;
    }

    private boolean takeName(byte[] name) {
        int quote = at + name.length;
        if (quote >= end || bytes[quote] != '"' || !Arrays.equals(bytes, at, quote, name, 0, name.length)) {
            return false;
        }
        at = quote + 1;
        return true;
    }

    private boolean take(char expected) {
        skipSpaces();
        if (at < end && bytes[at] == expected) {
            at++;
            return true;
        }
        return false;
    }

    private boolean atEnd() {
        skipSpaces();
        return at == end;
    }

    private void skipSpaces() {
        while (at < end && bytes[at] == ' ') {
            at++;
        }
    }
}
