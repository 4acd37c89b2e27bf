package dev.warmroute.recorder.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceStep;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceJoinTest {
    private static final List<RecordedEvent> ALL = Traffic.events("warden", 4, 3, 25, 800, 6);

    @TempDir
    Path temp;

    private Recording part(String name, Predicate<RecordedEvent> which) {
        return Traces.written(temp.resolve(name), ALL.stream().filter(which).toList());
    }

    private TraceManifest join(Recording... parts) {
        return TraceJoin.run(List.of(parts), temp.resolve("joined"), "0.1.0");
    }

    private void requireWhole() {
        assertThat(Traces.events(temp.resolve("joined"))).isEqualTo(ALL);
        Verification v = Traces.verify(temp.resolve("joined"));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(v.decisions()).isEqualTo(800);
    }

    @Test
    void recordersThatSharedThePartitionsMakeOneTraceOfTheSameFiles() {
        Recording a = part("a", e -> (e.partition() + e.topic().ordinal()) % 2 == 0);
        Recording b = part("b", e -> (e.partition() + e.topic().ordinal()) % 2 == 1);
        assertThat(a.manifest().missing()).isNotEmpty();
        TraceManifest m = join(a, b);
        requireWhole();
        assertThat(m.missing()).isEmpty();
        assertThat(m.segments())
                .extracting(Segment::sha256)
                .containsExactlyInAnyOrderElementsOf(java.util.stream.Stream.of(a, b)
                        .flatMap(r -> r.manifest().segments().stream())
                        .map(Segment::sha256)
                        .toList());
        assertThat(m.history().getLast().sources()).containsExactly(a.sha256(), b.sha256());
    }

    @Test
    void onePartitionThatWentFromOneRecorderToTheOtherHasNoGap() {
        long half = ALL.stream()
                        .filter(e -> e.topic() == Topic.DECISIONS && e.partition() == 0)
                        .count()
                / 2;
        Predicate<RecordedEvent> first = e -> e.topic() != Topic.DECISIONS || e.partition() != 0 || e.offset() < half;
        join(part("a", first), part("b", first.negate()));
        requireWhole();
    }

    @Test
    void recordingsThatOverlapHoldEachEventOnce() {
        int n = ALL.size();
        join(part("a", e -> ALL.indexOf(e) < 2 * n / 3), part("b", e -> ALL.indexOf(e) > n / 3));
        requireWhole();
    }

    @Test
    void whatNoneOfThemHasIsListedAsMissingAndAsAGap() {
        RecordedEvent gone = ALL.stream()
                .filter(e -> e.topic() == Topic.REQUESTS && e.partition() == 1)
                .skip(20)
                .findFirst()
                .orElseThrow();
        Recording a = part("a", e -> e != gone && ALL.indexOf(e) < ALL.size() / 2 + 100);
        Recording b = part("b", e -> e != gone && ALL.indexOf(e) > ALL.size() / 2);
        TraceManifest m = join(a, b);
        assertThat(m.missing())
                .containsExactly(new Missing("router-1", Traffic.START_US / 1000, gone.sequence(), gone.sequence()));
        assertThat(m.offsetGaps())
                .containsExactly(new OffsetGap("requests", 1, gone.offset(), gone.offset(), OffsetGap.Reason.GONE));
        assertThat(Traces.check(Traces.verify(temp.resolve("joined")), "sequences")
                        .ok())
                .isFalse();
    }

    @Test
    void theTwoHalvesOfACutMakeTheWholeAgain() {
        Recording whole = part("t", e -> true);
        long at = ALL.get(ALL.size() / 2).timeUs();
        new TraceCut(OptionalLong.empty(), OptionalLong.of(at), Set.of(), Set.of())
                .run(whole, temp.resolve("a"), "0.1.0");
        new TraceCut(OptionalLong.of(at), OptionalLong.empty(), Set.of(), Set.of())
                .run(whole, temp.resolve("b"), "0.1.0");
        TraceManifest m = join(Recording.open(temp.resolve("a")), Recording.open(temp.resolve("b")));
        requireWhole();
        assertThat(m.history()).extracting(TraceStep::action).containsExactly("cut", "cut", "join");
    }

    @Test
    void tracesThatDoNotBelongTogetherAreRefusedInWords() {
        Recording a = part("a", e -> true);
        try (TraceWriter writer = TraceWriter.open(temp.resolve("other"), "0.1.0", "d", "w", Limits.DEFAULT)) {
            ALL.forEach(writer::append);
        }
        assertThatThrownBy(() -> join(a, Recording.open(temp.resolve("other"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("offsets of different topics do not make one trace");
        Recording changed = Traces.written(
                temp.resolve("changed"),
                ALL.stream()
                        .map(e -> e != ALL.get(50) ? e : e.withData(new byte[] {'{', '}'}))
                        .toList());
        assertThatThrownBy(() -> join(a, changed))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("at " + ALL.get(50).place())
                .hasMessageContaining("the same with other content");
        assertThat(temp.resolve("joined").resolve(TraceManifest.FILE)).doesNotExist();
        assertThatThrownBy(() -> join(a)).isInstanceOf(UserError.class).hasMessageContaining("at least two");
    }
}
