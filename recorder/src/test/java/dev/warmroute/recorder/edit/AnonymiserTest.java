package dev.warmroute.recorder.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.warmroute.recorder.Talk;
import dev.warmroute.recorder.Talk.Told;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedTurns;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.session.Salt;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnonymiserTest {
    private static final Salt SALT = new Salt("a secret of thirty-two bytes, or so".getBytes(StandardCharsets.UTF_8));
    private static final Set<Policies> BY_ID = Set.of(
            Policies.CHWBL,
            Policies.CONSISTENT_HASH_RING,
            Policies.RAY_CONSISTENT_HASH,
            Policies.HASH,
            Policies.RENDEZVOUS,
            Policies.STICKY_LEAST_SESSIONS);

    @TempDir
    Path temp;

    private TraceManifest anonymised(List<RecordedEvent> events) {
        return Anonymiser.run(Traces.written(temp.resolve("t"), events), SALT, temp.resolve("out"), "0.1.0");
    }

    @ParameterizedTest
    @EnumSource(Policies.class)
    void underAnyPolicyItVerifiesAsBeforeOrSaysWhichDecisionsCannotBeDerived(Policies policy) {
        TraceManifest m = anonymised(Traffic.events(policy.policyName(), 5, 2, 30, 150, policy.ordinal()));
        Verification v = Traces.verify(temp.resolve("out"));
        assertThat(v.ok()).as("%s %s", v.checks(), v.differences()).isTrue();
        assertThat(v.decisions()).isEqualTo(150);
        assertThat(Traces.check(v, "completions").detail()).startsWith("150 requests completed, 0 not exactly once");
        assertThat(m.history().getLast().notDerived())
                .isEqualTo(BY_ID.contains(policy) ? List.of(policy.policyName()) : List.of());
        assertThat(m.facts().saltIds()).containsExactly(SALT.id());
    }

    @Test
    void noIdOfTheOldTraceIsLeftAndTheSameIdsStayTheSame() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("warden", 2, 1, 5, 3, events::add);
        traffic.started();
        Session agent = new Session(
                Optional.of("session-x"),
                "x-session-id",
                Optional.of("agent-y"),
                Optional.of("session-p"),
                Optional.of("subagent"));
        Talk talk = new Talk(traffic);
        talk.decided("request-1", agent, Traffic.START_US, 64);
        talk.prompt("request-1", agent, new int[64], Told.TOKENS);
        traffic.publish(id -> new Home("session-x/agent-y", "m", "r1", 1, "router-1", 5, OptionalLong.empty()));
        traffic.publish(id -> new ControlEvent.ReplicaUp(1, "r1", "http://10.1.2.3:8000", Optional.of("0.32.0"), id));
        traffic.publish(
                id -> new ControlEvent.ReplicaDown(2, "r1", "refused: gpu-7.example.com:8000 and /10.1.2.3:8000", id));
        talk.completed("request-1", agent, Traffic.START_US, Traffic.START_US + 900, 64, 5, 200);
        talk.decided("request-2", Talk.session("session-p"), Traffic.START_US + 1000, 64);
        events.add(tombstone(events.stream()
                .filter(e -> e.topic() == Topic.HOMES)
                .findFirst()
                .orElseThrow()));
        anonymised(events);
        List<RecordedEvent> out = Traces.events(temp.resolve("out"));
        assertThat(out).hasSize(events.size());
        for (RecordedEvent e : out) {
            assertThat(e.key() + e.subject() + new String(e.data(), StandardCharsets.UTF_8))
                    .doesNotContain(
                            "session-x",
                            "session-p",
                            "agent-y",
                            "request-1",
                            "request-2",
                            "10.1.2.3",
                            "example.com",
                            "salt-1");
            assertThat(e.saltId()).isEqualTo(SALT.id());
        }
        String x = SALT.hash("again", "", "session-x");
        String y = SALT.hash("again", "", "agent-y");
        assertThat(out)
                .filteredOn(e -> e.topic() == Topic.HOMES)
                .extracting(RecordedEvent::key)
                .containsOnly(x + '/' + y + "@m");
        assertThat(out)
                .filteredOn(e -> e.topic() == Topic.PROMPTS)
                .extracting(RecordedEvent::key)
                .containsOnly(x + '/' + y);
        assertThat(out)
                .filteredOn(e -> e.topic() == Topic.DECISIONS)
                .extracting(RecordedEvent::key)
                .containsExactly(x + '/' + y, SALT.hash("again", "", "session-p"));
    }

    private static RecordedEvent tombstone(RecordedEvent home) {
        return new RecordedEvent(
                home.topic(),
                home.partition(),
                home.offset() + 1,
                home.timestampMs(),
                home.key(),
                "",
                home.type(),
                "",
                home.subject(),
                home.time(),
                -1,
                home.saltId(),
                new byte[0]);
    }

    /** The documentation says so: it is no protection against whoever has the original. */
    @Test
    void whatJoinsItWithTheOriginalStays() {
        List<RecordedEvent> events = Traffic.events("warden", 2, 2, 5, 40, 3);
        anonymised(events);
        assertThat(Traces.events(temp.resolve("out")))
                .extracting(RecordedEvent::place, RecordedEvent::id, RecordedEvent::time, RecordedEvent::sequence)
                .containsExactlyElementsOf(events.stream()
                        .map(e -> tuple(e.place(), e.id(), e.time(), e.sequence()))
                        .toList());
    }

    @Test
    void promptsShareWhatTheySharedBefore() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("random", 2, 1, 5, 3, events::add);
        Talk talk = new Talk(traffic);
        long at = Traffic.START_US;
        for (int i = 0; i < 30; i++) {
            Session session = Talk.session("s" + i % 4);
            int[] tokens = new int[100 + 40 * (i / 4)];
            for (int t = 0; t < tokens.length; t++) {
                tokens[t] = t < 48 ? t : 1000 * (i % 4) + t;
            }
            talk.decided("q" + i, session, at, tokens.length);
            talk.prompt("q" + i, session, tokens, i % 2 == 0 ? Told.TOKENS : Told.BYTES);
            talk.completed("q" + i, session, at, at + 500, tokens.length, 3, 200);
            at += 1000;
        }
        anonymised(events);
        List<Turn> before = turns("t");
        List<Turn> after = turns("out");
        assertThat(after)
                .extracting(Turn::prompt)
                .isEqualTo(before.stream().map(Turn::prompt).toList());
        assertThat(after)
                .extracting(Turn::session)
                .doesNotContainAnyElementsOf(before.stream().map(Turn::session).toList());
        assertThat(new HashSet<>(after.stream().map(Turn::session).toList())).hasSize(4);
    }

    private List<Turn> turns(String name) {
        List<Turn> out = new ArrayList<>();
        try (RecordedTurns turns = RecordedTurns.open(Recording.open(temp.resolve(name)), "m")) {
            turns.forEachRemaining(out::add);
        }
        return out;
    }

    @Test
    void aChangedDecisionIsFoundAfterwardsAsBefore() {
        List<RecordedEvent> events = Traffic.events("warden", 3, 2, 10, 200, 8);
        RecordedEvent victim = events.stream()
                .filter(e -> e.topic() == Topic.DECISIONS)
                .skip(60)
                .findFirst()
                .orElseThrow();
        String json = new String(victim.data(), StandardCharsets.UTF_8)
                .replaceFirst("\"propensity\":1.0", "\"propensity\":0.5");
        events.set(events.indexOf(victim), victim.withData(json.getBytes(StandardCharsets.UTF_8)));
        anonymised(events);
        Verification v = Traces.verify(temp.resolve("out"));
        assertThat(v.mismatches()).isEqualTo(1);
        assertThat(v.differences()).anySatisfy(d -> assertThat(d.event()).isEqualTo(victim.id()));
    }

    @Test
    void whatCannotBeMadeAnonymousIsRefusedInWords() {
        List<RecordedEvent> events = Traffic.events("random", 2, 1, 5, 20, 1);
        anonymised(events);
        assertThatThrownBy(
                        () -> Anonymiser.run(Recording.open(temp.resolve("out")), SALT, temp.resolve("again"), "0.1.0"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is under the salt " + SALT.id() + " already");
        RecordedEvent e = events.getLast();
        events.add(new RecordedEvent(
                e.topic(),
                e.partition(),
                e.offset() + 1,
                e.timestampMs(),
                "",
                "x",
                "unknown.v9",
                "",
                "",
                e.time(),
                -1,
                "",
                new byte[] {'{', '}'}));
        assertThatThrownBy(() ->
                        Anonymiser.run(Traces.written(temp.resolve("u"), events), SALT, temp.resolve("v"), "0.1.0"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("the event at control partition 0 offset")
                .hasMessageContaining("nobody can say which ids are in it");
        assertThat(temp.resolve("v").resolve(TraceManifest.FILE)).doesNotExist();
    }
}
