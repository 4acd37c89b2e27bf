package dev.warmroute.router.proxy.http;

import dev.warmroute.router.session.RequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * A request's head, checked so that its end and the end of its body are beyond doubt: RFC 9112 without the tolerance that
 * request smuggling lives on.
 */
public final class RequestHead implements RequestHeaders {
    /** Largest head in bytes. */
    public static final int MAX_BYTES = 64 * 1024;

    /** Largest request line in bytes. */
    public static final int MAX_LINE = 16 * 1024;

    private final byte[] bytes;
    private final FieldLines fields;
    private final String method;
    private final String target;
    private final boolean http10;
    private final long contentLength;
    private final boolean chunked;

    private RequestHead(
            byte[] bytes,
            FieldLines fields,
            String method,
            String target,
            boolean http10,
            long contentLength,
            boolean chunked) {
        this.bytes = bytes;
        this.fields = fields;
        this.method = method;
        this.target = target;
        this.http10 = http10;
        this.contentLength = contentLength;
        this.chunked = chunked;
    }

    /**
     * Reads a head.
     *
     * @param bytes from the first byte of the request line to the empty line, included; kept
     */
    public static RequestHead parse(byte[] bytes) throws RequestRefused {
        int methodEnd = 0;
        while (methodEnd < bytes.length && Bytes.isToken(bytes[methodEnd])) {
            methodEnd++;
        }
        if (methodEnd == 0 || methodEnd > 20 || methodEnd == bytes.length || bytes[methodEnd] != ' ') {
            throw new RequestRefused(400, "the request line is wrong");
        }
        int targetEnd = methodEnd + 1;
        while (targetEnd < bytes.length && bytes[targetEnd] > ' ' && bytes[targetEnd] < 0x7f) {
            targetEnd++;
        }
        if (targetEnd > MAX_LINE) {
            throw new RequestRefused(414, "the request line is longer than " + MAX_LINE + " bytes");
        }
        String method = text(bytes, 0, methodEnd);
        boolean http10 = version(bytes, targetEnd);
        String target = target(method, text(bytes, methodEnd + 1, targetEnd));
        FieldLines fields = new FieldLines(bytes);
        String wrong = fields.parse(targetEnd + " HTTP/1.1\r\n".length());
        if (!wrong.isEmpty()) {
            throw new RequestRefused(400, wrong);
        }
        return framed(bytes, fields, method, target, http10);
    }

    private static boolean version(byte[] bytes, int at) throws RequestRefused {
        int end = at;
        while (end < bytes.length && bytes[end] != '\r' && bytes[end] != '\n') {
            end++;
        }
        String version = text(bytes, at, end);
        if (end + 1 >= bytes.length || bytes[end] != '\r' || bytes[end + 1] != '\n') {
            throw new RequestRefused(400, "the request line is wrong");
        }
        return switch (version) {
            case " HTTP/1.1" -> false;
            case " HTTP/1.0" -> true;
            default ->
                throw version.startsWith(" HTTP/")
                        ? new RequestRefused(505, "HTTP/1.1 is spoken here")
                        : new RequestRefused(400, "the request line is wrong");
        };
    }

    /** The target in origin form; a proxy's absolute form is reduced to it. */
    private static String target(String method, String target) throws RequestRefused {
        if (target.startsWith("/")) {
            return target;
        }
        if (target.equals("*") && method.equals("OPTIONS")) {
            return target;
        }
        int scheme = target.indexOf("://");
        if (scheme > 0 && target.substring(0, scheme).matches("(?i)https?")) {
            int path = target.indexOf('/', scheme + 3);
            return path < 0 ? "/" : target.substring(path);
        }
        throw new RequestRefused(400, "the request's target must be a path");
    }

    private static RequestHead framed(byte[] bytes, FieldLines fields, String method, String target, boolean http10)
            throws RequestRefused {
        long length = -1;
        boolean chunked = false;
        int hosts = 0;
        for (int i = 0; i < fields.size(); i++) {
            switch (fields.name(i)) {
                case "content-length" -> {
                    if (length >= 0) {
                        throw new RequestRefused(400, "content-length is given twice");
                    }
                    length = FieldLines.length(fields.value(i));
                    if (length < 0) {
                        throw new RequestRefused(400, "content-length is not a length");
                    }
                }
                case "transfer-encoding" -> {
                    if (chunked || http10) {
                        throw new RequestRefused(400, "transfer-encoding is not allowed here");
                    }
                    if (!fields.value(i).equalsIgnoreCase("chunked")) {
                        throw new RequestRefused(501, "of all transfer encodings only chunked is known here");
                    }
                    chunked = true;
                }
                case "host" -> hosts++;
                default -> {}
            }
        }
        if (chunked && length >= 0) {
            throw new RequestRefused(400, "content-length and transfer-encoding exclude each other");
        }
        if (hosts > 1 || hosts == 0 && !http10) {
            throw new RequestRefused(400, "a request needs exactly one host");
        }
        return new RequestHead(bytes, fields, method, target, http10, length, chunked);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    public String method() {
        return method;
    }

    /** Path and query as sent. */
    public String target() {
        return target;
    }

    /** Path without the query. */
    public String path() {
        int q = target.indexOf('?');
        return q < 0 ? target : target.substring(0, q);
    }

    public boolean http10() {
        return http10;
    }

    /** Length of the body in bytes, or -1 when it is not given. */
    public long contentLength() {
        return contentLength;
    }

    public boolean chunked() {
        return chunked;
    }

    public boolean hasBody() {
        return chunked || contentLength > 0;
    }

    /** Whether the client wants to go on with this connection after the answer. */
    public boolean keepAlive() {
        return http10 ? fields.connectionHas("keep-alive") : !fields.connectionHas("close");
    }

    /** Whether the client waits for a word before it sends the body. */
    public boolean expectsContinue() {
        return !http10 && first("expect").equalsIgnoreCase("100-continue");
    }

    @Override
    public boolean messages() {
        return path().startsWith("/v1/messages");
    }

    @Override
    public int size() {
        return fields.size();
    }

    @Override
    public String name(int index) {
        return fields.name(index);
    }

    @Override
    public String value(int index) {
        return fields.value(index);
    }

    /** Takes lines of the head, as they came. */
    @FunctionalInterface
    public interface LineWriter {
        void write(byte[] bytes, int from, int length);
    }

    /**
     * Hands out the field lines that travel on: not those of this connection, not the framing, not {@code host} and
     * {@code expect}, and not those that {@code dropped} names by index.
     */
    public void forwarded(IntPredicate dropped, LineWriter out) {
        int from = -1;
        int to = -1;
        for (int i = 0; i < fields.size(); i++) {
            if (ownField(fields.name(i)) || fields.hopByHop(i) || dropped.test(i)) {
                continue;
            }
            if (fields.lineStart(i) != to) {
                if (to > from) {
                    out.write(bytes, from, to - from);
                }
                from = fields.lineStart(i);
            }
            to = fields.lineEnd(i);
        }
        if (to > from) {
            out.write(bytes, from, to - from);
        }
    }

    private static boolean ownField(String name) {
        return name.equals("host") || name.equals("content-length") || name.equals("expect");
    }
}
