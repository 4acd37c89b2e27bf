package dev.warmroute.router.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramingTest {
    private static String chunked(List<String> contents, String trailer) {
        StringBuilder out = new StringBuilder();
        for (String c : contents) {
            if (!c.isEmpty()) {
                out.append(Integer.toHexString(c.getBytes(StandardCharsets.UTF_8).length))
                        .append("\r\n")
                        .append(c)
                        .append("\r\n");
            }
        }
        return out + "0\r\n" + trailer + "\r\n";
    }

    /** Reads answers off one connection, cut into pieces, and returns status and content of each. */
    private static String readAll(String bytes, int piece) throws BadAnswer {
        AnswerHeads heads = new AnswerHeads();
        AnswerBody body = new AnswerBody();
        StringBuilder seen = new StringBuilder();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        boolean inBody = false;
        byte[] all = bytes.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < all.length; i += piece) {
            ByteBuf buf = Unpooled.wrappedBuffer(all, i, Math.min(piece, all.length - i));
            while (buf.isReadable()) {
                if (!inBody) {
                    Optional<AnswerHead> head = heads.take(buf, false);
                    if (head.isEmpty()) {
                        break;
                    }
                    seen.append(head.get().status()).append(' ');
                    body.begin(head.get());
                    inBody = true;
                } else {
                    int end = body.follow(buf, (b, index, n) -> {
                        for (int k = 0; k < n; k++) {
                            content.write(b.getByte(index + k));
                        }
                    });
                    buf.readerIndex(end);
                }
                if (inBody && body.ended()) {
                    inBody = false;
                    seen.append(content.toString(StandardCharsets.UTF_8)).append('|');
                    content.reset();
                }
            }
        }
        return seen.toString();
    }

    @Property(tries = 300)
    void theEndOfAnAnswerIsFoundHoweverItIsCut(
            @ForAll @Size(max = 6) List<@StringLength(max = 40) String> contents,
            @ForAll @IntRange(min = 1, max = 70) int piece)
            throws BadAnswer {
        String whole = String.join("", contents);
        int length = whole.getBytes(StandardCharsets.UTF_8).length;
        String bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(contents, "")
                + "HTTP/1.1 204 No Content\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + whole
                + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n"
                + chunked(contents, "X-T: 1\r\nX-U: 2\r\n");
        assertThat(readAll(bytes, piece)).isEqualTo("200 " + whole + "|204 |200 " + whole + "|100 |200 " + whole + "|");
    }

    @Property(tries = 300)
    void aChunkedRequestIsReadHoweverItIsCut(
            @ForAll @Size(max = 6) List<@StringLength(max = 40) String> contents,
            @ForAll @IntRange(min = 1, max = 50) int piece)
            throws RequestRefused {
        byte[] all = (chunked(contents, "X: y\r\n") + "GET").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ChunkedRequestBody body = new ChunkedRequestBody();
        int i = 0;
        while (!body.ended()) {
            int n = Math.min(body.content(), Math.min(piece, all.length - i));
            if (n == 0) {
                body.framing(all[i++]);
            } else {
                content.write(all, i, n);
                body.took(n);
                i += n;
            }
        }
        assertThat(content.toString(StandardCharsets.UTF_8)).isEqualTo(String.join("", contents));
        assertThat(all.length - i).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "g\r\n",
                "-1\r\n",
                "0x5\r\n",
                "5\n",
                "123456789\r\n",
                "ffffffff\r\n",
                "1\r\nab\r\n",
                "1\r\na\n",
                "1\r\na\r\r",
                "1;a\nb\r\n",
                " 1\r\n"
            })
    void aWrongChunkedRequestIsRefused(String bytes) {
        assertThatThrownBy(() -> {
                    ChunkedRequestBody body = new ChunkedRequestBody();
                    byte[] all = bytes.getBytes(StandardCharsets.UTF_8);
                    for (int i = 0; i < all.length; ) {
                        if (body.content() > 0) {
                            body.took(1);
                            i++;
                        } else {
                            body.framing(all[i++]);
                        }
                    }
                })
                .isInstanceOf(RequestRefused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/2 200 OK\r\n\r\n",
                "SSH-2.0-x\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\n bad: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc"
            })
    void aWrongAnswerIsNoticed(String bytes) {
        assertThatThrownBy(() -> readAll(bytes, 7)).isInstanceOf(BadAnswer.class);
    }

    @Test
    void aHeadIsOnlyRewrittenWhereTheConnectionDemandsIt() throws BadAnswer {
        AnswerHead head = AnswerHead.parse(
                "HTTP/1.0 200 Fine\r\nX-A:  b\r\nConnection: x-hop\r\nX-Hop: 1\r\ntransfer-encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8),
                false);
        assertThat(head.hasConnectionFields()).isTrue();
        assertThat(new String(head.rewritten(false, ""), StandardCharsets.UTF_8))
                .isEqualTo("HTTP/1.1 200 Fine\r\nX-A:  b\r\ntransfer-encoding: chunked\r\n\r\n");
        assertThat(new String(head.rewritten(true, "close"), StandardCharsets.UTF_8))
                .isEqualTo("HTTP/1.1 200 Fine\r\nX-A:  b\r\nconnection: close\r\n\r\n");
    }

    @Test
    void aHeadThatIsTooLongIsNoticedBeforeItEnds() {
        HeadCollector collector = new HeadCollector(1_000);
        byte[] head = collector.take(
                Unpooled.wrappedBuffer(("GET / HTTP/1.1\r\nX: " + "a".repeat(2_000)).getBytes(StandardCharsets.UTF_8)));
        assertThat(head).isEmpty();
        assertThat(collector.tooLong()).isTrue();
        assertThat(collector.size()).isEqualTo(1_001);
    }
}
