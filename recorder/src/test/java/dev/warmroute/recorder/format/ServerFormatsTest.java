package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known to go wrong with the files of servers, gateways and their benchmarks. */
class ServerFormatsTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path dir;

    private String file(String format, String text) throws IOException {
        Path file = dir.resolve("t.json");
        Files.writeString(file, text);
        return format + ':' + file;
    }

    @Test
    void dynamoHashesAreUnsignedAndOfFullBlocksOrAll() {
        Trace trace = TraceSource.read(Samples.argument("dynamo:dynamo.jsonl"));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(130, 64, 200);
        assertThat(trace.turns()
                        .get(2)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(128);
        assertThat(trace.turns()
                        .get(1)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(64);
        assertThat(trace.description().blockSize()).isEqualTo(64);
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.BLOCKS);
    }

    @Test
    void dynamoRecordsStandInTheOrderOfTheirEnds() {
        Trace trace = TraceSource.read(Samples.argument("dynamo:dynamo.jsonl"));
        assertThat(trace.turns()).extracting(Turn::arrivalNanos).containsExactly(500 * MILLI, 0L, 2750 * MILLI);
        assertThat(trace.turns())
                .extracting(t -> t.recorded().durationNanos())
                .as("without a total time the request ended when its record was written")
                .containsExactly(1500 * MILLI, 2500 * MILLI, 750 * MILLI);
        assertThat(trace.turns().get(2).gapNanos()).isEqualTo(750 * MILLI);
        assertThat(trace.turns().get(0).recorded().ttftNanos()).isEqualTo(210_500_000);
        assertThat(trace.turns().get(0).recorded().cachedTokens()).isEqualTo(64);
    }

    @Test
    void dynamoTrajectoriesWithAParentAreSubAgentsAndNamesAreReplaced() {
        Trace trace = TraceSource.read(Samples.argument("dynamo:dynamo.jsonl"));
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("s1", "s1/a1", "s1");
        assertThat(trace.turns()).extracting(Turn::turn).containsExactly(1, 1, 2);
        assertThat(trace.turns().toString()).doesNotContain("run-7").doesNotContain("q1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,2,3] | field 'input_sequence_hashes': expected 1 hashes of full blocks, or one more, for input_length 70 in blocks of 64, found 3",
                "[-1] | field 'input_sequence_hashes': expected unsigned 64-bit numbers, found -1",
                "[18446744073709551616] | field 'input_sequence_hashes': expected unsigned 64-bit numbers, found 18446744073709551616"
            })
    void wrongDynamoRecordsAreNamed(String hashes, String message) throws IOException {
        String source = file(
                "dynamo",
                "{\"event_type\":\"request_end\",\"event_time_unix_ms\":5,\"request\":{\"output_tokens\":1,\"replay\":"
                        + "{\"trace_block_size\":64,\"input_length\":70,\"input_sequence_hashes\":" + hashes + "}}}");
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.json line 1: " + message);
    }

    @Test
    void dynamoRequestsWithoutHashesAreRead() throws IOException {
        Trace trace = TraceSource.read(file(
                "dynamo",
                "{\"event_type\":\"request_end\",\"event_time_unix_ms\":5,"
                        + "\"request\":{\"input_tokens\":70,\"output_tokens\":0}}"));
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.NONE);
        assertThat(trace.description().notes())
                .singleElement()
                .asString()
                .startsWith("1 requests have no replay hashes");
        assertThat(trace.turns().getFirst().outputTokens()).isEqualTo(1);
        String other = file("dynamo", "{\"timestamp\":1}");
        assertThatThrownBy(() -> TraceSource.read(other))
                .hasMessageContaining("field 'event_type': missing; is it a request trace");
    }

    @Test
    void liteLlmsLogIsWhatReachedAReplica() {
        Trace trace = TraceSource.read(Samples.argument("litellm:litellm.jsonl"));
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("s1", "s2", "s1");
        assertThat(trace.turns()).extracting(Turn::arrivalNanos).containsExactly(0L, 2500 * MILLI, 10_000 * MILLI);
        assertThat(trace.turns())
                .extracting(t -> t.recorded().ttftNanos())
                .as("an answer in one piece has no first token of its own")
                .containsExactly(1250 * MILLI, Turn.UNKNOWN, 250 * MILLI);
        assertThat(trace.turns()).extracting(t -> t.recorded().replica()).containsExactly(0, 1, 0);
        Turn second = trace.turns().getLast();
        assertThat(second.turn()).isEqualTo(2);
        assertThat(second.gapNanos()).isEqualTo(5500 * MILLI);
        assertThat(second.prompt().commonPrefix(trace.turns().getFirst().prompt()))
                .as("the answer before it, too, is part of the prompt")
                .isEqualTo(5000);
        assertThat(trace.description().notes())
                .containsExactly(
                        "1 requests failed and were left out",
                        "1 requests were answered from the gateway's own cache and were left out",
                        "1 requests have no answer, as embeddings have none, and were left out");
        assertThat(trace.turns().toString()).doesNotContain("conv-").doesNotContain("gpu-");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"startTime\":9,\"endTime\":8 | field 'endTime': expected a time not before startTime",
                "\"startTime\":1790841600000,\"endTime\":8 | field 'startTime': expected seconds since 1970",
                "\"startTime\":\"x\",\"endTime\":8 | field 'startTime': expected a number",
                "\"endTime\":8 | field 'startTime': missing",
            })
    void wrongLiteLlmRowsAreNamed(String times, String message) throws IOException {
        String source = file("litellm", "{\"prompt_tokens\":5,\"completion_tokens\":1," + times + "}");
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.json line 1: " + message);
    }

    @Test
    void aiperfRowsWithoutIdsAreWhatATurnAdds() throws IOException {
        Trace trace = TraceSource.read(file("aiperf-mooncake", """
                {"session_id":"abc","input_length":300,"output_length":40}
                {"session_id":"abc","delay":2,"input_length":150}
                {"input_length":10}
                """));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(300, 490, 10);
        assertThat(trace.turns().get(1).prompt().tokenAt(300))
                .isEqualTo(trace.turns().get(0).outputStart());
        assertThat(trace.turns()).extracting(Turn::gapNanos).containsExactly(-1L, 2 * MILLI, -1L);
        assertThat(trace.description().hasTimes()).isFalse();
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.LENGTHS);
        assertThat(trace.description().notes()).containsExactly("2 answers have no length and count as 1 token");
    }

    @Test
    void aiperfTextsAndMessagesAreSizesOnly() throws IOException {
        Trace trace = TraceSource.read(file("aiperf-mooncake", """
                {"timestamp":0,"text_input":"twelve bytes","output_length":4}
                {"timestamp":1,"messages":[{"role":"system","content":"twelve bytes"},{"role":"user","content":"more"}],"output_length":4}
                """));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(3, 4);
        assertThat(trace.turns()
                        .get(1)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(3);
        assertThat(trace.turns().toString()).doesNotContain("twelve");
        String both = file("aiperf-mooncake", "{\"input_length\":3,\"text_input\":\"x\"}");
        assertThatThrownBy(() -> TraceSource.read(both))
                .hasMessageContaining("expected one of input_length, text_input and messages, found 2");
    }

    @Test
    void turnsOfAiperfAddToTheirSession() {
        Trace trace = TraceSource.read(Samples.argument("aiperf-multi-turn:aiperf-multi-turn.jsonl"));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(10, 14, 10);
        assertThat(trace.turns()).extracting(Turn::gapNanos).containsExactly(-1L, 1200 * MILLI, -1L);
        assertThat(trace.turns().get(2).prompt())
                .as("equal texts")
                .isEqualTo(trace.turns().get(0).prompt());
    }

    @Test
    void messagesThatAskForNothingAreNoRequests() throws IOException {
        Trace trace = TraceSource.read(
                file(
                        "aiperf-multi-turn",
                        "{\"session_id\":\"a\",\"turns\":[{\"role\":\"system\",\"text\":\"eight by\"},{\"texts\":[\"four\",\"more\"]}]}"));
        assertThat(trace.turns()).hasSize(1);
        assertThat(trace.turns().getFirst().prompt().tokens()).isEqualTo(4);
        assertThat(trace.turns().getFirst().turn()).isEqualTo(1);
    }

    @Test
    void conversationsHaveTheAnswersOfTheirAssistant() throws IOException {
        Trace trace = TraceSource.read(Samples.argument("vllm-conversations:vllm-conversations.json"));
        assertThat(trace.turns()).extracting(Turn::outputTokens).containsExactly(10, 7, 2);
        Turn first = trace.turns().get(0);
        Turn second = trace.turns().get(1);
        assertThat(second.prompt()
                        .commonPrefix(Prompt.builder()
                                .all(first.prompt())
                                .span(first.outputStart(), 10)
                                .build()))
                .isEqualTo(first.prompt().tokens() + 10);
        assertThat(trace.description().hasTimes()).isFalse();
        assertThat(trace.description().hasGaps()).isTrue();
        Trace open = TraceSource.read(file("vllm-conversations", """
                [{"id":"x","messages":[{"role":"system","content":"be kind!"},{"role":"user","content":"hi"},
                  {"role":"assistant","content":"hello"},{"role":"user","content":"and now"}]}]"""));
        assertThat(open.turns()).extracting(t -> t.prompt().tokens()).containsExactly(3, 7);
        assertThat(open.description().notes())
                .contains("1 conversations end with a question, whose answer counts as 1 token");
    }

    @Test
    void aGeneratorIsNoConversation() throws IOException {
        String source = file(
                "vllm-conversations",
                "{\"filetype\":\"generate_conversations\",\"num_conversations\":24,\"text_files\":[\"a.txt\"]}");
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "describes conversations to be generated; let the benchmark write them with --output-file");
    }

    @Test
    void failedRequestsOfABenchmarkAreLeftOut() {
        Trace trace = TraceSource.read(Samples.argument("vllm-bench:vllm-bench.json"));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(1024, 1024, 1124);
        assertThat(trace.turns()).extracting(Turn::arrivalNanos).containsExactly(250 * MILLI, 0L, 2500 * MILLI);
        assertThat(trace.turns())
                .extracting(t -> t.recorded().durationNanos())
                .containsExactly(290 * MILLI, 530 * MILLI, 125 * MILLI);
        assertThat(trace.turns().getFirst().labels().model()).isEqualTo("qwen3-4b");
        assertThat(trace.description().notes()).first().isEqualTo("1 requests failed and were left out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"request_rate\":\"inf\",\"completed\":5} | was saved without --save-detailed",
                "{\"input_lens\":[1,2],\"output_lens\":[1]} | field 'output_lens': expected 2 values, one for each of input_lens, found 1",
                "[] | expected the JSON object that vllm bench serve",
                "{\"input_lens\":[1 | not JSON"
            })
    void wrongBenchmarkResultsAreNamed(String text, String message) throws IOException {
        String source = file("vllm-bench", text);
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message);
    }

    @Test
    void aRequestLogNumbersItsSessionsAndReplicas() {
        Trace trace = TraceSource.read(Samples.argument("request-log:request-log.csv"));
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("s1", "s2", "s1", "s1/a1", "");
        assertThat(trace.turns()).extracting(t -> t.recorded().replica()).containsExactly(0, 1, 0, 0, -1);
        assertThat(trace.turns()).extracting(Turn::gapNanos).containsExactly(-1L, -1L, 3750 * MILLI, -1L, -1L);
        assertThat(trace.turns()
                        .get(2)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(7000);
        assertThat(trace.description().notes()).containsExactly("1 requests failed and were left out");
    }

    @ParameterizedTest
    @CsvSource({
        "1700000000, 1700000001.5",
        "1700000000000, 1700000001500",
        "0, 1.5",
        "2026-10-01 00:00:00, 2026-10-01T02:00:01.5+02:00"
    })
    void timesOfALogAreSecondsMillisecondsOrDates(String first, String second) throws IOException {
        Trace trace = TraceSource.read(file(
                "request-log", "timestamp,prompt_tokens,completion_tokens\n" + first + ",5,1\n" + second + ",5,1\n"));
        assertThat(trace.turns()).extracting(Turn::arrivalNanos).containsExactly(0L, 1500 * MILLI);
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.NONE);
    }

    @Test
    void anthropicsInputTokensDoNotCountWhatWasCached() throws IOException {
        Trace trace = TraceSource.read(
                file(
                        "request-log",
                        "time,input_tokens,cache_read_input_tokens,cache_creation_input_tokens,output_tokens\n0,10,900,90,5\n"));
        assertThat(trace.turns().getFirst().prompt().tokens()).isEqualTo(1000);
        assertThat(trace.turns().getFirst().recorded().cachedTokens()).isEqualTo(900);
        Trace total =
                TraceSource.read(file("request-log", "time,input_tokens,cached_tokens,output_tokens\n0,1000,900,5\n"));
        assertThat(total.turns().getFirst().prompt().tokens()).isEqualTo(1000);
        String more = file("request-log", "time,prompt_tokens,cached_tokens,output_tokens\n0,10,90,5\n");
        assertThatThrownBy(() -> TraceSource.read(more))
                .hasMessageContaining("field 'cached_tokens': expected at most the 10 tokens");
        String none = file("request-log", "time,prompt_tokens\n0,10\n");
        assertThatThrownBy(() -> TraceSource.open(none))
                .hasMessageContaining("there is no column completion_tokens or output_tokens or tokens_out");
    }

    @Test
    void timedTracesHaveBlocksOfSixteenUnlessSaid() {
        assertThat(TraceSource.read(Samples.argument("vllm-timed:vllm-timed.jsonl"))
                        .description()
                        .blockSize())
                .isEqualTo(16);
        Path mooncake = Samples.file("mooncake.jsonl");
        assertThatThrownBy(() -> TraceSource.read("vllm-timed:" + mooncake))
                .hasMessageContaining("in blocks of 16, found 3; blocks of 512 would fit: say FORMAT/512:FILE");
        List<Turn> turns = TraceSource.read("vllm-timed/512:" + mooncake).turns();
        assertThat(turns).isEqualTo(TraceSource.read("mooncake:" + mooncake).turns());
    }

    @Test
    void aConversationWithoutAnIdIsLeftOutWholeAndCountsOnce() throws IOException {
        String messages =
                "\"messages\":[{\"role\":\"user\",\"content\":\"eight by\"},{\"role\":\"assistant\",\"content\":\"four\"},"
                        + "{\"role\":\"user\",\"content\":\"more\"},{\"role\":\"assistant\",\"content\":\"four\"}]}";
        String good = "{\"id\":\"a\"," + messages + ",{" + messages + ",{\"id\":\"b\"," + messages;
        String source = file("vllm-conversations", "[" + good + "]");
        assertThatThrownBy(() -> TraceSource.read(source))
                .hasMessageContaining("element 1 of 'messages': field 'id': missing");
        Trace trace = new TraceSource(source, OnError.SKIP).read();
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("a", "a", "b", "b");
        assertThat(trace.turns()).extracting(Turn::turn).containsExactly(1, 2, 1, 2);
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(2, 4, 2, 4);
        assertThat(trace.description().skipped()).isEqualTo(1);
    }

    @Test
    void aConversationEndsWhereItIsWrongAndAsksNothingMore() throws IOException {
        Trace trace = new TraceSource(file("vllm-conversations", """
                [{"id":"a","messages":[{"role":"user","content":"more"},{"role":"assistant","content":"four"},
                  {"role":"user","content":"more"},{"content":"of whom"},{"content":"of whom"},{"role":"assistant","content":"four"}]},
                 {"id":"b","messages":[{"role":"user","content":"more"},{"role":"assistant","content":"four"}]}]"""), OnError.SKIP).read();
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("a", "b");
        assertThat(trace.description().skipped()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "time,seconds",
        "timestamp,seconds",
        "time_ms,milliseconds",
        "timestamp_ms,milliseconds",
        "ts_ms,milliseconds"
    })
    void timesFromTheStartAreSecondsUnlessTheirColumnSaysMilliseconds(String column, String unit) throws IOException {
        Trace trace =
                TraceSource.read(file("request-log", column + ",prompt_tokens,completion_tokens\n0,5,1\n1500,5,1\n"));
        assertThat(trace.turns().get(1).arrivalNanos())
                .isEqualTo(unit.equals("seconds") ? 1_500_000 * MILLI : 1500 * MILLI);
        assertThat(trace.description().notes().getFirst())
                .startsWith("times in column '" + column + "' were taken as " + unit);
    }

    @Test
    void aDateHasNoUnitToAssumeAndMillisecondsOf1970AreNoted() throws IOException {
        String rows = ",5,1\n";
        Trace epoch =
                TraceSource.read(file("request-log", "time,prompt_tokens,completion_tokens\n1700000000000" + rows));
        assertThat(epoch.description().notes()).contains("times in column 'time' were taken as milliseconds");
        Trace dates = TraceSource.read(
                file("request-log", "time,prompt_tokens,completion_tokens\n2026-10-01 00:00:00" + rows));
        assertThat(dates.description().notes()).noneMatch(n -> n.contains("were taken as"));
        Trace named = TraceSource.read(file(
                "request-log",
                "time_ms,prompt_tokens,completion_tokens\n1700000000000" + rows + "1700000001500" + rows));
        assertThat(named.turns().get(1).arrivalNanos()).isEqualTo(1500 * MILLI);
        String back = file("request-log", "time_ms,prompt_tokens,completion_tokens\n5" + rows + "4" + rows);
        assertThatThrownBy(() -> TraceSource.read(back))
                .hasMessageContaining("line 3: field 'time_ms': expected a time not before");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"request_received_ms\":100,\"total_time_ms\":30 | 500 | 30",
                "\"request_received_ms\":100 | 500 | 400",
                "\"total_time_ms\":30 | 500 | 30",
                "\"request_received_ms\":100 | null | -1",
                "\"model\":\"m\" | 500 | -1"
            })
    void dynamoTellsADurationByItsTotalOrByTwoTimes(String times, String end, long millis) throws IOException {
        Turn turn = TraceSource.read(file(
                        "dynamo",
                        "{\"event_type\":\"request_end\",\"event_time_unix_ms\":" + end
                                + ",\"request\":{\"input_tokens\":7,\"output_tokens\":1," + times + "}}"))
                .turns()
                .getFirst();
        assertThat(turn.recorded().durationNanos()).isEqualTo(millis < 0 ? Turn.UNKNOWN : millis * MILLI);
    }
}
