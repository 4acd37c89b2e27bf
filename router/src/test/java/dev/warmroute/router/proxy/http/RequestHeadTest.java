package dev.warmroute.router.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestHeadTest {
    private static RequestHead parse(String head) throws RequestRefused {
        return RequestHead.parse(head.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String post(String lines) {
        return "POST /x HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n";
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(400, "both framings", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n")),
                Arguments.of(
                        400, "both, the other way round", post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n")),
                Arguments.of(400, "two lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n")),
                Arguments.of(400, "a list of lengths", post("Content-Length: 3, 3\r\n")),
                Arguments.of(400, "a signed length", post("Content-Length: +3\r\n")),
                Arguments.of(400, "a hexadecimal length", post("Content-Length: 0x3\r\n")),
                Arguments.of(400, "an empty length", post("Content-Length: \r\n")),
                Arguments.of(400, "a huge length", post("Content-Length: 99999999999999999999\r\n")),
                Arguments.of(
                        400, "chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")),
                Arguments.of(501, "another coding", post("Transfer-Encoding: gzip, chunked\r\n")),
                Arguments.of(501, "a chunked that is none", post("Transfer-Encoding: xchunked\r\n")),
                Arguments.of(400, "a coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
                Arguments.of(400, "a folded line", post("X-A: b\r\n c\r\n")),
                Arguments.of(400, "a fold first", "POST /x HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n"),
                Arguments.of(400, "a blank before the colon", post("Content-Length : 3\r\n")),
                Arguments.of(400, "no colon", post("Content-Length\r\n")),
                Arguments.of(400, "no name", post(": x\r\n")),
                Arguments.of(400, "a bare line feed", post("X-A: b\nContent-Length: 3\r\n")),
                Arguments.of(400, "a bare carriage return", post("X-A: b\rc\r\n")),
                Arguments.of(400, "a zero byte", post("X-A: b\0c\r\n")),
                Arguments.of(400, "a name beyond ASCII", post("X-\u00e9: b\r\n")),
                Arguments.of(400, "two hosts", post("Host: b\r\n")),
                Arguments.of(400, "no host", "POST / HTTP/1.1\r\n\r\n"),
                Arguments.of(400, "no version", "GET /\r\n\r\n"),
                Arguments.of(400, "two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(400, "a blank in the path", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(400, "no path", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(400, "a control character in the path", "GET /\u0001 HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "HTTP/2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
                Arguments.of(400, "not HTTP", "\u0016\u0003\u0001\u0002\r\n\r\n"),
                Arguments.of(414, "a long path", "GET /" + "a".repeat(17_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("refused")
    void whatCouldBeReadInTwoWaysIsRefused(int status, String what, String head) {
        assertThatThrownBy(() -> parse(head))
                .isInstanceOfSatisfying(
                        RequestRefused.class, e -> assertThat(e.status()).isEqualTo(status));
    }

    @Test
    void readsWhatIsPlain() throws Exception {
        RequestHead head = parse(
                "POST /v1/messages?beta=true HTTP/1.1\r\nhost: a\r\nX-A:  b c \t\r\nEMPTY:\r\ncontent-length: 12\r\n\r\n");
        assertThat(head.method()).isEqualTo("POST");
        assertThat(head.target()).isEqualTo("/v1/messages?beta=true");
        assertThat(head.path()).isEqualTo("/v1/messages");
        assertThat(head.first("x-a")).isEqualTo("b c");
        assertThat(head.first("empty")).isEmpty();
        assertThat(head.contentLength()).isEqualTo(12);
        assertThat(head.keepAlive()).isTrue();
        assertThat(parse("GET http://h:1/p?q HTTP/1.1\r\nHost: h\r\n\r\n").target())
                .isEqualTo("/p?q");
        assertThat(parse("GET / HTTP/1.0\r\n\r\n").keepAlive()).isFalse();
        assertThat(parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keepAlive())
                .isTrue();
        assertThat(parse(post("Connection: x, Close\r\n")).keepAlive()).isFalse();
        assertThat(parse(post("Expect: 100-Continue\r\nContent-Length: 1\r\n")).expectsContinue())
                .isTrue();
    }

    @Test
    void linesTravelOnAsTheyCameWithoutThoseOfTheConnection() throws Exception {
        RequestHead head = parse(
                post(
                        "X-A:b\r\nConnection: close, x-private\r\nX-Private: 1\r\nx-B:  c\r\nTE: trailers\r\n"
                                + "Upgrade: h2c\r\nKeep-Alive: 5\r\nExpect: 100-continue\r\nAuthorization: k\r\nContent-Length: 3\r\nX-C: \u00e9\r\n"));
        StringBuilder out = new StringBuilder();
        head.forwarded(
                i -> head.name(i).equals("authorization"),
                (b, from, n) -> out.append(new String(b, from, n, StandardCharsets.ISO_8859_1)));
        assertThat(out).hasToString("X-A:b\r\nx-B:  c\r\nX-C: \u00e9\r\n");
    }
}
