package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.recorder.SharedData;
import dev.warmroute.recorder.format.TraceSource.Trace;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaudeCodeReaderTest {
    @TempDir
    Path dir;

    private static final String FULL = "claude-code/claude_code_requests_rle.jsonl.gz";

    private String trace(String... lines) throws IOException {
        Path file = dir.resolve("c.jsonl");
        Files.writeString(file, String.join("\n", lines));
        return "claude-code:" + file;
    }

    @Test
    void theHitRatiosOfSevenHundredSessionsAreReproduced() {
        PrefixReuse all = new PrefixReuse(64, t -> "one");
        PrefixReuse main = new PrefixReuse(64, t -> "one");
        PrefixReuse agents = new PrefixReuse(64, Turn::affinityKey);
        Set<String> sessions = new HashSet<>();
        long gaps = 0;
        try (TraceReader reader = TraceSource.open("claude-code:" + SharedData.file(FULL))) {
            while (reader.hasNext()) {
                Turn t = reader.next();
                all.request(t);
                (t.agent().isEmpty() ? main : agents).request(t);
                sessions.add(t.session());
                gaps += t.gapNanos() == Turn.UNKNOWN ? 0 : 1;
            }
            assertThat(reader.description())
                    .extracting(
                            TraceDescription::rows,
                            TraceDescription::skipped,
                            TraceDescription::blockSize,
                            TraceDescription::hasSessions,
                            TraceDescription::hasGaps,
                            TraceDescription::commonClock)
                    .containsExactly(49_334L, 0L, 64, true, true, false);
        }
        assertThat(sessions).hasSize(710);
        assertThat(all.requests).isEqualTo(49_334);
        assertThat(main.requests).isEqualTo(48_658);
        assertThat(agents.requests).isEqualTo(676);
        assertThat(all.hit()).isEqualTo(96.32, within(0.005));
        assertThat(main.hit()).isEqualTo(96.36, within(0.005));
        assertThat(agents.hit()).isEqualTo(85.5, within(0.05));
        assertThat(gaps).isEqualTo(49_334 - 710 - 63);
    }

    @ParameterizedTest
    @CsvSource({"30, .643", "3600, .960"})
    void emptyingTheCacheOfIdleSessionsGivesThePublishedCurve(long idleSeconds, double hit) {
        Map<String, Long> last = new HashMap<>();
        PrefixReuse reuse = new PrefixReuse(64, Turn::session);
        try (TraceReader reader = TraceSource.open("claude-code:" + SharedData.file(FULL))) {
            while (reader.hasNext()) {
                Turn t = reader.next();
                if (!t.agent().isEmpty()) {
                    continue;
                }
                Long before = last.put(t.session(), t.arrivalNanos());
                if (before != null && t.arrivalNanos() - before > idleSeconds * 1_000_000_000L) {
                    reuse.clear(t.session());
                }
                reuse.request(t);
            }
        }
        assertThat(reuse.hit() / 100).isEqualTo(hit, within(0.0015));
    }

    @ParameterizedTest
    @CsvSource({
        "claude_code_ctx64k_b512.jsonl, 1121, 68, 7087, .916",
        "claude_code_ctx128k_b512_60s.jsonl, 2230, 60, 14656, .953",
        "claude_code_ctx200k_b512.jsonl.gz, 33807, 528, 231060, .964"
    })
    void theDerivedFilesAreRecognisedByTheirFields(String name, int rows, int sessions, int blocks, double hit) {
        Trace trace = TraceSource.read("claude-code:" + SharedData.file("claude-code/" + name));
        PrefixReuse reuse = new PrefixReuse(512, t -> "one");
        LongSet distinct = new LongSet();
        Set<String> names = new HashSet<>();
        for (Turn t : trace.turns()) {
            reuse.request(t);
            names.add(t.session());
            for (int at = 0; at < t.prompt().spans(); at++) {
                for (long token = t.prompt().start(at);
                        token < t.prompt().start(at) + t.prompt().length(at);
                        token += 512) {
                    distinct.add(token / 512);
                }
            }
            assertThat(t.gapNanos() >= 0).as("gap of turn %s", t.turn()).isEqualTo(t.turn() > 1);
        }
        assertThat(trace.turns()).hasSize(rows);
        assertThat(names).hasSize(sessions);
        assertThat(distinct.size()).isEqualTo(blocks);
        assertThat(reuse.hit() / 100).isEqualTo(hit, within(0.002));
        assertThat(trace.description().format()).isEqualTo("claude-code");
        assertThat(trace.description().blockSize()).isEqualTo(512);
        assertThat(trace.description().hasGaps()).isTrue();
    }

    @Test
    void idsAreLocalToASessionAndSharedByItsSubAgents() throws IOException {
        Trace trace = TraceSource.read(trace(
                row("s1", "null", 0, 200, "[[5,3]]"),
                row("s1", "\"a\"", 1, 130, "[[5,2]]"),
                row("s2", "null", 0, 200, "[[5,3]]")));
        Turn first = trace.turns().get(0);
        assertThat(first.prompt().commonPrefix(trace.turns().get(1).prompt())).isEqualTo(128);
        assertThat(first.prompt().commonPrefix(trace.turns().get(2).prompt())).isZero();
        assertThat(trace.turns()).extracting(Turn::affinityKey).containsExactly("s1", "s1/a", "s2");
        assertThat(trace.turns()).extracting(Turn::turn).containsExactly(1, 1, 1);
    }

    @Test
    void theTailBehindTheLastFullBlockIsSharedWithNobody() throws IOException {
        Trace trace =
                TraceSource.read(trace(row("s", "null", 0, 200, "[[1,3]]"), row("s", "null", 9, 200, "[[1,2],[3,1]]")));
        Turn a = trace.turns().get(0);
        Turn b = trace.turns().get(1);
        assertThat(a.prompt().tokens()).isEqualTo(200);
        assertThat(a.prompt().commonPrefix(b.prompt())).isEqualTo(192);
        assertThat(b.prompt().spans()).isEqualTo(2);
    }

    @Test
    void theGapIsTheThinkTimeElseWhatTheClockSays() throws IOException {
        Trace trace = TraceSource.read(
                trace(
                        "{\"session\":\"s\",\"agent\":null,\"t\":0.0,\"in\":64,\"out\":0,\"blocks\":[[1,1]],\"api_time\":7.34,\"think_time\":0.0}",
                        "{\"session\":\"s\",\"agent\":null,\"t\":19.0,\"in\":64,\"out\":5,\"blocks\":[[1,1]],\"api_time\":30.5,\"ttft\":2.25,\"think_time\":12.0}",
                        "{\"session\":\"s\",\"agent\":null,\"t\":40.0,\"in\":64,\"out\":5,\"blocks\":[[1,1]]}",
                        "{\"session\":\"s\",\"agent\":null,\"t\":50.0,\"in\":64,\"out\":5,\"blocks\":[[1,1]]}",
                        "{\"session\":\"s\",\"agent\":null,\"t\":70.0,\"in\":64,\"out\":5,\"blocks\":[[1,1]],\"api_time\":1,\"think_time\":null}"));
        assertThat(trace.turns())
                .extracting(Turn::gapNanos)
                .containsExactly(-1L, 12_000_000_000L, 0L, 10_000_000_000L, 20_000_000_000L);
        assertThat(trace.turns().get(0).outputTokens()).isEqualTo(1);
        assertThat(trace.turns().get(1).recorded().ttftNanos()).isEqualTo(2_250_000_000L);
        assertThat(trace.turns().get(1).recorded().durationNanos()).isEqualTo(30_500_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[1,2]] | field 'blocks': expected 3 full blocks for in 200 in blocks of 64, found 2",
                "[[1,4]] | field 'blocks': expected 3 full blocks for in 200 in blocks of 64, found 4",
                "[[1,3,9]] | field 'blocks': expected runs of [first id, count]",
                "[[1]] | field 'blocks': expected runs of [first id, count]",
                "[1,3] | field 'blocks': expected a list, found 1",
                "[[1,0],[1,3]] | field 'blocks': expected a whole number from 1",
                "[[67108863,2],[1,1]] | field 'blocks': expected a whole number from 1 to 1, found 2"
            })
    void wrongRunsAreReported(String blocks, String message) throws IOException {
        String source = trace(row("s", "null", 0, 200, blocks));
        assertThatThrownBy(() -> TraceSource.read(source))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("c.jsonl line 1: " + message);
    }

    private static String row(String session, String agent, double t, int in, String blocks) {
        return "{\"session\":\"" + session + "\",\"agent\":" + agent + ",\"t\":" + t + ",\"in\":" + in
                + ",\"out\":5,\"blocks\":" + blocks + "}";
    }
}
