package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stand-in against the recorded answers of a vLLM 0.32.0 that was asked the same things. */
class RecordedAnswersTest {
    private static final String WORDS = words(100);
    private static final String CHAT =
            "\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"" + WORDS + "\"}]";
    private static final String USAGE = ",\"stream\":true,\"stream_options\":{\"include_usage\":true}";

    private static StandInReplica replica;

    @BeforeAll
    static void start() {
        // The recorded server's settings; slow enough for one token an event.
        replica = StandInReplica.start(ReplicaOptions.defaults()
                .withPort(0)
                .withServedModelName("tiny")
                .withCache(300, 32)
                .withBatch(32, 512)
                .withMaxModelLen(8192)
                .withSpeed(0.3));
    }

    @AfterAll
    static void stop() {
        replica.close();
    }

    @BeforeEach
    void forget() {
        assertThat(post("/reset_prefix_cache", "").body()).isEqualTo("{\"success\":true}");
    }

    @Test
    void completionsCountACachedPromptAsTheRecordedServerDid() {
        String body = "\"model\":\"tiny\",\"prompt\":\"" + WORDS + "\",\"max_tokens\":6";
        sameWhole("completions-stream-false", post("/v1/completions", '{' + body + '}'));
        sameStream("completions-stream-true", post("/v1/completions", '{' + body + USAGE + '}'));
    }

    @Test
    void chatCompletionsCountACachedPromptAsTheRecordedServerDid() {
        sameWhole("chat-stream-false", post("/v1/chat/completions", '{' + CHAT + ",\"max_tokens\":6}"));
        sameStream("chat-stream-true", post("/v1/chat/completions", '{' + CHAT + ",\"max_tokens\":6" + USAGE + '}'));
        sameStream(
                "chat-stream-no-usage",
                post("/v1/chat/completions", '{' + CHAT + ",\"max_completion_tokens\":3,\"stream\":true}"));
    }

    @Test
    void messagesCountACachedPromptAsTheRecordedServerDid() {
        post("/v1/chat/completions", '{' + CHAT + ",\"max_tokens\":1}");
        sameWhole("messages-stream-false", post("/v1/messages", '{' + CHAT + ",\"max_tokens\":6}"));
        sameStream("messages-stream-true", post("/v1/messages", '{' + CHAT + ",\"max_tokens\":6,\"stream\":true}"));
    }

    @Test
    void responsesCountACachedPromptAsTheRecordedServerDid() {
        post("/v1/chat/completions", '{' + CHAT + ",\"max_tokens\":1}");
        String body = "\"model\":\"tiny\",\"input\":\"" + WORDS + "\",\"max_output_tokens\":6";
        sameWhole("responses-stream-false", post("/v1/responses", '{' + body + '}'));
        RawAnswer stream = post("/v1/responses", '{' + body + ",\"stream\":true}");
        sameStream("responses-stream-true", stream);
        assertThat(sequenceNumbers(stream))
                .isEqualTo(IntStream.range(0, stream.chunks().size()).boxed().toList());
    }

    @Test
    void aRequestIdBecomesTheAnswersId() {
        RawAnswer answer = RawAnswer.ask(
                replica.port(),
                "POST",
                "/v1/chat/completions",
                "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"w10 w11\"}],\"max_tokens\":3}",
                "X-Request-Id: my-id-1");
        sameWhole("chat-request-id", answer);
        assertThat(answer.body()).contains("\"id\":\"chatcmpl-my-id-1\"");
    }

    @Test
    void aRankThatIsNotServedIsRefused() {
        sameExactly(
                "chat-data-parallel-rank",
                RawAnswer.ask(
                        replica.port(), "POST", "/v1/chat/completions", '{' + CHAT + "}", "X-data-parallel-rank: 3"));
        assertThat(RawAnswer.ask(
                                replica.port(),
                                "POST",
                                "/v1/chat/completions",
                                '{' + CHAT + ",\"max_tokens\":1}",
                                "X-data-parallel-rank: 0")
                        .statusLine())
                .isEqualTo("HTTP/1.1 200 OK");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "error-json             | POST | /v1/chat/completions | {\"model\":\"tiny\",\"messages\":[",
                "error-messages-missing | POST | /v1/messages         | {\"model\":\"tiny\",\"messages\":[]}",
                "error-messages-model   | POST | /v1/messages         | {\"model\":\"nope\",\"messages\":[],\"max_tokens\":4}",
                "error-model            | POST | /v1/chat/completions | {\"model\":\"nope\",\"messages\":[]}",
                "error-method           | GET  | /v1/chat/completions | ``",
                "error-not-found        | GET  | /v1/nothing          | ``",
                "head-root              | HEAD | /                    | ``",
                "head-hello             | HEAD | /api/hello           | ``",
                "health                 | GET  | /health              | ``",
                "ping                   | GET  | /ping                | ``",
                "load                   | GET  | /load                | ``",
                "version                | GET  | /version             | ``",
                "reset-prefix-cache     | POST | /reset_prefix_cache  | ``",
                "count-tokens           | POST | /v1/messages/count_tokens | {\"messages\":[{\"role\":\"user\",\"content\":\"w6 w7 w8\"}]}",
                "tokenize-prompt        | POST | /tokenize            | {\"prompt\":\"w10 w11 w12\"}",
            })
    void answersWithTheRecordedBytes(String recording, String method, String path, String body) {
        sameExactly(recording, RawAnswer.ask(replica.port(), method, path, body));
    }

    @Test
    void aPromptBeyondTheContextIsRefusedInTheRecordedWords() {
        sameExactly(
                "error-too-long",
                post("/v1/completions", "{\"model\":\"tiny\",\"prompt\":\"" + words(8300) + "\",\"max_tokens\":1}"));
    }

    @Test
    void modelsNamesTheModelAndItsContext() {
        sameWhole("models", RawAnswer.ask(replica.port(), "GET", "/v1/models", ""));
    }

    @Test
    void aChatIsTokenizedWithTheRecordedTemplate() {
        RawAnswer answer = post(
                "/tokenize",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"w10 w11\"},"
                        + "{\"role\":\"assistant\",\"content\":\"w12\"}]}");
        // The recorded tokenizer knows no roles: each is its unknown token, 4.
        assertThat(answer.body().replaceAll("1970324836974\\d{3}", "4"))
                .isEqualTo(RawAnswer.recorded("tokenize-chat").body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"prompt\":\"w6\",\"max_tokens\":0}",
                "{\"prompt\":\"w6\",\"max_tokens\":\"ten\"}",
                "{\"prompt\":\"\"}",
                "{\"prompt\":[]}",
                "{\"prompt\":[1.5]}",
                "{\"prompt\":[-1]}",
                "{\"prompt\":\"w6\",\"n\":2}",
                "{\"prompt\":[\"w6\",\"w7\"]}",
                "{\"prompt\":\"w6\",\"stream\":\"yes\"}",
                "[]",
                "",
                "nonsense",
                "{}{}",
                "{\"prompt\":\"w6\",\"max_tokens\":8192}"
            })
    void whatCannotBeServedIsA400WithAMessage(String body) {
        RawAnswer answer = post("/v1/completions", body);
        assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 400 Bad Request");
        assertThat(answer.body()).startsWith("{\"error\":{\"message\":\"").endsWith("\"code\":400}}");
    }

    private static RawAnswer post(String path, String body) {
        return RawAnswer.ask(replica.port(), "POST", path, body);
    }

    private static String words(int count) {
        return IntStream.range(0, count).mapToObj(i -> "w" + (6 + i % 2000)).collect(Collectors.joining(" "));
    }

    private static void sameExactly(String recording, RawAnswer answer) {
        sameHead(recording, answer);
        assertThat(answer.body()).isEqualTo(RawAnswer.recorded(recording).body());
    }

    private static void sameWhole(String recording, RawAnswer answer) {
        sameHead(recording, answer);
        assertThat(WireShape.of(answer.body()))
                .isEqualTo(WireShape.of(RawAnswer.recorded(recording).body()));
    }

    private static void sameStream(String recording, RawAnswer answer) {
        sameHead(recording, answer);
        assertThat(WireShape.ofEvents(answer.chunks()))
                .isEqualTo(WireShape.ofEvents(RawAnswer.recorded(recording).chunks()));
        assertThat(answer.chunks())
                .allMatch(chunk -> chunk.endsWith("\n\n") && chunk.indexOf("\n\n") == chunk.length() - 2);
    }

    private static void sameHead(String recording, RawAnswer answer) {
        RawAnswer recorded = RawAnswer.recorded(recording);
        assertThat(answer.statusLine()).isEqualTo(recorded.statusLine());
        assertThat(fixed(answer.headers())).isEqualTo(fixed(recorded.headers()));
    }

    private static Map<String, String> fixed(Map<String, String> headers) {
        Map<String, String> fixed = new TreeMap<>(headers);
        fixed.replace("date", "<date>");
        fixed.replace("content-length", "<length>");
        return fixed;
    }

    private static List<Integer> sequenceNumbers(RawAnswer stream) {
        Matcher number = Pattern.compile("\"sequence_number\":(\\d+)").matcher(stream.body());
        return number.results().map(found -> Integer.valueOf(found.group(1))).toList();
    }
}
