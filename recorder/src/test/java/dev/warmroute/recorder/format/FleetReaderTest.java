package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.SharedData;
import dev.warmroute.recorder.format.FleetRecording.Completion;
import dev.warmroute.recorder.format.FleetRecording.Decision;
import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetReaderTest {
    @TempDir
    Path dir;

    private static final String CONFIG =
            "{\"event\":\"config\",\"policy\":\"warden\",\"sessions\":1,\"replicas\":2,\"seconds\":5}";
    private static final String FIRST =
            "{\"event\":\"decision\",\"id\":0,\"t\":1.5,\"arrived\":1.25,\"session\":\"s\",\"turn\":1,\"replica\":1,\"kind\":\"placed\","
                    + "\"scores\":null,\"in_flight\":[0,0],\"kv\":[null,0.5],\"kv_age\":[null,0.1],\"home\":null,\"prompt_tokens\":30,"
                    + "\"prompt\":[[\"sys\",20],[\"s/u1\",10]],\"max_tokens\":8}";
    private static final String SECOND =
            "{\"event\":\"decision\",\"id\":1,\"t\":4,\"session\":\"s\",\"turn\":2,\"replica\":0,\"kind\":\"spilled\",\"scores\":[1,2],"
                    + "\"in_flight\":[0,8],\"kv\":[0,0],\"kv_age\":[1,1],\"home\":1,\"prompt_tokens\":41,"
                    + "\"prompt\":[[\"sys\",20],[\"s/u1\",10],[\"s/a1\",7],[\"s/u2\",4]],\"max_tokens\":9}";

    private String trace(String... lines) throws IOException {
        Path file = dir.resolve("f.jsonl");
        Files.writeString(file, String.join("\n", lines));
        return "fleet:" + file;
    }

    @Test
    void anAnswerIsWhatTheNextPromptContains() throws IOException {
        Trace trace = TraceSource.read(trace(
                CONFIG,
                FIRST,
                "{\"event\":\"completed\",\"id\":0,\"t\":3.0,\"first\":2.0,\"status\":200,\"prompt_tokens\":30,\"cached_tokens\":0,\"completion_tokens\":7}",
                SECOND));
        Turn one = trace.turns().get(0);
        Turn two = trace.turns().get(1);
        Prompt known = Prompt.builder()
                .all(one.prompt())
                .span(one.outputStart(), one.outputTokens())
                .build();
        assertThat(known.commonPrefix(two.prompt())).isEqualTo(37);
        assertThat(one.recorded()).isEqualTo(new Turn.Recorded(1, 0, 750_000_000, 1_750_000_000));
        assertThat(one.arrivalNanos()).isEqualTo(1_250_000_000);
        assertThat(two.gapNanos()).isEqualTo(1_000_000_000);
        // the second has no completion and no time of arrival: its length is what was asked for, its arrival the
        // decision
        assertThat(two.outputTokens()).isEqualTo(9);
        assertThat(two.arrivalNanos()).isEqualTo(4_000_000_000L);
        assertThat(two.recorded()).isEqualTo(new Turn.Recorded(0, -1, -1, -1));
        assertThat(trace.description())
                .extracting(TraceDescription::blockSize, TraceDescription::hasSessions, TraceDescription::rows)
                .containsExactly(0, true, 2L);
    }

    @Test
    void oldSpellingsOfKindsAreUnderstood() throws IOException {
        FleetRecording recording = FleetRecording.read(
                new TraceFile(Path.of(trace(CONFIG, FIRST, SECOND).substring(6)), "x"), OnError.STOP);
        assertThat(recording.decisions()).extracting(Decision::kind).containsExactly(Kind.PLACED, Kind.OVERFLOW);
        assertThat(recording.decisions().getFirst().kvUsage()).containsExactly(Double.NaN, 0.5);
        assertThat(recording.decisions().get(1).home()).isEqualTo(1);
        assertThat(recording.completion(recording.decisions().getFirst())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random-4",
                "random-8",
                "random-16",
                "random-32",
                "warden-4",
                "warden-8",
                "warden-16",
                "warden-32",
                "least_inflight-8"
            })
    void everyRecordedCellIsReadWhole(String cell) {
        Path file = SharedData.file("vllm-fleet/" + cell + ".jsonl.gz");
        FleetRecording recording = FleetRecording.read(new TraceFile(file, "fleet:" + file), OnError.STOP);
        Trace trace = TraceSource.read("fleet:" + file);
        assertThat(recording.config().policy() + '-' + recording.config().sessions())
                .isEqualTo(cell);
        assertThat(recording.completions()).hasSize(recording.decisions().size());
        assertThat(trace.turns()).hasSize(recording.decisions().size());
        Map<String, Turn> last = new HashMap<>();
        for (int i = 0; i < trace.turns().size(); i++) {
            Turn t = trace.turns().get(i);
            Decision d = recording.decisions().get(i);
            assertThat(t.prompt().tokens()).isEqualTo(d.promptTokens());
            assertThat(t.recorded().replica()).isEqualTo(d.replica());
            Turn before = last.put(t.session(), t);
            assertThat(t.turn()).isEqualTo(before == null ? 1 : before.turn() + 1);
            if (before != null) {
                Prompt history = Prompt.builder()
                        .all(before.prompt())
                        .span(before.outputStart(), before.outputTokens())
                        .build();
                assertThat(history.commonPrefix(t.prompt())).isEqualTo(history.tokens());
                assertThat(t.gapNanos()).as("at least 0.3 of half a second").isGreaterThanOrEqualTo(150_000_000L);
            }
            // the engine cannot have found more than what the prompts of this file hold in common with an earlier one
            assertThat(t.recorded().cachedTokens())
                    .isBetween(0L, (long) t.prompt().tokens() - 1);
        }
        for (int r = 0; r < recording.config().replicas(); r++) {
            List<FleetRecording.Counters> counters = recording.counters(r);
            double gained = counters.getLast().values().get("generation_tokens_total")
                    - counters.getFirst().values().get("generation_tokens_total");
            int replica = r;
            long completed = recording.decisions().stream()
                    .filter(d -> d.replica() == replica)
                    .map(d -> recording.completion(d).orElseThrow())
                    .mapToLong(Completion::completionTokens)
                    .sum();
            assertThat(gained).as("tokens generated by replica %s", r).isEqualTo(completed);
        }
    }

    @Test
    void wrongRowsAreReported() throws IOException {
        String dropped = trace(FIRST);
        assertThatThrownBy(() -> TraceSource.read(dropped))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not a recorded fleet");
        String twice = trace(CONFIG, FIRST, FIRST);
        assertThatThrownBy(() -> TraceSource.read(twice))
                .hasMessageContaining("line 3: field 'id': decision 0 appears twice");
        String sum = trace(CONFIG, FIRST.replace("\"prompt_tokens\":30", "\"prompt_tokens\":31"));
        assertThatThrownBy(() -> TraceSource.read(sum))
                .hasMessageContaining("line 2: field 'prompt': expected segments of 31 tokens");
        String kind = trace(CONFIG, FIRST.replace("placed", "guessed"));
        assertThatThrownBy(() -> TraceSource.read(kind)).hasMessageContaining("there is no kind of decision 'guessed'");
        String event = trace(CONFIG, "{\"event\":\"party\"}");
        assertThatThrownBy(() -> TraceSource.read(event))
                .hasMessageContaining("field 'event': expected config, decision");
    }
}
