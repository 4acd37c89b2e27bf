package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.recorder.verify.Verification.Difference;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.policy.Policies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraceVerifierTest {
    private static final List<RecordedEvent> WARDEN = Traffic.events("warden", 4, 3, 25, 800, 5);

    @TempDir
    Path temp;

    private Verification verify(List<RecordedEvent> events) {
        try (TraceWriter writer =
                TraceWriter.open(temp.resolve("t"), "0.1.0", "", "", new Limits(400, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        return TraceVerifier.verify(Recording.open(temp.resolve("t")));
    }

    private static Check check(Verification v, String name) {
        return v.checks().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The events with one edited: the n-th that the predicate takes. */
    private static List<RecordedEvent> edited(Predicate<ObjectNode> which, int n, Consumer<ObjectNode> edit) {
        RecordedEvent victim = Edits.nth(WARDEN, which, n);
        return Edits.replaced(WARDEN, victim, Edits.with(victim, edit));
    }

    private static Predicate<ObjectNode> kind(String kind) {
        return j -> kind.equals(j.path("kind").asText());
    }

    private void assertCaught(List<RecordedEvent> events, String check, String field) {
        Verification v = verify(events);
        assertThat(check(v, check).ok()).as(check).isFalse();
        assertThat(v.ok()).isFalse();
        assertThat(v.differences())
                .extracting(Difference::check, Difference::field)
                .contains(org.assertj.core.groups.Tuple.tuple(check, field));
        Difference first = v.differences().stream()
                .filter(d -> d.check().equals(check))
                .findFirst()
                .orElseThrow();
        assertThat(first.event()).startsWith("router-1-");
        if (check.equals("decisions")) {
            assertThat(v.mismatches()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Policies.class)
    void aCleanRecordingHasNoDifferenceUnderAnyPolicy(Policies policy) {
        Verification v = verify(Traffic.events(policy.policyName(), 5, 3, 30, 1500, policy.ordinal()));
        assertThat(v.differences()).isEmpty();
        assertThat(v.ok()).as("%s", v.checks()).isTrue();
        assertThat(v.decisions()).isEqualTo(1500);
        assertThat(v.mismatches()).isZero();
        assertThat(check(v, "in_flight").detail()).startsWith("7500 figures compared, 0 differ");
        assertThat(check(v, "tokens").detail()).matches("[1-9]\\d+ sums compared to the token.* 0 differ");
        assertThat(check(v, "completions").detail()).startsWith("1500 requests completed, 0 not exactly once");
    }

    @Test
    void severalRoutersAtATimeAreEachInOrder() {
        List<RecordedEvent> both = new ArrayList<>();
        new Traffic("warden", 4, 2, 20, 1, "a", both::add).run(500);
        List<RecordedEvent> second = new ArrayList<>();
        new Traffic("random", 4, 2, 20, 2, "b-2", second::add).run(500);
        // the second router's records lie behind the first one's in the same partitions
        Map<String, Long> ends = new java.util.HashMap<>();
        both.forEach(e -> ends.merge(e.topic() + "/" + e.partition(), e.offset() + 1, Math::max));
        second.forEach(e ->
                both.add(Edits.moved(e, e.offset() + ends.getOrDefault(e.topic() + "/" + e.partition(), 0L))));
        Verification v = verify(both);
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(v.decisions()).isEqualTo(1000);
        assertThat(check(v, "homes").detail()).contains("2 routers");
    }

    @Test
    void aRecordingThatBeginsInTheMiddleIsCheckedFromThereOn() {
        Verification v = verify(WARDEN.subList(WARDEN.size() / 3, WARDEN.size()));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(check(v, "completions").detail()).contains("not to be told because events are missing");
    }

    @Test
    void aRecordingThatEndsInTheMiddleSaysWhatWasInFlight() {
        Verification v = verify(WARDEN.subList(0, WARDEN.size() / 2));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(check(v, "completions").detail()).contains("in flight at the end");
    }

    @Test
    void aPolicyThatIsNotTheOneNamedIsCaught() {
        assertCaught(
                edited(kind("placed"), 2, j -> ((ObjectNode) j.get("policy").get("config")).put("live_weight", "2.0")),
                "decisions",
                "policy.config_hash");
    }

    @Test
    void anEngineThatCountedLessThanWasReportedIsCaughtWhileItIsBusy() {
        Verification v = verify(edited(
                j -> j.path("totals").path("prompt_tokens").asInt() > 200_000,
                1,
                j -> ((ObjectNode) j.get("totals")).put("prompt_tokens", 1001.0)));
        assertThat(v.differences()).anySatisfy(d -> {
            assertThat(d.check()).isEqualTo("tokens");
            assertThat(d.derived()).contains(" or more, as the requests report");
        });
    }

    @Test
    void requestsThatReportNothingLeaveALowerBound() {
        Verification v = verify(edited(j -> j.has("cached_tokens"), 30, j -> j.remove("cached_tokens")));
        assertThat(check(v, "tokens").ok()).as("%s", v.differences()).isTrue();
        assertThat(check(v, "tokens").detail()).startsWith("6 sums compared to the token between idle moments");
    }

    @Test
    void aRemovedDecisionIsCaughtThoughTheSequenceWasMended() {
        RecordedEvent gone = WARDEN.stream()
                .filter(e -> e.topic() == Topic.DECISIONS)
                .skip(40)
                .findFirst()
                .orElseThrow();
        Verification v = verify(Edits.withoutTrace(WARDEN, gone));
        assertThat(check(v, "sequences").ok()).isTrue();
        assertThat(check(v, "in_flight").ok()).isFalse();
        assertThat(v.differences()).anySatisfy(d -> {
            assertThat(d.check()).isEqualTo("completions");
            assertThat(d.subject()).isEqualTo(gone.subject());
            assertThat(d.field()).isEqualTo("decision");
        });
    }

    @Test
    void aRequestCompletedTwiceUnderTwoNumbersIsCaught() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("random", 2, 1, 3, 9, events::add);
        traffic.started();
        traffic.decide();
        traffic.complete();
        RecordedEvent completed = events.getLast();
        traffic.decide();
        RecordedEvent later = events.removeLast();
        events.add(Edits.renumbered(Edits.moved(completed, completed.offset() + 1), later.sequence()));
        assertCaught(events, "completions", "completion");
    }

    @Test
    void lossesThatWereAnnouncedAreNoFault() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("warden", 3, 2, 10, 4, events::add);
        traffic.started();
        for (int i = 0; i < 30; i++) {
            traffic.decide();
        }
        int before = events.size();
        long from = traffic.sequence();
        for (int i = 0; i < 10; i++) {
            traffic.decide();
            traffic.complete();
        }
        long to = traffic.sequence() - 1;
        // these twenty never reached Kafka: what follows moves up in its partition
        List<RecordedEvent> lost = List.copyOf(events.subList(before, events.size()));
        events.subList(before, events.size()).clear();
        int mark = events.size();
        traffic.publish(
                id -> new ControlEvent.EventsLost(7, from, to, Map.of("decisions", 10L, "requests", 10L), "full", id));
        for (int i = 0; i < 40; i++) {
            traffic.decide();
            traffic.complete();
        }
        for (int i = mark; i < events.size(); i++) {
            RecordedEvent e = events.get(i);
            long gone = lost.stream()
                    .filter(l -> l.topic() == e.topic() && l.partition() == e.partition())
                    .count();
            events.set(i, Edits.moved(e, e.offset() - gone));
        }
        Verification v = verify(events);
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(check(v, "sequences").detail()).contains("0 missing").contains("20 announced as lost");
        assertThat(check(v, "in_flight").detail()).contains("started anew 1 times");
    }

    @Test
    void anEventThatCannotBeReadIsNamed() {
        assertCaught(edited(kind("sticky"), 4, j -> j.put("kind", "teleported")), "readable", "data");
    }

    @Test
    void requestIdsAreASet() {
        RequestIdSet set = new RequestIdSet();
        for (int i = 0; i < 100_000; i++) {
            assertThat(set.add("0f1e2d3c4b5a6978-" + Integer.toHexString(i))).isTrue();
        }
        assertThat(set.size()).isEqualTo(100_000);
        assertThat(set.add("0f1e2d3c4b5a6978-ff")).isFalse();
        assertThat(set.contains("0f1e2d3c4b5a6978-ffffff")).isFalse();
    }
}
