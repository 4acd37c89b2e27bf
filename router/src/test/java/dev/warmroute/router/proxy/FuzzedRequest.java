package dev.warmroute.router.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A request as odd as the protocol allows, or wrong in one way, and what may come of it.
 *
 * @param id what the replica knows it by, in the header {@code x-fuzz}
 * @param bytes head and body as sent
 * @param body the body without chunks, as the replica must see it
 * @param then what follows on the connection
 * @param statuses those that may answer it
 * @param toHead whether its answer has no body
 */
record FuzzedRequest(String id, byte[] bytes, byte[] body, Then then, List<Integer> statuses, boolean toHead) {
    /** What becomes of the connection. */
    enum Then {
        /** It is answered, and the next request as well. */
        GOES_ON,
        /** It is answered, and nothing after it. */
        LAST,
        /** Its answer breaks off. */
        BREAKS
    }

    /** What a request is; what it is answered with depends on how the replica behaves towards it. */
    enum Kind {
        PLAIN,
        CHUNKED,
        ODD_HEADERS,
        EXPECTS,
        OLD,
        CLOSING,
        LIST,
        PROBE,
        UNKNOWN_MODEL,
        BROKEN_ESCAPE,
        TOO_LARGE,
        REFUSED,
        REFUSED_BODY
    }

    /** What the replica does about a request. */
    enum Behaviour {
        JSON,
        STREAM,
        INTERIM,
        NOT_FOUND,
        BYTES,
        UNTIL_CLOSE,
        NO_ANSWER,
        BREAKS_OFF
    }

    static final int MAX_BODY = 4_096;
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String[] PATHS = {
        "/v1/chat/completions",
        "/v1/completions",
        "/v1/messages?beta=true",
        "/v1/responses",
        "/v1/embeddings?a=%00%ff&b=/../",
        "/v1/embeddings/%zz%",
        "/v1/score?%e"
    };
    private static final String[] BODIES = {
        "{\"model\":\"m\"}",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"\ud83d\ude00 \u00e9 \\ud83d\"}]}",
        "{\"model\":",
        "[[[[[[",
        "{\"model\":{\"model\":\"m\"}}",
        SMUGGLED,
        "{\"model\":\"m\",\"x\":\"" + SMUGGLED.replace("\r\n", "\\r\\n") + "\"}",
        "5\r\n{\"mod\r\n0\r\n\r\n" + SMUGGLED,
        "\u0000",
        "{\"model\":\"m\",\"user\":1e99999}",
        "{\"a\":\"\\",
        "{\"model\":\"m\"}{\"model\":\"n\"}",
        "\"",
        "{".repeat(500),
        "{\"model\":\"m\",\"metadata\":{\"user_id\":\"{\\\"session_id\\\":\\\"s\\\"}\"},\"tools\":[{\"name\":7}]}",
        "{\"messages\":[{\"role\":\"user\",\"content\":[[[{\"text\":{}}]]]}],\"model\":\"m\"}",
        "{\"model\":\"m\",\"pad\":\"" + "\u4e16".repeat(900) + "\"}"
    };
    private static final String[] ODD_HEADERS = {
        "X-Session-Id: s",
        "x-session-id:s",
        "X-SESSION-ID:\t s \t",
        "Accept: */*",
        "x: \u00ff\u00fe",
        "Empty:",
        "x-a: " + "a".repeat(40_000),
        "Content-Encoding: gzip",
        "session_id: undefined",
        "x-codex-turn-metadata: {\"session_id\":",
        "Authorization: Bearer k",
        "X-Request-Id: 1",
        "Cookie: a=b; c",
        "Keep-Alive: 5",
        "TE: trailers",
        "Connection: x-hop",
        "x-hop: gone",
        "!#$%&'*+-.^_`|~: token",
        "x-" + "v".repeat(200) + "-session-id: s",
        "anthropic-version: 2023-06-01",
        "x-claude-code-session-id: c"
    };
    /** Heads that cannot be understood, or not in one way only; ID stands for a good rest. */
    private static final Object[][] REFUSED = {
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 50\r\n\r\nabc"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        },
        {501, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"},
        {501, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\u000b\r\n\r\n0\r\n\r\n"},
        {400, "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x3\r\n\r\nabc"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"},
        {400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\n Host: x\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost : x\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\nno-colon\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\n: no-name\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\na: b\u0000c\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\na: b\rc: d\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\na: b\nContent-Length: 5\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\na\u00e9: b\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\n\r\n"},
        {400, "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"},
        {400, "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"},
        {505, "GET / HTTP/1.1 \r\nHost: x\r\n\r\n"},
        {400, "GET /\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n"},
        {400, "GET / a HTTP/1.1\r\nHost: x\r\n\r\n"},
        {400, "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n"},
        {400, "GET /\r\n\r\n"},
        {400, "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n"},
        {400, "\u0000\u0001\r\n\r\n"},
        {400, "a".repeat(30) + " / HTTP/1.1\r\nHost: x\r\n\r\n"},
        {505, "PRI * HTTP/2.0\r\n\r\n"},
        {505, "GET / HTTP/9.9\r\nHost: x\r\n\r\n"},
        {414, "GET /" + "a".repeat(17_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"},
        {431, "GET / HTTP/1.1\r\nHost: x\r\nx: " + "a".repeat(66_000) + "\r\n\r\n"},
        {431, "GET / HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n".repeat(12_000) + "\r\n"},
    };
    /** Chunked bodies that are wrong. */
    private static final Object[][] REFUSED_BODIES = {
        {400, "x\r\n"},
        {400, "-1\r\n"},
        {400, "0x1\r\na\r\n0\r\n\r\n"},
        {400, "\r\n"},
        {400, "1\na\r\n"},
        {400, "1\r\nab\r\n0\r\n\r\n"},
        {400, "1\r\na\n0\r\n\r\n"},
        {400, "fffffffff\r\n"},
        {400, "80000000\r\n"},
        {400, "1;" + "x".repeat(600) + "\r\n"},
        {400, "0\r\nx: " + "y".repeat(9_000) + "\r\n\r\n"},
        {400, "0\r\nx: \u0001\r\n\r\n"},
        {413, "1001\r\n"},
        {413, "7fffffff\r\n"},
        {400, "1 1\r\na\u0007"}
    };

    static FuzzedRequest of(String id, Kind kind, Behaviour behaviour, SplittableRandom random) {
        String body = pick(BODIES, random);
        return switch (kind) {
            case PLAIN -> answered(id, behaviour, "HTTP/1.1", "", body, random, false);
            case CHUNKED -> answered(id, behaviour, "HTTP/1.1", "", body, random, true);
            case ODD_HEADERS ->
                answered(id, behaviour, "HTTP/1.1", oddHeaders(random), body, random, random.nextBoolean());
            case EXPECTS -> answered(id, behaviour, "HTTP/1.1", "Expect: 100-Continue\r\n", body, random, false);
            case OLD ->
                answered(id, behaviour, "HTTP/1.0", "", body, random, false).last();
            case CLOSING ->
                answered(id, behaviour, "HTTP/1.1", "Connection: foo, CLOSE\r\n", body, random, false)
                        .last();
            case LIST -> here(id, random.nextBoolean() ? "GET" : "HEAD", "/v1/models?limit=1000", 200);
            case PROBE -> here(id, "HEAD", random.nextBoolean() ? "/" : "/api/hello", 200);
            case UNKNOWN_MODEL -> posted(id, "{\"model\":\"nobody\"}", 404);
            case BROKEN_ESCAPE -> brokenEscape(id, pick(new String[] {"%zz", "%", "m%2", "%-1", "%ff%fe%"}, random));
            case TOO_LARGE -> posted(id, "x".repeat(MAX_BODY + 1 + random.nextInt(20_000)), 413);
            case REFUSED -> refused(id, "", REFUSED[random.nextInt(REFUSED.length)]);
            case REFUSED_BODY ->
                refused(
                        id,
                        "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nx-fuzz: " + id
                                + " JSON\r\nTransfer-Encoding: chunked\r\n\r\n",
                        REFUSED_BODIES[random.nextInt(REFUSED_BODIES.length)]);
        };
    }

    private static FuzzedRequest answered(
            String id,
            Behaviour behaviour,
            String version,
            String headers,
            String body,
            SplittableRandom random,
            boolean chunked) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, "\r\n".repeat(random.nextInt(8) == 0 ? 2 : 0));
        write(
                out,
                "POST " + pick(PATHS, random) + ' ' + version + "\r\nhOsT: x\r\nX-Fuzz: " + id + ' ' + behaviour
                        + "\r\n" + headers);
        if (chunked) {
            write(out, "Transfer-Encoding: CHUNKED\r\n\r\n");
            chunks(out, content, random);
        } else {
            write(out, "Content-Length: " + (random.nextBoolean() ? "" : "00") + content.length + "\r\n\r\n");
            out.writeBytes(content);
        }
        return new FuzzedRequest(id, out.toByteArray(), content, then(behaviour), statuses(behaviour), false);
    }

    private static Then then(Behaviour behaviour) {
        return switch (behaviour) {
            case UNTIL_CLOSE -> Then.LAST;
            case BREAKS_OFF -> Then.BREAKS;
            default -> Then.GOES_ON;
        };
    }

    private static List<Integer> statuses(Behaviour behaviour) {
        return switch (behaviour) {
            case NOT_FOUND -> List.of(404);
            case NO_ANSWER -> List.of(502);
            default -> List.of(200);
        };
    }

    private static void chunks(ByteArrayOutputStream out, byte[] content, SplittableRandom random) {
        int most = 1 + random.nextInt(random.nextBoolean() ? 3 : 600);
        for (int at = 0; at < content.length; ) {
            int n = Math.min(content.length - at, 1 + random.nextInt(most));
            String size = Integer.toHexString(n);
            write(
                    out,
                    switch (random.nextInt(5)) {
                        case 0 -> size.toUpperCase(Locale.ROOT) + ";a=\"b\"\r\n";
                        case 1 -> "000" + size + " \r\n";
                        default -> size + "\r\n";
                    });
            out.write(content, at, n);
            write(out, "\r\n");
            at += n;
        }
        write(out, random.nextInt(3) == 0 ? "0;x\r\nTrailer: 1\r\nContent-Length: 7\r\n\r\n" : "0\r\n\r\n");
    }

    private static String oddHeaders(SplittableRandom random) {
        StringBuilder lines = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            String line = pick(ODD_HEADERS, random);
            if (lines.length() + line.length() < 60_000) {
                lines.append(line).append("\r\n");
            }
        }
        return lines.toString();
    }

    private static FuzzedRequest here(String id, String method, String path, int status) {
        String head = method + ' ' + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
        return new FuzzedRequest(id, bytes(head), new byte[0], Then.GOES_ON, List.of(status), method.equals("HEAD"));
    }

    private static FuzzedRequest brokenEscape(String id, String model) {
        String request = "GET /v1/models/" + model + " HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";
        return new FuzzedRequest(id, bytes(request), new byte[0], Then.GOES_ON, List.of(404), false);
    }

    private static FuzzedRequest posted(String id, String body, int status) {
        String head = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n";
        return new FuzzedRequest(id, bytes(head + body), new byte[0], Then.GOES_ON, List.of(status), false);
    }

    private static FuzzedRequest refused(String id, String head, Object[] row) {
        return new FuzzedRequest(id, bytes(head + row[1]), new byte[0], Then.LAST, List.of((Integer) row[0]), false);
    }

    private FuzzedRequest last() {
        return new FuzzedRequest(id, bytes, body, then == Then.BREAKS ? then : Then.LAST, statuses, toHead);
    }

    /** The same with some bytes changed, lost or doubled; nothing is known of it any more. */
    byte[] mutated(SplittableRandom random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int every = 1 + random.nextInt(bytes.length);
        for (byte b : bytes) {
            switch (random.nextInt(every) == 0 ? random.nextInt(4) : 4) {
                case 0 -> out.write(random.nextInt(256));
                case 1 -> {}
                case 2 -> {
                    out.write(b);
                    out.write(b);
                }
                case 3 -> write(out, pick(new String[] {"\r\n", "\n", "\r", " ", ":", "\u0000", "\r\n\r\n"}, random));
                default -> out.write(b);
            }
        }
        return out.toByteArray();
    }

    private static <T> T pick(T[] of, SplittableRandom random) {
        return of[random.nextInt(of.length)];
    }

    /** Heads are bytes, not characters. */
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void write(ByteArrayOutputStream out, String text) {
        out.writeBytes(bytes(text));
    }
}
