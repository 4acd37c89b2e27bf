package dev.warmroute.router.proxy.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A replica's answer head: its status, where its body ends, and what the body is. */
public final class AnswerHead {
    /** Largest head in bytes. */
    public static final int MAX_BYTES = 64 * 1024;

    /** How the end of a body is found. */
    public enum Framing {
        NONE,
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE
    }

    private final byte[] bytes;
    private final FieldLines fields;
    private final int status;
    private final int statusLineEnd;
    private final Framing framing;
    private final long length;
    private final boolean keepAlive;

    private AnswerHead(byte[] bytes, FieldLines fields, int status, int statusLineEnd, boolean bodiless)
            throws BadAnswer {
        this.bytes = bytes;
        this.fields = fields;
        this.status = status;
        this.statusLineEnd = statusLineEnd;
        boolean chunked = false;
        long given = -1;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.name(i).equals("transfer-encoding")) {
                if (chunked || !fields.value(i).equalsIgnoreCase("chunked")) {
                    throw new BadAnswer("a transfer encoding that is not chunked");
                }
                chunked = true;
            } else if (fields.name(i).equals("content-length")) {
                long value = FieldLines.length(fields.value(i));
                if (value < 0 || given >= 0 && given != value) {
                    throw new BadAnswer("a wrong content-length");
                }
                given = value;
            }
        }
        if (chunked && given >= 0) {
            throw new BadAnswer("content-length and chunked at once");
        }
        boolean empty = bodiless || status < 200 || status == 204 || status == 304;
        framing = empty ? Framing.NONE : chunked ? Framing.CHUNKED : given >= 0 ? Framing.LENGTH : Framing.UNTIL_CLOSE;
        length = framing == Framing.LENGTH ? given : 0;
        boolean http10 = bytes[7] == '0';
        keepAlive = framing != Framing.UNTIL_CLOSE
                && (http10 ? fields.connectionHas("keep-alive") : !fields.connectionHas("close"));
    }

    /**
     * Reads a head.
     *
     * @param bytes from the status line to the empty line, included; kept
     * @param toHead whether it answers a HEAD request, and so has no body whatever it says
     */
    static AnswerHead parse(byte[] bytes, boolean toHead) throws BadAnswer {
        if (bytes.length < 14
                || !text(bytes, 0, 7).equals("HTTP/1.")
                || bytes[7] != '0' && bytes[7] != '1'
                || bytes[8] != ' ') {
            throw new BadAnswer("something that is not HTTP/1");
        }
        int status = 0;
        for (int i = 9; i < 12; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                throw new BadAnswer("a wrong status line");
            }
            status = status * 10 + bytes[i] - '0';
        }
        int i = 12;
        while (i < bytes.length && bytes[i] != '\n') {
            i++;
        }
        if (status < 100 || i == bytes.length || bytes[i - 1] != '\r') {
            throw new BadAnswer("a wrong status line");
        }
        FieldLines fields = new FieldLines(bytes);
        String wrong = fields.parse(i + 1);
        if (!wrong.isEmpty()) {
            throw new BadAnswer(wrong);
        }
        return new AnswerHead(bytes, fields, status, i + 1, toHead);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    public int status() {
        return status;
    }

    /** Says that this answer was not asked for. */
    public BadAnswer unexpected() {
        return new BadAnswer("status " + status + ", which nobody asked for");
    }

    /** 1xx: the answer proper is still to come. */
    public boolean interim() {
        return status < 200;
    }

    public Framing framing() {
        return framing;
    }

    /** Length of the body where {@link #framing} is LENGTH. */
    public long length() {
        return length;
    }

    /** Whether the replica goes on with the connection after this answer. */
    public boolean keepAlive() {
        return keepAlive;
    }

    /** First value of a field, or the empty string. */
    public String first(String name) {
        return fields.first(name);
    }

    public boolean isEventStream() {
        return first("content-type").toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    public boolean isJson() {
        return first("content-type").toLowerCase(Locale.ROOT).startsWith("application/json");
    }

    /** Whether the body is compressed, and so cannot be read in passing. */
    public boolean encoded() {
        String encoding = first("content-encoding");
        return !encoding.isEmpty() && !encoding.equalsIgnoreCase("identity");
    }

    /** Whether fields of the replica's connection must be taken out before the head may travel on. */
    public boolean hasConnectionFields() {
        for (int i = 0; i < fields.size(); i++) {
            if (dropped(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean dropped(int i) {
        return fields.hopByHop(i)
                && !fields.name(i).equals("transfer-encoding")
                && !fields.name(i).equals("trailer");
    }

    /**
     * The head for the client's connection.
     *
     * @param dechunked whether the client cannot read chunks, so that the body goes out without them
     * @param connection value of the Connection field to add; none when empty
     */
    public byte[] rewritten(boolean dechunked, String connection) {
        StringBuilder out = new StringBuilder(bytes.length + 32);
        out.append("HTTP/1.1").append(text(bytes, 8, statusLineEnd));
        for (int i = 0; i < fields.size(); i++) {
            boolean chunks =
                    fields.name(i).equals("transfer-encoding") || fields.name(i).equals("trailer");
            if (!dropped(i) && !(dechunked && chunks)) {
                out.append(text(bytes, fields.lineStart(i), fields.lineEnd(i)));
            }
        }
        if (!connection.isEmpty()) {
            out.append("connection: ").append(connection).append("\r\n");
        }
        return out.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The head as it came. */
    public byte[] bytes() {
        return bytes;
    }
}
