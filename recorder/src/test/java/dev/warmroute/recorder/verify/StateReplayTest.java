package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Talk;
import dev.warmroute.recorder.Talk.Told;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.Moment;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StateReplayTest {
    private static final EventCodec CODEC = new EventCodec();

    @TempDir
    Path temp;

    private Recording recording(List<RecordedEvent> events) {
        try (TraceWriter writer = TraceWriter.open(temp, "0.1.0", "", "", new Limits(200, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        return Recording.open(temp);
    }

    private static RouterState.Replica replica(RouterState state, String id) {
        return state.models().getFirst().replicas().stream()
                .filter(r -> r.replica().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Just before a decision the state is what that decision's event says its router saw. */
    private void requireWhatTheNextDecisionSaw(List<RecordedEvent> events) {
        Recording recording = recording(events);
        int compared = 0;
        for (int i = 60; i < events.size(); i += 41) {
            if (events.get(i).topic() != Topic.DECISIONS) {
                continue;
            }
            RecordedEvent before = events.get(i - 1);
            RoutingDecision next = (RoutingDecision) events.get(i).event(CODEC);
            RouterState state =
                    StateReplay.at(recording, new Moment.Event(before.topic(), before.partition(), before.offset()));
            assertThat(state.lastEvent()).isEqualTo(before.id());
            for (RoutingDecision.Candidate c : next.candidates()) {
                assertThat(replica(state, c.replica()).inFlight())
                        .as("%s at %s", c.replica(), before.place())
                        .isEqualTo(c.inFlight());
                compared++;
            }
            assertThat(state.inFlight())
                    .hasSize(next.candidates().stream()
                            .mapToInt(RoutingDecision.Candidate::inFlight)
                            .sum());
            next.homeBefore()
                    .ifPresent(home -> assertThat(state.homes())
                            .contains(new RouterState.Home(next.session().key(), next.model(), home)));
            assertThat(state.models().getFirst().policy()).contains(next.policy());
        }
        assertThat(compared).isGreaterThan(20);
    }

    @Test
    void justBeforeADecisionItIsWhatThatDecisionSaw() {
        requireWhatTheNextDecisionSaw(Traffic.events("warden", 4, 3, 25, 500, 5));
    }

    @Test
    void inFlightFiguresAreRightInATraceThatBeginsInTheMiddle() {
        List<RecordedEvent> events = Traffic.events("warden", 4, 2, 25, 500, 5);
        List<RecordedEvent> half = events.subList(events.size() / 2, events.size());
        Recording recording = recording(half);
        for (int i = 50; i < half.size(); i += 31) {
            if (half.get(i).topic() == Topic.DECISIONS) {
                RecordedEvent before = half.get(i - 1);
                RouterState state = StateReplay.at(
                        recording, new Moment.Event(before.topic(), before.partition(), before.offset()));
                for (RoutingDecision.Candidate c :
                        ((RoutingDecision) half.get(i).event(CODEC)).candidates()) {
                    assertThat(replica(state, c.replica()).inFlight()).isLessThanOrEqualTo(c.inFlight() + 16);
                }
            }
        }
        assertThat(StateReplay.at(recording, Moment.parse("+1h")).models())
                .as("it has stopped")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Topic.class)
    void itStopsAtAnEventOfAnyTopic(Topic topic) {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("warden", 2, 1, 5, 3, events::add);
        Talk talk = new Talk(traffic);
        traffic.started();
        for (String request : List.of("q1", "q2")) {
            traffic.scrape();
            talk.decided(request, Talk.session("s1"), Traffic.START_US, 64);
            talk.prompt(request, Talk.session("s1"), new int[64], Told.TOKENS);
            traffic.publish(id -> new Home("s1", "m", "r1", 1, "router-1", 5, OptionalLong.empty()));
            talk.completed(request, Talk.session("s1"), Traffic.START_US, Traffic.START_US + 900, 64, 5, 200);
        }
        RecordedEvent at =
                events.stream().filter(e -> e.topic() == topic).findFirst().orElseThrow();
        RouterState state = StateReplay.at(recording(events), new Moment.Event(topic, at.partition(), at.offset()));
        assertThat(state.lastEvent()).isEqualTo(at.id());
        assertThat(state.events()).isEqualTo(events.indexOf(at) + 1);
    }

    @Test
    void countersAgesReplicasAndHomesFollowWhatIsTold() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("warden", 2, 1, 5, 3, events::add);
        traffic.started();
        traffic.scrape();
        Talk talk = new Talk(traffic);
        talk.decided("q1", Talk.session("s1"), Traffic.START_US, 64);
        traffic.publish(id -> new Home("s1", "m", "r0", 1, "router-1", 5, OptionalLong.empty()));
        traffic.publish(id -> new Home("s2", "m", "r1", 1, "router-1", 5, OptionalLong.empty()));
        traffic.publish(id -> new ControlEvent.ReplicaDown(5, "r1", "no answer", id));
        Recording recording = recording(events);
        RouterState state = StateReplay.at(recording, Moment.parse("+1s"));
        assertThat(replica(state, "r1").usable()).isFalse();
        assertThat(replica(state, "r1").reason()).isEqualTo("no answer");
        assertThat(replica(state, "r0").homes()).isEqualTo(1);
        assertThat(replica(state, "r1").inFlight()).isEqualTo(1);
        assertThat(state.inFlight()).singleElement().satisfies(f -> {
            assertThat(f.request()).isEqualTo("q1");
            assertThat(f.session()).isEqualTo("s1");
            assertThat(f.replica()).isEqualTo("r1");
        });
        assertThat(state.engines()).hasSize(2).first().satisfies(e -> {
            assertThat(e.ageSeconds()).isBetween(0.9, 1.0);
            assertThat(e.totals()).containsEntry("prompt_tokens", 1000.0);
            assertThat(e.version()).isEqualTo(Optional.of("0.32.0"));
        });
        assertThat(state.routers())
                .singleElement()
                .satisfies(r -> assertThat(r.running()).isTrue());
    }

    @Test
    void anEmptyCacheHasNoHomesAndAForgottenConversationHasNone() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("warden", 2, 1, 5, 3, events::add);
        traffic.started();
        traffic.publish(id -> new Home("s1", "m", "r0", 1, "router-1", 5, OptionalLong.empty()));
        traffic.publish(id -> new Home("s2", "m", "r1", 1, "router-1", 5, OptionalLong.empty()));
        traffic.publish(id -> new Home("s3", "m", "r1", 1, "router-1", 5, OptionalLong.empty()));
        traffic.publish(id -> new Home("s4", "m", "r2", 1, "router-1", 5, OptionalLong.empty()));
        RecordedEvent last = events.getLast();
        events.add(new RecordedEvent(
                last.topic(),
                0,
                last.offset() + 1,
                last.timestampMs(),
                "s2@m",
                "",
                "home.v1",
                "",
                "s2",
                last.time(),
                -1,
                "",
                new byte[0]));
        traffic.publish(id -> new ControlEvent.ReplicaEpoch(6, "r0", 1, 1, id));
        traffic.publish(id -> new ControlEvent.PrefixCacheCleared(6, "r1", "busy", id));
        traffic.publish(id -> new ControlEvent.PrefixCacheCleared(6, "r2", "cleared", id));
        assertThat(StateReplay.at(recording(events), Moment.parse("+1s")).homes())
                .containsExactly(new RouterState.Home("s3", "m", "r1"));
    }

    @Test
    void beforeTheFirstEventThereIsNoState() {
        Recording recording = recording(Traffic.events("warden", 2, 1, 5, 20, 3));
        assertThatThrownBy(() -> StateReplay.at(recording, Moment.parse("2001-01-01T00:00:00Z")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("had no event by then: it begins at 2026-");
    }
}
