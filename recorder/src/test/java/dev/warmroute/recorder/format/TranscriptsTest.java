package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.SharedData;
import dev.warmroute.recorder.format.TraceSource.Trace;
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

class TranscriptsTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path dir;

    @Test
    void recordsOfOneAnswerAreOneRequest() {
        Trace trace = TraceSource.read(Samples.argument("claude-transcript:claude-transcript.jsonl"));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(3500, 4200, 50);
        assertThat(trace.turns()).extracting(t -> t.recorded().cachedTokens()).containsExactly(3000L, 3500L, 0L);
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("s1", "s1", "s1/a1");
        assertThat(trace.turns().get(0).recorded().durationNanos()).isEqualTo(5500 * MILLI);
        assertThat(trace.turns().get(1).gapNanos()).isEqualTo(1500 * MILLI);
        assertThat(trace.turns()
                        .get(1)
                        .prompt()
                        .commonPrefix(trace.turns().get(0).prompt()))
                .isEqualTo(3500);
    }

    @Test
    void recordsOfSidesMayStandBetweenEachOther() throws IOException {
        List<String> lines = Files.readAllLines(Samples.file("claude-transcript.jsonl"));
        Path file = dir.resolve("t.jsonl");
        Files.write(file, List.of(lines.get(1), lines.get(2), lines.get(5), lines.get(3), lines.get(4), lines.get(7)));
        assertThat(TraceSource.read("claude-transcript:" + file).turns())
                .extracting(t -> t.prompt().tokens())
                .containsExactlyInAnyOrder(3500, 50, 4200);
    }

    @Test
    void subAgentsHaveFilesOfTheirOwnInADirectory() throws IOException {
        List<String> lines = Files.readAllLines(Samples.file("claude-transcript.jsonl"));
        Files.write(dir.resolve("11111111.jsonl"), lines);
        Files.writeString(dir.resolve("agent-77.jsonl"), lines.get(7).replace("msg_3", "msg_9"));
        Files.writeString(dir.resolve("notes.txt"), "not a transcript");
        Trace trace = TraceSource.read("claude-transcript:" + dir);
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("s1", "s1", "s1/a1", "s1/a2");
    }

    @Test
    void onlyTheLastUsageOfCodexIsARequestsAndRepeatsArePassedOver() {
        Trace trace = TraceSource.read(Samples.argument("codex-transcript:codex-transcript.jsonl"));
        assertThat(trace.turns()).extracting(t -> t.prompt().tokens()).containsExactly(1000, 1100);
        assertThat(trace.turns()).extracting(Turn::outputTokens).containsExactly(50, 7);
        assertThat(trace.turns()).extracting(Turn::arrivalNanos).containsExactly(1000 * MILLI, 5000 * MILLI);
        assertThat(trace.turns()).extracting(Turn::gapNanos).containsExactly(-1L, 1500 * MILLI);
        assertThat(trace.turns()).extracting(t -> t.labels().model()).containsOnly("model-x");
    }

    @Test
    void nothingOfWhatWasSaidIsKept() {
        for (String sample :
                List.of("claude-transcript:claude-transcript.jsonl", "codex-transcript:codex-transcript.jsonl")) {
            Path trace = dir.resolve(sample.substring(0, 5));
            try (TraceReader reader = TraceSource.open(Samples.argument(sample))) {
                TraceImport.run(reader, trace, "test", share -> {});
            }
            assertThat(TraceSource.read(trace.toString()).turns().toString())
                    .doesNotContain("left out", "11111111", "22222222", "x9", "msg_");
        }
    }

    @ParameterizedTest
    @CsvSource({"claude-transcript, raw_claude_segment.txt, 0, 10", "codex-transcript, raw_codex_segment.txt, 10, 9"})
    void rawSegmentsLaidOutForHumanEyesGiveTheRoundsThatTraceLabMadeOfThem(
            String format, String name, int from, int rounds) {
        List<Turn> raw = TraceSource.read(format + ':' + SharedData.file("tracelab/" + name))
                .turns();
        List<Turn> derived = TraceSource.read(
                        "tracelab:" + SharedData.file("tracelab/example_sessions_derived_round_trace.jsonl"))
                .turns()
                .subList(from, from + rounds);
        assertThat(raw).hasSize(rounds);
        for (int i = 0; i < rounds; i++) {
            Turn r = raw.get(i);
            Turn d = derived.get(i);
            assertThat(r.prompt().tokens()).isEqualTo(d.prompt().tokens());
            assertThat(r.outputTokens()).isEqualTo(d.outputTokens());
            assertThat(r.recorded()).isEqualTo(d.recorded());
            assertThat(r.gapNanos()).isEqualTo(d.gapNanos());
            assertThat(r.labels().model()).isEqualTo(d.labels().model());
        }
    }

    @Test
    void aWrongRecordIsNamed() throws IOException {
        Path file = dir.resolve("t.jsonl");
        Files.writeString(
                file,
                "{\"type\":\"assistant\",\"timestamp\":\"soon\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}");
        assertThatThrownBy(() -> TraceSource.read("claude-transcript:" + file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t.jsonl line 1: field 'timestamp': expected a date and time");
    }
}
