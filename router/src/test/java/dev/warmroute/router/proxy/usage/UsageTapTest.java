package dev.warmroute.router.proxy.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.proxy.http.AnswerBody;
import dev.warmroute.router.proxy.http.AnswerHead;
import dev.warmroute.router.proxy.http.AnswerHeads;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded answers of vLLM 0.32.0 are in {@code vllm-wire}. */
class UsageTapTest {
    private static byte[] recorded(String name) throws IOException {
        try (InputStream in = UsageTapTest.class.getResourceAsStream("/vllm-wire/" + name + ".http")) {
            return in.readAllBytes();
        }
    }

    /** Reads an answer in pieces of a size, up to a number of bytes. */
    private static Usage read(byte[] answer, int upTo, int piece) throws Exception {
        AnswerHeads heads = new AnswerHeads();
        AnswerBody body = new AnswerBody();
        UsageTap tap = new UsageTap();
        boolean inBody = false;
        for (int i = 0; i < upTo; i += piece) {
            ByteBuf buf = Unpooled.directBuffer().writeBytes(answer, i, Math.min(piece, upTo - i));
            if (!inBody) {
                Optional<AnswerHead> head = heads.take(buf, false);
                if (head.isPresent()) {
                    inBody = true;
                    body.begin(head.get());
                    tap.begin(head.get());
                }
            }
            if (inBody) {
                body.follow(buf, tap);
            }
            buf.release();
        }
        return tap.usage();
    }

    private static String told(Usage u) {
        return u.promptTokens().stream().boxed().toList() + " "
                + u.cachedTokens().stream().boxed().toList() + " "
                + u.completionTokens().stream().boxed().toList() + " "
                + u.finishReason().orElse("-");
    }

    @ParameterizedTest
    @CsvSource({
        "chat-stream-true, [105] [96] [6] length",
        "chat-stream-no-usage, [] [] [] length",
        "completions-stream-false, [100] [0] [6] length",
        "messages-stream-true, [105] [96] [6] max_tokens",
        "messages-stream-false, [105] [96] [6] max_tokens",
        "error-model, [] [] [] -",
    })
    void recordedAnswersAreReadTheSameHoweverTheyAreCut(String name, String expected) throws Exception {
        byte[] answer = recorded(name);
        for (int piece : new int[] {1, 2, 3, 7, 64, 1_000, answer.length}) {
            assertThat(told(read(answer, answer.length, piece)))
                    .as("pieces of " + piece)
                    .isEqualTo(expected);
        }
    }

    /** What these answers say is read out of them with the eyes of a JSON tree. */
    @ParameterizedTest
    @CsvSource({"chat-stream-false", "completions-stream-true", "responses-stream-true", "responses-stream-false"})
    void usageEqualsWhatTheAnswerSays(String name) throws Exception {
        byte[] answer = recorded(name);
        String text = new String(answer, StandardCharsets.UTF_8);
        String usage = text.substring(text.lastIndexOf("\"usage\":{"));
        Usage read = read(answer, answer.length, 11);
        assertThat(read.promptTokens()).hasValue(number(usage, "prompt_tokens", "input_tokens"));
        assertThat(read.completionTokens()).hasValue(number(usage, "completion_tokens", "output_tokens"));
        assertThat(read.cachedTokens()).hasValue(number(usage, "cached_tokens", "cached_tokens"));
        assertThat(read.finishReason()).contains(name.startsWith("responses") ? "max_output_tokens" : "length");
    }

    private static long number(String json, String name, String other) {
        var m = java.util.regex.Pattern.compile("\"(?:" + name + "|" + other + ")\":(\\d+)")
                .matcher(json);
        assertThat(m.find()).isTrue();
        return Long.parseLong(m.group(1));
    }

    @Test
    void aStreamThatWasCutTellsWhatItHadTold() throws Exception {
        byte[] answer = recorded("messages-stream-true");
        int middle = new String(answer, StandardCharsets.UTF_8).indexOf("w563");
        assertThat(told(read(answer, middle, 50))).isEqualTo("[105] [] [0] -");
        byte[] chat = recorded("chat-stream-true");
        assertThat(told(read(chat, chat.length / 2, 50))).isEqualTo("[] [] [] -");
    }

    @Test
    void textThatLooksLikeUsageIsNotUsage() throws Exception {
        String json =
                "{\"content\":[{\"type\":\"tool_use\",\"input\":{\"usage\":{\"input_tokens\":9}}},{\"text\":\"\\\"usage\\\":{\\\"input_tokens\\\":8}\"}]}";
        byte[] answer = ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + json.length()
                        + "\r\n\r\n" + json)
                .getBytes(StandardCharsets.UTF_8);
        assertThat(read(answer, answer.length, 5)).isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void aCompressedAnswerTellsNothing() throws Exception {
        byte[] answer =
                ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 30\r\n\r\n"
                                + "{\"usage\":{\"prompt_tokens\":123}}")
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(read(answer, answer.length, 5)).isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void aLineOfAMegabyteIsStillRead() throws Exception {
        String event = "data: {\"response\":{\"output\":\"" + "x".repeat(1 << 20)
                + "\",\"status\":\"completed\",\"usage\":{\"input_tokens\":5,"
                + "\"input_tokens_details\":{\"cached_tokens\":4},\"output_tokens\":3}}}\n\n";
        byte[] answer = ("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
                        + Integer.toHexString(event.length()) + "\r\n" + event + "\r\n0\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(told(read(answer, answer.length, 60_000))).isEqualTo("[5] [4] [3] completed");
    }
}
