package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Talk;
import dev.warmroute.recorder.Talk.Told;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordedTurnsTest {
    private static final long T0 = Traffic.START_US;

    @TempDir
    Path temp;

    private final List<RecordedEvent> events = new ArrayList<>();
    private final Traffic traffic = new Traffic("random", 2, 2, 1, 1, events::add);
    private final Talk talk = new Talk(traffic);

    private List<Turn> turns() {
        return TraceSource.read(written().toString()).turns();
    }

    private Path written() {
        Path dir = temp.resolve("t");
        try (TraceWriter writer = TraceWriter.open(dir, "0.1.0", "", "", new Limits(40, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        return dir;
    }

    private static int[] plus(int[] a, int[] b) {
        int[] out = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, out, a.length, b.length);
        return out;
    }

    private static int[] tokens(SplittableRandom random, int n) {
        return random.ints(n, 0, 1 << 20).toArray();
    }

    private static int truth(int[] a, int[] b) {
        int mismatch = Arrays.mismatch(a, b);
        return mismatch < 0 ? a.length : mismatch;
    }

    private static Prompt withAnswer(Turn t) {
        return Prompt.builder()
                .all(t.prompt())
                .span(t.outputStart(), t.outputTokens())
                .build();
    }

    /** Prompts share what their tokens share: to the token in a conversation, to the block between conversations. */
    @ParameterizedTest
    @EnumSource(
            value = Told.class,
            names = {"TOKENS", "BYTES"})
    void hashedPromptsShareWhatTheirTokensShare(Told told) {
        SplittableRandom random = new SplittableRandom(told.ordinal());
        int[] system = tokens(random, 150);
        int[][] history = new int[4][];
        List<int[]> prompts = new ArrayList<>();
        List<int[]> answered = new ArrayList<>();
        List<Integer> speakers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int s = random.nextInt(history.length);
            int[] said = tokens(random, 1 + random.nextInt(90));
            int[] prompt = plus(history[s] == null ? system : history[s], said);
            int[] answer = tokens(random, 1 + random.nextInt(60));
            long at = T0 + i * 1000L;
            Session session = Talk.session("s" + s);
            talk.decided("q" + i, session, at, prompt.length);
            talk.prompt("q" + i, session, prompt, told);
            talk.completed("q" + i, session, at, at + 500, prompt.length, answer.length, 200);
            history[s] = plus(prompt, answer);
            prompts.add(prompt);
            answered.add(history[s]);
            speakers.add(s);
        }
        List<Turn> turns = turns();
        assertThat(turns).hasSize(60);
        for (int i = 0; i < 60; i++) {
            assertThat(turns.get(i).prompt().tokens()).isEqualTo(prompts.get(i).length);
            for (int j = i + 1; j < 60; j++) {
                int shared = withAnswer(turns.get(i)).commonPrefix(turns.get(j).prompt());
                int truly = truth(answered.get(i), prompts.get(j));
                if (speakers.get(i).equals(speakers.get(j))) {
                    assertThat(shared)
                            .as("turns %s and %s of one conversation", i, j)
                            .isEqualTo(truly);
                } else {
                    assertThat(shared).as("turns %s and %s of two", i, j).isEqualTo(truly / 16 * 16);
                }
            }
        }
    }

    @Test
    void aPromptThatLeavesItsHistorySharesOnlyTheBlocksItKeeps() {
        SplittableRandom random = new SplittableRandom(3);
        int[] first = tokens(random, 100);
        int[] compacted = plus(Arrays.copyOf(first, 40), tokens(random, 200));
        Session s = Talk.session("s");
        talk.decided("a", s, T0, 100);
        talk.prompt("a", s, first, Told.TOKENS);
        talk.completed("a", s, T0, T0 + 500, 100, 20, 200);
        talk.decided("b", s, T0 + 1000, 240);
        talk.prompt("b", s, compacted, Told.TOKENS);
        talk.completed("b", s, T0 + 1000, T0 + 1500, 240, 20, 200);
        List<Turn> turns = turns();
        assertThat(turns.get(0).prompt().commonPrefix(turns.get(1).prompt())).isEqualTo(32);
        assertThat(withAnswer(turns.get(0)).commonPrefix(turns.get(1).prompt())).isEqualTo(32);
    }

    @Test
    void theSameConversationHeldTwiceIsTheSameTokens() {
        SplittableRandom random = new SplittableRandom(4);
        int[] first = tokens(random, 100);
        int[] second = plus(first, tokens(random, 96));
        for (String who : List.of("s1", "s2")) {
            Session s = Talk.session(who);
            talk.decided(who + "a", s, T0, 100);
            talk.prompt(who + "a", s, first, Told.TOKENS);
            talk.completed(who + "a", s, T0, T0 + 500, 100, 20, 200);
            talk.decided(who + "b", s, T0 + 1000, 196);
            talk.prompt(who + "b", s, second, Told.TOKENS);
            talk.completed(who + "b", s, T0 + 1000, T0 + 1500, 196, 20, 200);
        }
        List<Turn> turns = turns();
        assertThat(turns.get(1).prompt().commonPrefix(turns.get(3).prompt())).isEqualTo(192);
    }

    @Test
    void withoutBlocksTheHistoryIsApproximatedByLengths() {
        Session s = Talk.session("s");
        talk.decided("a", s, T0, 100);
        talk.completed("a", s, T0, T0 + 500, 100, 20, 200);
        talk.decided("b", s, T0 + 1000, 150);
        talk.completed("b", s, T0 + 1000, T0 + 1500, 150, 30, 200);
        talk.decided("c", s, T0 + 2000, 90);
        talk.completed("c", s, T0 + 2000, T0 + 2500, 90, 5, 200);
        talk.decided("x", Talk.session(""), T0 + 3000, 90);
        talk.completed("x", Talk.session(""), T0 + 3000, T0 + 3500, 90, 5, 200);
        List<Turn> t = turns();
        assertThat(withAnswer(t.get(0)).commonPrefix(t.get(1).prompt())).isEqualTo(120);
        assertThat(t.get(1).prompt().commonPrefix(t.get(2).prompt())).isEqualTo(90);
        assertThat(t.get(3).hasSession()).isFalse();
        assertThat(t.get(3).prompt().commonPrefix(t.get(2).prompt())).isZero();
        assertThat(t).extracting(Turn::turn).containsExactly(1, 2, 3, 0);
    }

    @Test
    void gapsTimesAndWhatWasMeasuredAreKept() {
        Session main = Talk.session("s");
        Session agent = new Session(Optional.of("s"), "x", Optional.of("explore"), Optional.empty(), Optional.empty());
        talk.decided("a", main, T0 + 100, 100);
        talk.decided("b", agent, T0 + 200, 50);
        talk.completed("b", agent, T0 + 200, T0 + 300, 50, 5, 200);
        talk.completed("a", main, T0 + 100, T0 + 600, 100, 20, 200);
        talk.decided("c", main, T0 + 2600, 140);
        talk.completed("c", main, T0 + 2600, T0 + 3000, 140, 20, 200);
        List<Turn> t = turns();
        assertThat(t).extracting(Turn::index).containsExactly(0, 1, 2);
        assertThat(t).extracting(Turn::affinityKey).containsExactly("s", "s/explore", "s");
        assertThat(t).extracting(Turn::arrivalNanos).containsExactly(0L, 100_000L, 2_500_000L);
        assertThat(t).extracting(Turn::gapNanos).containsExactly(-1L, -1L, 2_000_000L);
        assertThat(t.get(0).recorded()).isEqualTo(new Turn.Recorded(1, 50, 490_000, 500_000));
    }

    @Test
    void whatTheEngineDidNotSayIsEstimatedAndWhatFailedIsLeftOut() {
        Session s = Talk.session("s");
        talk.decided("a", s, T0, 77);
        talk.completed("a", s, T0, T0 + 500, -1, -1, 200);
        talk.decided("failed", s, T0 + 600, 77);
        talk.completed("failed", s, T0 + 600, T0 + 700, -1, -1, 503);
        talk.decided("open", s, T0 + 1000, 150);
        Path dir = written();
        TraceSource.Trace trace = TraceSource.read(dir.toString());
        assertThat(trace.turns()).hasSize(2);
        assertThat(trace.turns().get(0).prompt().tokens()).isEqualTo(77);
        assertThat(trace.turns().get(0).outputTokens()).isEqualTo(1);
        assertThat(trace.turns().get(0).recorded().cachedTokens()).isEqualTo(Turn.UNKNOWN);
        assertThat(trace.turns().get(1).prompt().tokens()).isEqualTo(150);
        assertThat(trace.turns().get(1).recorded()).isEqualTo(new Turn.Recorded(1, -1, -1, -1));
        assertThat(trace.description())
                .extracting(
                        TraceDescription::format,
                        TraceDescription::rows,
                        TraceDescription::skipped,
                        TraceDescription::hasGaps)
                .containsExactly("recording", 2L, 1L, true);
        assertThat(trace.description().sha256()).hasSize(64);
    }

    @Test
    void everyServedRequestOfAHealthyRecordingIsATurn() {
        events.clear();
        new Traffic("warden", 4, 3, 25, 5, events::add).run(800);
        List<Turn> turns = turns();
        long served = events.stream()
                .filter(e -> e.type().equals("request.completed.v1"))
                .filter(e -> new String(e.data(), java.nio.charset.StandardCharsets.UTF_8).contains("\"status\":200"))
                .count();
        assertThat(turns).hasSize((int) served);
        assertThat(turns).allSatisfy(t -> assertThat(t.recorded().replica()).isBetween(0, 3));
    }

    @Test
    void severalModelsAreNotMixed() {
        talk.decided("a", Talk.session("s"), T0, 10);
        RecordedEvent first = events.getLast();
        String other = new String(first.data(), java.nio.charset.StandardCharsets.UTF_8)
                .replace("\"model\":\"m\"", "\"model\":\"n\"");
        events.add(new RecordedEvent(
                first.topic(),
                first.partition(),
                first.offset() + 1,
                first.timestampMs(),
                first.key(),
                first.id(),
                first.type(),
                first.source(),
                first.subject(),
                first.time(),
                first.sequence() + 1,
                first.saltId(),
                other.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Path dir = written();
        assertThatThrownBy(() -> TraceSource.read(dir.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("several models: m, n; say which one");
        try (RecordedTurns n = RecordedTurns.open(Recording.open(dir), "n")) {
            assertThat(n.hasNext()).isTrue();
        }
    }
}
