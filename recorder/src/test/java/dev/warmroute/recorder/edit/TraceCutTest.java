package dev.warmroute.recorder.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Talk;
import dev.warmroute.recorder.Talk.Told;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceStep;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.event.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceCutTest {
    private static final EventCodec CODEC = new EventCodec();
    private static final List<RecordedEvent> ALL = Traffic.events("warden", 4, 3, 25, 800, 5);

    @TempDir
    Path temp;

    private TraceManifest cut(Recording source, TraceCut cut, String name) {
        return cut.run(source, temp.resolve(name), "0.1.0");
    }

    private static TraceCut times(long fromUs, long toUs) {
        return new TraceCut(OptionalLong.of(fromUs), OptionalLong.of(toUs), Set.of(), Set.of());
    }

    private static TraceCut sessions(String... sessions) {
        return new TraceCut(OptionalLong.empty(), OptionalLong.empty(), Set.of(sessions), Set.of());
    }

    private static long timeOf(int event) {
        return ALL.get(event).timeUs();
    }

    @Test
    void fromOneTimeToAnotherItHoldsExactlyWhatHappenedAndVerifies() {
        Recording source = Traces.written(temp.resolve("t"), ALL);
        long from = timeOf(ALL.size() / 3);
        long to = timeOf(2 * ALL.size() / 3);
        TraceManifest m = cut(source, times(from, to), "cut");
        assertThat(Traces.events(temp.resolve("cut")))
                .isEqualTo(ALL.stream()
                        .filter(e -> e.timeUs() >= from && e.timeUs() < to)
                        .toList());
        Verification v = Traces.verify(temp.resolve("cut"));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(Traces.check(v, "completions").detail())
                .contains("in flight at the end")
                .contains("not to be told");
        assertThat(m.missing()).isEmpty();
        TraceStep step = m.history().getLast();
        assertThat(step.action()).isEqualTo("cut");
        assertThat(step.detail()).startsWith("from 2026-").contains("; to 2026-");
        assertThat(step.sources()).containsExactly(source.sha256());
        assertThat(step.leftOut()).isEqualTo(LeftOut.EDGES);
        assertThat(step.accounting()).anySatisfy(a -> assertThat(a).startsWith("completions: what was decided before"));
    }

    @Test
    void whatIsMissingInTheMiddleOfACutIsAFault() {
        RecordedEvent gone = ALL.get(ALL.size() / 2);
        Recording source = Traces.written(
                temp.resolve("t"), ALL.stream().filter(e -> e != gone).toList());
        TraceManifest with = cut(source, times(timeOf(ALL.size() / 3), timeOf(2 * ALL.size() / 3)), "with");
        assertThat(with.missing())
                .containsExactly(new Missing("router-1", Traffic.START_US / 1000, gone.sequence(), gone.sequence()));
        assertThat(Traces.check(Traces.verify(temp.resolve("with")), "sequences")
                        .ok())
                .isFalse();
        TraceManifest without = cut(source, times(timeOf(0), timeOf(ALL.size() / 3)), "without");
        assertThat(without.missing()).isEmpty();
        assertThat(Traces.verify(temp.resolve("without")).ok()).isTrue();
    }

    @Test
    void numbersThatFallOutAtARaggedEdgeAreNamedAndNoFault() {
        // an event whose number is before the edge and whose time is behind it
        List<RecordedEvent> ragged = new java.util.ArrayList<>(ALL);
        int at = ALL.size() / 2;
        RecordedEvent late = ragged.get(at);
        ragged.set(
                at,
                new RecordedEvent(
                        late.topic(),
                        late.partition(),
                        late.offset(),
                        late.timestampMs(),
                        late.key(),
                        late.id(),
                        late.type(),
                        late.source(),
                        late.subject(),
                        ALL.get(at + 3).time(),
                        late.sequence(),
                        late.saltId(),
                        late.data()));
        Recording source = Traces.written(temp.resolve("t"), ragged);
        TraceManifest m = cut(source, times(timeOf(0), timeOf(at + 2)), "cut");
        assertThat(m.history().getLast().numbersLeftOut()).singleElement().satisfies(w -> {
            assertThat(w.ranges())
                    .singleElement()
                    .satisfies(r -> assertThat(r.from()).isEqualTo(late.sequence()));
        });
        assertThat(m.missing()).isEmpty();
        Verification v = Traces.verify(temp.resolve("cut"));
        assertThat(Traces.check(v, "sequences").ok()).isTrue();
        assertThat(Traces.check(v, "sequences").detail()).contains("1 cut away at the edges");
    }

    private static boolean about(RecordedEvent e, Predicate<String> session) {
        return switch (e.topic()) {
            case DECISIONS ->
                session.test(((RoutingDecision) e.event(CODEC)).session().hash().orElse(""));
            case REQUESTS ->
                session.test(
                        ((RequestCompleted) e.event(CODEC)).session().hash().orElse(""));
            default -> true;
        };
    }

    @Test
    void ofSomeConversationsItHoldsTheirRequestsAndWhatIsAboutAllAndVerifies() {
        Recording source = Traces.written(temp.resolve("t"), ALL);
        TraceManifest m = cut(source, sessions("s7", "s12"), "cut");
        List<RecordedEvent> cut = Traces.events(temp.resolve("cut"));
        assertThat(cut)
                .isEqualTo(ALL.stream()
                        .filter(e -> about(e, s -> s.startsWith("s7") || s.startsWith("s12")))
                        .toList());
        Verification v = Traces.verify(temp.resolve("cut"));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(v.decisions()).isPositive().isLessThan(200);
        assertThat(Traces.check(v, "in_flight").tolerance()).startsWith("lower bound");
        assertThat(Traces.check(v, "tokens").tolerance()).startsWith("lower bound");
        assertThat(Traces.check(v, "completions").tolerance()).isEqualTo("0");
        assertThat(m.leftOut()).isEqualTo(LeftOut.OTHERS);
        assertThat(m.history().getLast().numbersLeftOut()).isEmpty();
    }

    @Test
    void anAccountThatDoesNotBalanceIsFoundInACutOfConversationsToo() {
        RecordedEvent gone = ALL.stream()
                .filter(e -> e.topic() == Topic.REQUESTS && about(e, "s7"::equals))
                .skip(3)
                .findFirst()
                .orElseThrow();
        List<RecordedEvent> mended = ALL.stream()
                .filter(e -> e != gone)
                .map(e -> e.sequence() < gone.sequence() ? e : renumbered(e))
                .toList();
        cut(Traces.written(temp.resolve("t"), mended), sessions("s7"), "cut");
        Verification v = Traces.verify(temp.resolve("cut"));
        assertThat(Traces.check(v, "completions").ok()).isFalse();
        assertThat(v.differences()).anySatisfy(d -> {
            assertThat(d.check()).isEqualTo("completions");
            assertThat(d.subject()).isEqualTo(gone.subject());
        });
    }

    private static RecordedEvent renumbered(RecordedEvent e) {
        long sequence = e.sequence() - 1;
        return new RecordedEvent(
                e.topic(),
                e.partition(),
                e.offset(),
                e.timestampMs(),
                e.key(),
                e.id().substring(0, e.id().lastIndexOf('-') + 1) + sequence,
                e.type(),
                e.source(),
                e.subject(),
                e.time(),
                sequence,
                e.saltId(),
                e.data());
    }

    @Test
    void aCutOfACutKeepsTheWholeHistory() {
        cut(Traces.written(temp.resolve("t"), ALL), times(timeOf(100), timeOf(1500)), "a");
        TraceManifest m = cut(Recording.open(temp.resolve("a")), sessions("s3"), "b");
        assertThat(m.history()).extracting(TraceStep::leftOut).containsExactly(LeftOut.EDGES, LeftOut.OTHERS);
        Verification v = Traces.verify(temp.resolve("b"));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
    }

    /** Two conversations that take turns, each with a model of its own; their prompts name none. */
    private Recording ofTwoModels() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("warden", 2, 1, 5, 3, events::add);
        Talk talk = new Talk(traffic);
        traffic.started();
        for (int i = 0; i < 4; i++) {
            String request = (i % 2 == 0 ? "a" : "b") + i;
            Session session = Talk.session("s" + i % 2);
            talk.decided(request, session, Traffic.START_US, 64);
            talk.prompt(request, session, new int[64], Told.TOKENS);
            talk.completed(request, session, Traffic.START_US, Traffic.START_US + 900, 64, 5, 200);
        }
        return Traces.written(
                temp.resolve("two"),
                events.stream()
                        .map(e -> e.subject().startsWith("b") ? withModel(e) : e)
                        .toList());
    }

    private static RecordedEvent withModel(RecordedEvent e) {
        String data = new String(e.data(), StandardCharsets.UTF_8).replace("\"model\":\"m\"", "\"model\":\"other\"");
        return e.withData(data.getBytes(StandardCharsets.UTF_8));
    }

    private static TraceCut models(String... models) {
        return new TraceCut(OptionalLong.empty(), OptionalLong.empty(), Set.of(), Set.of(models));
    }

    @Test
    void ofAModelItHoldsTheRequestsWithTheirPromptsAndNoOtherModelsPrompts() {
        cut(ofTwoModels(), models("m"), "cut");
        assertThat(Traces.events(temp.resolve("cut")))
                .filteredOn(e -> e.topic() != Topic.CONTROL)
                .hasSize(6)
                .allSatisfy(e -> assertThat(e.subject()).startsWith("a"));
        cut(Recording.open(temp.resolve("two")), models("other"), "others");
        assertThat(Traces.events(temp.resolve("others")))
                .filteredOn(e -> e.topic() == Topic.PROMPTS)
                .extracting(RecordedEvent::subject)
                .containsExactly("b1", "b3");
    }

    @Test
    void eachModelThatMatchedNothingIsNamed() {
        assertThatThrownBy(() -> cut(ofTwoModels(), models("m", "typo", "none"), "x"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no request of a model none, nor of typo; its models are m, other");
    }

    @Test
    void aCutThatFailedLeavesNothingAndItsDirectoryCanBeNamedAgain() {
        Recording source = Traces.written(temp.resolve("t"), ALL);
        assertThatThrownBy(() -> cut(source, sessions("s7", "nobody"), "x")).isInstanceOf(UserError.class);
        assertThat(temp.resolve("x")).isEmptyDirectory();
        cut(source, sessions("s7"), "x");
        assertThat(Traces.verify(temp.resolve("x")).ok()).isTrue();
    }

    @Test
    void whatAKilledCutLeftWithoutSegmentsIsRemovedAndAnythingElseIsRefusedUntouched() throws IOException {
        Recording source = Traces.written(temp.resolve("t"), ALL);
        Path out = temp.resolve("x");
        Files.createDirectories(out.resolve("decisions"));
        Files.createDirectories(out.resolve("prompts"));
        Files.createFile(out.resolve(".lock"));
        Files.createFile(out.resolve("trace.json.tmp"));
        cut(source, sessions("s7"), "x");
        assertThat(Traces.verify(out).ok()).isTrue();
        assertThat(out.resolve("prompts")).as("there are no prompts").doesNotExist();
        assertThat(out.resolve("trace.json.tmp")).doesNotExist();

        Path kept = Files.createDirectories(temp.resolve("y/requests")).resolve("part-00001.parquet");
        Files.writeString(kept, "of a trace whose manifest is lost");
        assertThatThrownBy(() -> cut(source, sessions("s7"), "y"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("y is not empty: it holds " + Path.of("requests", "part-00001.parquet"));
        assertThat(kept).hasContent("of a trace whose manifest is lost");
        assertThat(temp.resolve("y/.lock")).doesNotExist();
    }

    @Test
    void whatCannotBeCutIsRefusedInWords() {
        Recording source = Traces.written(temp.resolve("t"), ALL);
        assertThatThrownBy(() -> cut(source, sessions("s7", "nobody"), "x"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no conversation nobody");
        assertThat(temp.resolve("x").resolve(TraceManifest.FILE)).doesNotExist();
        assertThatThrownBy(() -> cut(source, times(1, 2), "y"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no event from 1970-01-01T00:00:00.000001Z")
                .hasMessageContaining("it reaches from 2026-");
        assertThatThrownBy(() -> times(2, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--from must be before --to");
        assertThatThrownBy(() -> cut(source, sessions("s7"), "t"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("t is not empty");
    }
}
