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
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.policy.Policies;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        try (TraceWriter writer = TraceWriter.open(temp.resolve("t"), "0.1.0", "", "", new Limits(400, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        return TraceVerifier.verify(Recording.open(temp.resolve("t")));
    }

    private static Check check(Verification v, String name) {
        return v.checks().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }

    /** The events with one edited: the n-th that the predicate takes. */
    private static List<RecordedEvent> edited(Predicate<ObjectNode> which, int n, Consumer<ObjectNode> edit) {
        List<RecordedEvent> out = new ArrayList<>();
        int seen = 0;
        for (RecordedEvent e : WARDEN) {
            ObjectNode json = json(e);
            json.put("_topic", e.topic().name());
            boolean hit = which.test(json) && seen++ == n;
            json.remove("_topic");
            if (hit) {
                edit.accept(json);
                out.add(with(e, e.offset(), json.toString()));
            } else {
                out.add(e);
            }
        }
        assertThat(seen).as("events to choose from").isGreaterThan(n);
        return out;
    }

    private static ObjectNode json(RecordedEvent e) {
        try {
            return (ObjectNode) EventCodec.mapper().readTree(e.data());
        } catch (IOException x) {
            throw new UncheckedIOException(x);
        }
    }

    private static RecordedEvent with(RecordedEvent e, long offset, String json) {
        return new RecordedEvent(
                e.topic(), e.partition(), offset, e.timestampMs(), e.key(), e.id(), e.type(), e.source(), e.subject(), e.time(),
                e.sequence(), e.saltId(), json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static Predicate<ObjectNode> kind(String kind) {
        return j -> kind.equals(j.path("kind").asText());
    }

    private static ObjectNode candidate(ObjectNode decision, int i) {
        return (ObjectNode) decision.get("candidates").get(i);
    }

    private void assertCaught(List<RecordedEvent> events, String check, String field) {
        Verification v = verify(events);
        assertThat(check(v, check).ok()).as(check).isFalse();
        assertThat(v.ok()).isFalse();
        assertThat(v.differences()).extracting(Difference::check, Difference::field).contains(org.assertj.core.groups.Tuple.tuple(check, field));
        Difference first = v.differences().stream().filter(d -> d.check().equals(check)).findFirst().orElseThrow();
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
        second.forEach(e -> both.add(with(
                e, e.offset() + ends.getOrDefault(e.topic() + "/" + e.partition(), 0L),
                new String(e.data(), java.nio.charset.StandardCharsets.UTF_8))));
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
    void aChangedScoreIsCaught() {
        assertCaught(
                edited(j -> j.path("candidates").path(0).path("score").isNumber(), 3, j -> candidate(j, 0)
                        .put("score", candidate(j, 0).get("score").asDouble() + 0.001)),
                "decisions",
                "candidates[r0].score");
    }

    @Test
    void anotherReplicaIsCaughtAndTheEventNamed() {
        List<RecordedEvent> events = edited(kind("sticky"), 10, j -> j.put("chosen", j.get("chosen").asText().equals("r0") ? "r1" : "r0"));
        Verification v = verify(events);
        Difference d = v.differences().getFirst();
        RecordedEvent culprit = events.stream().filter(e -> !WARDEN.contains(e)).findFirst().orElseThrow();
        assertThat(v.mismatches()).isEqualTo(1);
        assertThat(d.event()).isEqualTo(culprit.id());
        assertThat(d.place()).isEqualTo(culprit.place());
        assertThat(d.toString()).contains("decisions: event " + culprit.id()).contains("chosen is r").contains("derived r");
    }

    @Test
    void aWrongKindIsCaught() {
        assertCaught(edited(kind("placed"), 2, j -> j.put("kind", "moved")), "decisions", "kind");
    }

    @Test
    void aWrongPropensityIsCaught() {
        assertCaught(edited(kind("sticky"), 2, j -> j.put("propensity", 0.5)), "decisions", "propensity");
    }

    @Test
    void aWrongThresholdIsCaught() {
        assertCaught(edited(kind("sticky"), 2, j -> j.put("threshold", 9.0)), "decisions", "threshold");
    }

    @Test
    void aWrongHomeAfterIsCaught() {
        assertCaught(edited(kind("placed"), 2, j -> j.remove("home_after")), "decisions", "home_after");
    }

    @Test
    void aWrongHomeBeforeIsCaught() {
        assertCaught(
                edited(kind("sticky"), 20, j -> {
                    String other = j.get("chosen").asText().equals("r0") ? "r1" : "r0";
                    j.put("home_before", other);
                    j.put("home_after", other);
                    j.put("chosen", other);
                }),
                "homes",
                "home_before");
    }

    @Test
    void aPolicyThatIsNotTheOneNamedIsCaught() {
        assertCaught(
                edited(kind("placed"), 2, j -> ((ObjectNode) j.get("policy").get("config")).put("live_weight", "2.0")),
                "decisions",
                "policy.config_hash");
    }

    @Test
    void aPolicyOfAnotherVersionIsNotTakenForThisOne() {
        assertCaught(edited(kind("placed"), 2, j -> ((ObjectNode) j.get("policy")).put("version", 99)), "decisions", "policy");
    }

    @Test
    void aWrongInFlightFigureIsCaught() {
        assertCaught(
                edited(kind("balanced"), 5, j -> candidate(j, 2).put("in_flight", candidate(j, 2).get("in_flight").asInt() + 1)),
                "in_flight",
                "candidates[r2].in_flight");
    }

    @Test
    void aChangedDeltaIsCaught() {
        assertCaught(
                edited(j -> j.path("deltas").has("prompt_tokens"), 3, j -> ((ObjectNode) j.get("deltas"))
                        .put("prompt_tokens", j.get("deltas").get("prompt_tokens").asDouble() + 1)),
                "counters",
                "deltas[prompt_tokens]");
    }

    @Test
    void aLoweredCounterIsCaught() {
        assertCaught(
                edited(j -> j.path("deltas").has("prompt_tokens"), 3, j -> ((ObjectNode) j.get("totals")).put("prompt_tokens", 10.0)),
                "counters",
                "totals[prompt_tokens]");
    }

    @Test
    void cachedTokensThatTheEngineDidNotCountAreCaught() {
        assertCaught(
                edited(j -> j.path("cached_tokens").asInt() > 100, 30, j -> j.put("cached_tokens", j.get("cached_tokens").asInt() - 16)),
                "tokens",
                "prompt_tokens_cached since the replica was idle");
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
        RecordedEvent gone = WARDEN.stream().filter(e -> e.topic() == Topic.DECISIONS).skip(40).findFirst().orElseThrow();
        Verification v = verify(WARDEN.stream()
                .filter(e -> e != gone)
                .map(e -> e.sequence() < gone.sequence() ? e : renumbered(e, e.sequence() - 1))
                .toList());
        assertThat(check(v, "sequences").ok()).isTrue();
        assertThat(check(v, "in_flight").ok()).isFalse();
        assertThat(v.differences()).anySatisfy(d -> {
            assertThat(d.check()).isEqualTo("completions");
            assertThat(d.subject()).isEqualTo(gone.subject());
            assertThat(d.field()).isEqualTo("decision");
        });
    }

    @Test
    void aMissingCompletionIsCaughtByTheSequence() {
        RecordedEvent gone = WARDEN.stream().filter(e -> e.topic() == Topic.REQUESTS).skip(40).findFirst().orElseThrow();
        Verification v = verify(WARDEN.stream().filter(e -> e != gone).toList());
        assertThat(check(v, "sequences").ok()).isFalse();
        assertThat(check(v, "sequences").detail()).contains("1 missing, the first being " + gone.sequence() + " of router-1");
    }

    @Test
    void aMissingCompletionIsCaughtByTheAccountsWhenTheSequenceWasMended() {
        RecordedEvent gone = WARDEN.stream().filter(e -> e.topic() == Topic.REQUESTS).skip(40).findFirst().orElseThrow();
        List<RecordedEvent> mended = WARDEN.stream()
                .filter(e -> e != gone)
                .map(e -> e.sequence() < gone.sequence() ? e : renumbered(e, e.sequence() - 1))
                .toList();
        Verification v = verify(mended);
        assertThat(check(v, "sequences").ok()).isTrue();
        assertThat(check(v, "completions").ok()).isFalse();
        assertThat(check(v, "in_flight").ok()).isFalse();
        assertThat(v.differences()).anySatisfy(d -> {
            assertThat(d.check()).isEqualTo("completions");
            assertThat(d.subject()).isEqualTo(gone.subject());
        });
    }

    private static RecordedEvent renumbered(RecordedEvent e, long sequence) {
        String id = e.id().substring(0, e.id().lastIndexOf('-') + 1) + sequence;
        return new RecordedEvent(
                e.topic(), e.partition(), e.offset(), e.timestampMs(), e.key(), id, e.type(), e.source(), e.subject(), e.time(),
                sequence, e.saltId(), e.data());
    }

    @Test
    void aDoubledEventIsCaught() {
        List<RecordedEvent> doubled = new ArrayList<>();
        RecordedEvent twice = WARDEN.stream().filter(e -> e.topic() == Topic.REQUESTS && e.partition() == 0).skip(9).findFirst().orElseThrow();
        for (RecordedEvent e : WARDEN) {
            boolean behind = e.topic() == Topic.REQUESTS && e.partition() == 0 && e.offset() > twice.offset();
            doubled.add(behind ? with(e, e.offset() + 1, new String(e.data(), java.nio.charset.StandardCharsets.UTF_8)) : e);
            if (e == twice) {
                doubled.add(with(e, e.offset() + 1, new String(e.data(), java.nio.charset.StandardCharsets.UTF_8)));
            }
        }
        assertCaught(doubled, "sequences", "ce_sequence");
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
        events.add(renumbered(with(completed, completed.offset() + 1, json(completed).toString()), later.sequence()));
        assertCaught(events, "completions", "completion");
    }

    @Test
    void swappedOrderIsCaught() {
        List<RecordedEvent> swapped = new ArrayList<>(WARDEN);
        List<RecordedEvent> lane = WARDEN.stream().filter(e -> e.topic() == Topic.DECISIONS && e.partition() == 1).toList();
        RecordedEvent a = lane.get(30);
        RecordedEvent b = lane.get(31);
        swapped.set(swapped.indexOf(a), with(b, a.offset(), json(b).toString()));
        swapped.set(swapped.indexOf(b), with(a, b.offset(), json(a).toString()));
        assertCaught(swapped, "sequences", "ce_sequence");
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
        traffic.publish(id -> new ControlEvent.EventsLost(7, from, to, Map.of("decisions", 10L, "requests", 10L), "full", id));
        for (int i = 0; i < 40; i++) {
            traffic.decide();
            traffic.complete();
        }
        for (int i = mark; i < events.size(); i++) {
            RecordedEvent e = events.get(i);
            long gone = lost.stream().filter(l -> l.topic() == e.topic() && l.partition() == e.partition()).count();
            events.set(i, with(e, e.offset() - gone, json(e).toString()));
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
