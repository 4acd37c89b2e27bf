package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MeasuredTest {
    private static final long S = 1_000_000;
    private static final RouterIdentity ROUTER = new RouterIdentity("r", 1, 1);

    @Test
    void aRecordingBecomesOneRowAPolicy() {
        Measured measured = new Measured();
        // completions may come before decisions
        measured.add(completed("1", 0, S, 4 * S, 100, 0, 30));
        measured.add(decided("1", "random", "a", "r0", Kind.BALANCED, 0, 0));
        measured.add(decided("2", "random", "a", "r1", Kind.BALANCED, 5 * S, 5 * S));
        measured.add(completed("2", 5 * S, 8 * S, 10 * S, 150, 50, 30));
        measured.add(counters(3 * S, 2 * S, 4));
        measured.add(decided("3", "warden", "a", "r1", Kind.PLACED, 20 * S, 20 * S));
        measured.add(completed("3", 20 * S, 21 * S, 22 * S, 200, 150, 10));
        measured.add(counters(22 * S, 2 * S, 1));
        measured.add(decided("4", "warden", "b", "r1", Kind.PLACED, 21 * S, 21 * S));

        List<PolicyRow> rows = measured.rows();
        assertThat(rows).extracting(PolicyRow::policy).containsExactly("random", "warden");
        PolicyRow random = rows.get(0);
        assertThat(random.requests()).isEqualTo(2);
        assertThat(random.promptTokens()).isEqualTo(250);
        assertThat(random.cachedTokens()).hasValue(50);
        assertThat(random.hitPct()).hasValue(20);
        assertThat(random.outputTokensPerMin().orElseThrow()).isCloseTo(360, within(1e-9));
        assertThat(random.ttftP50S()).hasValue(2);
        assertThat(random.replicasBusy().orElseThrow()).isCloseTo(0.9, within(1e-9));
        assertThat(random.stayedPct()).hasValue(0);
        assertThat(random.preemptions()).hasValue(4);
        assertThat(random.sessionP50S()).hasValue(10);
        assertThat(random.kinds()).isEqualTo(Map.of("balanced", 2L));
        PolicyRow warden = rows.get(1);
        assertThat(warden.requests()).isEqualTo(2);
        assertThat(warden.hitPct()).hasValue(75);
        assertThat(warden.preemptions()).hasValue(1);
    }

    @Test
    void whatTheEngineDidNotSayIsUnknown() {
        Measured measured = new Measured();
        measured.add(decided("1", "random", "", "r0", Kind.BALANCED, 0, 0));
        measured.add(new RequestCompleted(
                "1",
                Session.UNKNOWN,
                "m",
                Optional.of("r0"),
                OptionalInt.of(200),
                Optional.empty(),
                EndedBy.FINISHED,
                0,
                0,
                OptionalLong.of(S),
                2 * S,
                OptionalLong.of(100),
                OptionalLong.empty(),
                OptionalLong.of(3),
                Optional.empty(),
                1,
                ROUTER));
        PolicyRow row = measured.rows().get(0);
        assertThat(row.cachedTokens()).isEmpty();
        assertThat(row.hitPct()).isEmpty();
        assertThat(row.promptTokens()).isEqualTo(100);
        assertThat(row.stayedPct()).isEmpty();
        assertThat(row.preemptions()).isEmpty();
        assertThat(row.sessionP50S()).isEmpty();
    }

    @Test
    void aRetryCountsWhereItEndedAndHoldingCountsAsWaiting() {
        Measured measured = new Measured();
        measured.add(decided("1", "warden", "a", "", Kind.HELD, 0, 0));
        measured.add(decided("1", "warden", "a", "r2", Kind.PLACED, 0, 3 * S));
        measured.add(completed("1", 0, 4 * S, 5 * S, 10, 0, 1));
        PolicyRow row = measured.rows().get(0);
        assertThat(row.requests()).isEqualTo(1);
        assertThat(row.kinds()).isEqualTo(Map.of("placed", 1L));
        assertThat(row.ttftP50S()).hasValue(4);
        assertThat(row.replicasBusy().orElseThrow()).isCloseTo(0.4, within(1e-9));
    }

    private static RoutingDecision decided(
            String id, String policy, String session, String chosen, Kind kind, long arrived, long decided) {
        Session who = session.isEmpty()
                ? Session.UNKNOWN
                : new Session(Optional.of(session), "header", Optional.empty(), Optional.empty(), Optional.empty());
        return new RoutingDecision(
                id,
                arrived,
                decided,
                who,
                "m",
                "openai",
                true,
                new PromptSize(10, OptionalLong.empty(), false),
                new PolicyIdentity(policy, 1, "0", Map.of()),
                1,
                Map.of(),
                List.of(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty(),
                chosen.isEmpty() ? Optional.empty() : Optional.of(chosen),
                kind,
                1,
                1,
                100,
                ROUTER);
    }

    private static RequestCompleted completed(
            String id, long arrived, long first, long last, long prompt, long cached, long output) {
        return new RequestCompleted(
                id,
                Session.UNKNOWN,
                "m",
                Optional.of("r"),
                OptionalInt.of(200),
                Optional.empty(),
                EndedBy.FINISHED,
                0,
                arrived,
                OptionalLong.of(first),
                last,
                OptionalLong.of(prompt),
                OptionalLong.of(cached),
                OptionalLong.of(output),
                Optional.of("length"),
                1,
                ROUTER);
    }

    private static CountersDelta counters(long at, long interval, double preemptions) {
        return new CountersDelta(
                "r0",
                0,
                at,
                interval / 1000,
                0,
                false,
                Map.of("num_preemptions", preemptions),
                Map.of(),
                Map.of(),
                List.of(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                ROUTER);
    }
}
