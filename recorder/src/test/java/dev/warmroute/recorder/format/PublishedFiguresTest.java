package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.SharedData;
import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of the public files, when these lie beside the checkout; those of Mooncake, Claude Code and the fleet have their own. */
class PublishedFiguresTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({
        "AzureLLMInferenceTrace_code.csv, 8819, 3436, 1469, 5194, 7437, 13, 2048, 28",
        "AzureLLMInferenceTrace_conv.csv, 19366, 3502, 1020, 2735, 14050, 129, 1155, 211"
    })
    void azure(
            String name,
            long rows,
            long seconds,
            long p50,
            long p90,
            long max,
            long outputP50,
            long mean,
            long outputMean) {
        try (TraceReader reader = TraceSource.open("azure:" + SharedData.file("azure/" + name))) {
            TurnSummary s = TurnSummary.of(reader);
            assertThat(s.requests()).isEqualTo(rows);
            assertThat(s.seconds()).isEqualTo(seconds, within(1.0));
            assertThat(List.of(s.promptP50(), s.promptP90(), s.promptMax(), s.outputP50()))
                    .containsExactly(p50, p90, max, outputP50);
            assertThat(Math.round((double) s.promptTokens() / rows)).isEqualTo(mean);
            assertThat(Math.round((double) s.outputTokens() / rows)).isEqualTo(outputMean);
            assertThat(s.sessions()).isZero();
            assertThat(s.description().skipped()).isZero();
            assertThat(s.description().prefixes()).isEqualTo(Prefixes.NONE);
        }
    }

    @Test
    void burstGptWithBlankElapsedTimesAndModels() {
        Trace trace = TraceSource.read("burstgpt:" + SharedData.file("burstgpt/burstgpt3_head50.csv"));
        assertThat(trace.turns())
                .hasSize(50)
                .extracting(Turn::session)
                .doesNotContain("")
                .contains("sess-a", "sess-z");
        assertThat(trace.turns())
                .allMatch(t -> t.recorded().durationNanos() == Turn.UNKNOWN
                        && t.labels().model().isEmpty());
        assertThat(trace.description().hasSessions()).isTrue();
        assertThat(trace.description().hasGaps()).isFalse();
        Turn first = trace.turns().get(0);
        Turn later = trace.turns().get(4);
        assertThat(later.session()).isEqualTo("sess-a");
        assertThat(later.prompt().commonPrefix(withAnswer(first))).isEqualTo(906 + 446);
    }

    @ParameterizedTest
    @CsvSource({"example_sessions_derived_round_trace.jsonl", "example_sessions_sanitized_round_trace.jsonl"})
    void traceLabRounds(String name) {
        try (TraceReader reader = TraceSource.open("tracelab:" + SharedData.file("tracelab/" + name))) {
            TurnSummary s = TurnSummary.of(reader);
            assertThat(s.requests()).isEqualTo(19);
            assertThat(s.sessions()).isEqualTo(2);
            assertThat(s.gaps()).isEqualTo(17);
            assertThat(s.promptTokens()).isEqualTo(418_193 + 95_819);
            assertThat(s.cachedTokens()).isEqualTo(394_068 + 79_488);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "replay_examples_multi_session_example.csv, 8, 3, .6104, .0005",
        "replay_examples_multi_session_large.csv, 303, 48, .817, .0005"
    })
    void traceLabReplays(String name, int rows, long sessions, double plannedHit, double tolerance) {
        Trace trace = TraceSource.read("tracelab-replay:" + SharedData.file("tracelab/" + name));
        Map<String, Prompt> said = new HashMap<>();
        long repeated = 0;
        long tokens = 0;
        for (Turn t : trace.turns()) {
            repeated += said.getOrDefault(t.session(), Prompt.empty()).commonPrefix(t.prompt());
            tokens += t.prompt().tokens();
            said.put(t.session(), withAnswer(t));
        }
        assertThat(trace.turns()).hasSize(rows);
        assertThat(said).hasSize((int) sessions);
        assertThat((double) repeated / tokens).isEqualTo(plannedHit, within(tolerance));
        assertThat(trace.description().hasGaps()).isTrue();
        assertThat(trace.description().notes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "mooncake, mooncake/synthetic_trace.jsonl",
        "azure, azure/AzureLLMInferenceTrace_code.csv",
        "burstgpt, burstgpt/burstgpt3_head50.csv",
        "tracelab, tracelab/example_sessions_derived_round_trace.jsonl",
        "tracelab-replay, tracelab/replay_examples_multi_session_large.csv",
        "claude-code, claude-code/claude_code_requests_rle.jsonl.gz"
    })
    void theFilesThemselvesGoThroughExportAndBack(String format, String name) {
        String source = format + ':' + SharedData.file(name);
        Path file = dir.resolve("again");
        try (TraceReader reader = TraceSource.open(source)) {
            TraceExport.run(reader, FormatChoice.parse(format), file, share -> {});
        }
        try (TraceReader first = TraceSource.open(source);
                TraceReader second = TraceSource.open(format + ':' + file)) {
            while (first.hasNext()) {
                assertThat(second.next()).isEqualTo(first.next());
            }
            assertThat(second.hasNext()).isFalse();
        }
    }

    private static Prompt withAnswer(Turn t) {
        return Prompt.builder()
                .all(t.prompt())
                .span(t.outputStart(), t.outputTokens())
                .build();
    }
}
