package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known to go wrong with Bailian's chains, kv-cache-tester's sessions and TraceLab's rounds. */
class SessionFormatsTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path dir;

    private String file(String format, String text) throws IOException {
        Path file = dir.resolve("t.json");
        Files.writeString(file, text);
        return format + ':' + file;
    }

    @Test
    void aChainOfChatsIsASession() {
        Trace trace = TraceSource.read(Samples.argument("bailian:bailian.jsonl"));
        assertThat(trace.turns()).extracting(Turn::session).containsExactly("3", "4", "3", "3", "12");
        assertThat(trace.turns()).extracting(Turn::turn).containsExactly(1, 1, 2, 3, 6);
        assertThat(trace.turns())
                .extracting(Turn::arrivalNanos)
                .containsExactly(1_250_000_000L, 1_500_000_000L, 20_003_000_000L, 31 * SECOND, 32_750_000_000L);
        assertThat(trace.description().blockSize()).isEqualTo(16);
        assertThat(trace.description().hasGaps()).isFalse();
        assertThat(trace.description().notes())
                .containsExactly("1 requests continue one that is not in the trace; each begins a session");
    }

    @Test
    void aTurnNeedNotExtendTheOneBefore() {
        Trace trace = TraceSource.read(Samples.argument("bailian:bailian.jsonl"));
        assertThat(trace.turns()
                        .get(2)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(32);
        assertThat(trace.turns()
                        .get(3)
                        .prompt()
                        .commonPrefix(trace.turns().get(2).prompt()))
                .isEqualTo(48);
        assertThat(trace.turns()
                        .get(1)
                        .prompt()
                        .commonPrefix(trace.turns().get(4).prompt()))
                .as("ids are global")
                .isEqualTo(16);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"input_length\":40,\"turn\":1,\"hash_ids\":[0,1] | field 'hash_ids': expected 3 ids for input_length 40 in blocks of 16, found 2; blocks of 32 would fit",
                "\"input_length\":40,\"hash_ids\":[0,1,2] | field 'turn': missing",
                "\"input_length\":40,\"turn\":1,\"hash_ids\":[0,1,-2] | field 'hash_ids': expected a whole number from 0",
                "\"input_length\":40,\"turn\":1,\"hash_ids\":[0,1,9007199254740993000] | field 'hash_ids': expected ids up to 72057594037927935"
            })
    void wrongBailianRowsAreNamed(String fields, String message) throws IOException {
        String source = file(
                "bailian",
                "{\"chat_id\":1,\"parent_chat_id\":-1,\"timestamp\":0.5,\"output_length\":1,\"type\":\"text\"," + fields
                        + "}");
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.json line 1: " + message);
    }

    @Test
    void aChatAppearsOnce() throws IOException {
        String row =
                "{\"chat_id\":1,\"parent_chat_id\":-1,\"timestamp\":0,\"input_length\":3,\"output_length\":1,\"turn\":1,\"hash_ids\":[0]}\n";
        String source = file("bailian", row + row);
        assertThatThrownBy(() -> TraceSource.read(source))
                .hasMessageContaining("line 2: field 'chat_id': expected ids that appear once");
    }

    @Test
    void subAgentsShareTheirSessionsIdsAndTheirTimesCountFromTheirEntryOrTheSession() {
        Trace trace = TraceSource.read(Samples.argument("kv-cache-tester:kv-cache-tester.json"));
        assertThat(trace.turns())
                .extracting(Turn::affinityKey)
                .containsExactly(
                        "trace_a",
                        "trace_a/agent_1",
                        "trace_a/agent_1",
                        "trace_a",
                        "trace_b",
                        "trace_b/agent_1",
                        "trace_b/agent_1");
        assertThat(trace.turns())
                .extracting(Turn::arrivalNanos)
                .as("within 6000 ms: from the entry; no duration and not before the entry: from the session")
                .containsExactly(0L, 3 * SECOND, 6_500_000_000L, 12_500_000_000L, 0L, 5_250_000_000L, 7_500_000_000L);
        assertThat(trace.turns()
                        .get(1)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(128);
        assertThat(trace.turns()
                        .get(4)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .as("another session")
                .isZero();
        assertThat(trace.description().commonClock()).isFalse();
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.SESSION_BLOCKS);
    }

    @Test
    void thinkTimeElseTheClockGivesTheGap() {
        Trace trace = TraceSource.read(Samples.argument("kv-cache-tester:kv-cache-tester.json"));
        assertThat(trace.turns())
                .extracting(Turn::gapNanos)
                .containsExactly(-1L, -1L, 2_250_000_000L, 2 * SECOND, -1L, -1L, 2_250_000_000L);
        assertThat(trace.turns().get(5).prompt().tokens()).as("no full block").isEqualTo(63);
    }

    @Test
    void globalIdsAreSharedBySessions() throws IOException {
        String session =
                "{\"id\":\"%s\",\"block_size\":64,\"hash_id_scope\":\"global\",\"requests\":[{\"t\":0,\"type\":\"s\",\"in\":70,\"out\":3,\"hash_ids\":[5]}]}";
        Trace trace = TraceSource.read(
                file("kv-cache-tester", "[" + session.formatted("a") + ",\n" + session.formatted("b") + "]"));
        assertThat(trace.turns()
                        .get(0)
                        .prompt()
                        .commonPrefix(trace.turns().get(1).prompt()))
                .isEqualTo(64);
        assertThat(trace.description().prefixes()).isEqualTo(Prefixes.BLOCKS);
    }

    @Test
    void theOriginalFilesAreFoundUnderClaudeCodeToo() throws IOException {
        Trace named = TraceSource.read(Samples.argument("kv-cache-tester:kv-cache-tester.json"));
        assertThat(TraceSource.read("claude-code:" + Samples.file("kv-cache-tester.json"))
                        .turns())
                .isEqualTo(named.turns());
        Path many = Files.createDirectories(dir.resolve("traces"));
        Files.writeString(many.resolve("a.json"), Files.readString(Samples.file("kv-cache-tester.json")));
        Files.writeString(many.resolve("README.md"), "not a trace");
        assertThat(TraceSource.read("claude-code:" + many).turns()).isEqualTo(named.turns());
        assertThatThrownBy(() -> TraceSource.read("claude-code:" + Files.createDirectories(dir.resolve("none"))))
                .hasMessageContaining("there is no file of this format in the directory");
    }

    @Test
    void aWrongRequestOfASessionIsSkippedAlone() throws IOException {
        String text = Files.readString(Samples.file("kv-cache-tester.json"))
                .replace("\"hash_ids\": [1, 2, 9]", "\"hash_ids\": [1, 2]");
        String source = file("kv-cache-tester", text);
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "element 2 of 'requests': field 'hash_ids': expected 3 full blocks for in 192 in blocks of 64, found 2");
        Trace trace = new TraceSource(source, OnError.parse("1")).read();
        assertThat(trace.turns()).hasSize(6);
        assertThat(trace.description().skipped()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"block_size\":64,\"requests\":[{\"t\":0,\"in\":1,\"out\":1,\"hash_ids\":[]}]} | field 'id': missing",
                "{\"id\":\"a\",\"requests\":[{\"in\":1,\"out\":1,\"hash_ids\":[]}]} | field 't': missing",
                "{\"id\":\"a\",\"requests\":[{\"t\":0,\"in\":64,\"out\":1,\"hash_ids\":[1.5]}]} | field 'hash_ids': expected whole numbers from 0",
                "{\"id\":\"a\",\"requests\":[{\"t\":0, | not JSON",
                "17 | expected an object for each session, with its 'requests'"
            })
    void wrongSessionsAreNamed(String text, String message) throws IOException {
        String source = file("kv-cache-tester", text);
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message);
    }

    @Test
    void aRoundIsSentAfterItsLastInputAndEndsWithItsLastEvent() {
        Trace trace = TraceSource.read(Samples.argument("tracelab:tracelab.jsonl"));
        assertThat(trace.turns())
                .extracting(Turn::session)
                .containsExactly("claude:one", "claude:one", "claude:one", "codex:two");
        assertThat(trace.turns())
                .extracting(Turn::arrivalNanos)
                .as("the trace starts with its earliest round, which is not its first")
                .containsExactly(2_420_151_000_000L, 2_427_250_000_000L, 4_200_000_000_000L, 0L);
        assertThat(trace.turns())
                .extracting(t -> t.recorded().durationNanos())
                .containsExactly(5_349_000_000L, 1_750_000_000L, 3 * SECOND, 2_500_000_000L);
        assertThat(trace.turns().get(1).gapNanos()).isEqualTo(1_750_000_000L);
        assertThat(trace.turns()).extracting(t -> t.recorded().cachedTokens()).containsExactly(600L, 1000L, 600L, 0L);
    }

    @Test
    void aShorterRoundRepeatsWhatTheCacheHad() {
        Trace trace = TraceSource.read(Samples.argument("tracelab:tracelab.jsonl"));
        Turn second = trace.turns().get(1);
        assertThat(second.prompt().tokenAt(1000)).isEqualTo(trace.turns().get(0).outputStart());
        assertThat(trace.turns().get(2).prompt().commonPrefix(second.prompt())).isEqualTo(600);
    }

    @Test
    void prefixAndAppendedTokensMakeTheInput() throws IOException {
        String source = file(
                "tracelab",
                "{\"session_id\":\"s\",\"input_tokens_total\":10,\"prefix_tokens\":4,\"newly_append_tokens\":5,\"output_tokens\":1,\"timing_events\":[]}");
        assertThatThrownBy(() -> TraceSource.read(source))
                .hasMessageContaining(
                        "t.json line 1: field 'input_tokens_total': expected 9, the sum of prefix_tokens and newly_append_tokens");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kv-cache-tester | {'id':'a','requests':null} | field 'requests': expected a list, found null",
                "kv-cache-tester | {'id':'a','requests':{'t':0}} | field 'requests': expected a list, found {\"t\":0}",
                "kv-cache-tester | {'id':'a','request':[]} | field 'requests': expected a list, found nothing",
                "vllm-conversations | {'id':'a','messages':17} | field 'messages': expected a list, found 17"
            })
    void aSessionWithoutItsListIsAWrongRow(String format, String session, String message) throws IOException {
        String good = format.equals("kv-cache-tester")
                ? "{'id':'b','requests':[{'t':0,'in':70,'out':3,'hash_ids':[5]}]}"
                : "{'id':'b','messages':[{'role':'user','content':'hi'}]}";
        String source = file(format, (good + "\n" + session.strip() + "\n" + good).replace('\'', '"'));
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.json line 2: " + message);
        Trace trace = new TraceSource(source, OnError.SKIP).read();
        assertThat(trace.turns()).hasSize(2);
        assertThat(trace.description().skipped()).isEqualTo(1);
    }

    @Test
    void aSessionWithAnEmptyListIsNoWrongRow() throws IOException {
        String source = file(
                "kv-cache-tester",
                "{\"id\":\"a\",\"requests\":[]}\n"
                        + "{\"id\":\"b\",\"requests\":[{\"t\":0,\"in\":70,\"out\":3,\"hash_ids\":[5]}],\"totals\":{\"in\":70}}");
        assertThat(TraceSource.read(source).turns()).hasSize(1);
    }
}
