package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.SharedData;
import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MooncakeReaderTest {
    @TempDir
    Path dir;

    private String trace(String... lines) throws IOException {
        Path file = dir.resolve("t.jsonl");
        Files.writeString(file, String.join("\n", lines));
        return "mooncake:" + file;
    }

    @ParameterizedTest
    @CsvSource({
        "conversation_trace.jsonl, 12031, 144793823, 288500, 182790, 54063104",
        "synthetic_trace.jsonl, 3993, 61194628, 121877, 43924, 39802880"
    })
    void theFiguresOfThePublicTracesAreReproduced(
            String name, int rows, long tokens, long references, int distinct, long cachedWithoutLimit) {
        Trace trace = TraceSource.read("mooncake:" + SharedData.file("mooncake/" + name));
        PrefixReuse reuse = new PrefixReuse(512, t -> "one");
        Set<Long> blocks = new HashSet<>();
        long seen = 0;
        for (Turn t : trace.turns()) {
            reuse.request(t);
            for (int at = 0; at < t.prompt().tokens(); at += 512) {
                blocks.add(t.prompt().tokenAt(at) / 512);
                seen++;
            }
        }
        assertThat(trace.turns()).hasSize(rows);
        assertThat(reuse.promptTokens).isEqualTo(tokens);
        assertThat(seen).isEqualTo(references);
        assertThat(blocks).hasSize(distinct);
        assertThat(reuse.cachedTokens).isEqualTo(cachedWithoutLimit);
        assertThat(trace.description())
                .extracting(
                        TraceDescription::rows,
                        TraceDescription::blockSize,
                        TraceDescription::hasSessions,
                        TraceDescription::hasGaps)
                .containsExactly((long) rows, 512, false, false);
    }

    @Test
    void timestampsInBatchesKeepTheOrderOfTheFile() {
        Trace trace = TraceSource.read("mooncake:" + SharedData.file("mooncake/conversation_trace.jsonl"));
        assertThat(trace.turns().stream()
                        .mapToLong(Turn::arrivalNanos)
                        .distinct()
                        .count())
                .isEqualTo(1180);
        for (int i = 0; i < trace.turns().size(); i++) {
            assertThat(trace.turns().get(i).index()).isEqualTo(i);
        }
        assertThat(trace.turns().getLast().arrivalNanos()).isBetween(3_536_000_000_000L, 3_538_000_000_000L);
    }

    @Test
    void aBlockIdIsItsTokensAndTheLastBlockIsPartial() throws IOException {
        Turn turn = TraceSource.read(
                        trace("{\"timestamp\":120,\"input_length\":1100,\"output_length\":9,\"hash_ids\":[0,7,8]}"))
                .turns()
                .getFirst();
        assertThat(turn.prompt())
                .isEqualTo(Prompt.builder().span(0, 512).span(7 * 512, 512 + 76).build());
        assertThat(turn.arrivalNanos()).isEqualTo(120_000_000);
        assertThat(turn.outputTokens()).isEqualTo(9);
        assertThat(turn.hasSession()).isFalse();
        assertThat(turn.gapNanos()).isEqualTo(Turn.UNKNOWN);
    }

    @Test
    void anAnswerOfNothingCountsAsOneToken() throws IOException {
        assertThat(TraceSource.read(trace("{\"timestamp\":0,\"input_length\":1,\"output_length\":0,\"hash_ids\":[4]}"))
                        .turns()
                        .getFirst()
                        .outputTokens())
                .isEqualTo(1);
    }

    @Test
    void rowsWithSessionsHaveTurnsAndGaps() throws IOException {
        Trace trace = TraceSource.read(
                trace(
                        "{\"timestamp\":5,\"input_length\":600,\"output_length\":1,\"hash_ids\":[0,1],\"session_id\":\"a\",\"turn\":1}",
                        "",
                        "{\"timestamp\":9.5,\"input_length\":5,\"output_length\":1,\"hash_ids\":[2],\"session_id\":\"b\"}\r",
                        "{\"timestamp\":10,\"input_length\":700,\"output_length\":1,\"hash_ids\":[0,3],\"session_id\":\"a\",\"turn\":2,\"delay\":250}",
                        "{\"timestamp\":11,\"input_length\":5,\"output_length\":1,\"hash_ids\":[2],\"session_id\":\"b\",\"delay\":0}"));
        assertThat(trace.turns()).extracting(Turn::session).containsExactly("a", "b", "a", "b");
        assertThat(trace.turns()).extracting(Turn::turn).containsExactly(1, 1, 2, 2);
        assertThat(trace.turns()).extracting(Turn::gapNanos).containsExactly(-1L, -1L, 250_000_000L, 0L);
        assertThat(trace.turns().get(1).arrivalNanos()).isEqualTo(9_500_000);
        assertThat(trace.description().hasSessions()).isTrue();
        assertThat(trace.description().hasGaps()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"timestamp\":1,\"input_length\":1100,\"output_length\":9,\"hash_ids\":[0,7]} | field 'hash_ids': expected 3 ids for input_length 1100 in blocks of 512, found 2",
                "{\"timestamp\":1,\"input_length\":0,\"output_length\":9,\"hash_ids\":[]} | field 'input_length': expected a whole number from 1 to 2147483647, found 0",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":\"9\",\"hash_ids\":[0]} | field 'output_length': expected a whole number from 0 to 2147483647, found '9'",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":1.5,\"hash_ids\":[0]} | field 'output_length': expected a whole number from 0 to 2147483647, found 1.5",
                "{\"timestamp\":-1,\"input_length\":10,\"output_length\":1,\"hash_ids\":[0]} | field 'timestamp': expected a number of at least 0.0, found -1",
                "{\"timestamp\":null,\"input_length\":10,\"output_length\":1,\"hash_ids\":[0]} | field 'timestamp': expected a number of at least 0.0, found null",
                "{\"input_length\":10,\"output_length\":1,\"hash_ids\":[0]} | field 'timestamp': missing",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":1} | field 'hash_ids': missing",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":1,\"hash_ids\":[-3]} | field 'hash_ids': expected a whole number from 0",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":1,\"hash_ids\":[99999999999999999999]} | field 'hash_ids': expected a whole number from 0",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":1,\"hash_ids\":7} | field 'hash_ids': expected a list, found 7",
                "[1] | expected a JSON object in one line",
                "{\"timestamp\":1,\"input_length\":10, | not JSON",
                "{\"timestamp\":1,\"input_length\":10,\"output_length\":1,\"hash_ids\":[0]} {} | expected one JSON object a line, found more after it"
            })
    void aWrongRowIsReportedWithFileLineAndField(String row, String message) throws IOException {
        String source = trace("{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[4]}", "", row);
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.jsonl line 3: " + message);
    }

    @Test
    void wrongRowsAreSkippedUpToALimitAndCounted() throws IOException {
        String good = "{\"timestamp\":0,\"input_length\":1,\"output_length\":1,\"hash_ids\":[4]}";
        String source = trace(good, "nonsense", good, "{}", good);
        Trace trace = new TraceSource(source, OnError.parse("2")).read();
        assertThat(trace.turns()).hasSize(3).extracting(Turn::index).containsExactly(0, 1, 2);
        assertThat(trace.description().skipped()).isEqualTo(2);
        assertThat(new TraceSource(source, OnError.parse("skip")).read().turns())
                .hasSize(3);
        assertThatThrownBy(() -> new TraceSource(source, OnError.parse("1")).read())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 4")
                .hasMessageContaining("after 1 wrong rows that were skipped");
        assertThatThrownBy(() -> OnError.parse("sometimes"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("stop, skip");
    }
}
