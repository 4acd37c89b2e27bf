package dev.warmroute.router.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final RouterIdentity ROUTER = new RouterIdentity("here", 1, 0);
    private static final long SECOND = 1_000_000;
    /** On the border of two steps. */
    private static final long START = 1_796_000_000 * SECOND;

    private final Figures figures = new Figures(START);
    private int requests;

    private static Session session(String name, String requestClass) {
        return new Session(
                name.isEmpty() ? Optional.empty() : Optional.of(name),
                "x-session-id",
                Optional.empty(),
                Optional.empty(),
                requestClass.isEmpty() ? Optional.empty() : Optional.of(requestClass));
    }

    private RoutingDecision decide(Session session, Kind kind, String replica, long estimate, long atUs) {
        RoutingDecision d = decision(session, kind, replica, estimate, atUs);
        figures.see(d);
        return d;
    }

    private RoutingDecision decision(Session session, Kind kind, String replica, long estimate, long atUs) {
        return new RoutingDecision(
                "q" + ++requests,
                atUs,
                atUs,
                session,
                "m",
                "openai",
                true,
                new PromptSize(4 * estimate, OptionalLong.of(estimate), false),
                new PolicyIdentity("warden", 1, "00", Map.of()),
                1,
                Map.of(),
                List.of(),
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.of(replica),
                Optional.of(replica),
                kind,
                1,
                1,
                1,
                ROUTER);
    }

    private void complete(
            RoutingDecision d, int status, OptionalLong prompt, OptionalLong cached, long output, long ttftUs) {
        figures.see(new RequestCompleted(
                d.requestId(),
                d.session(),
                "m",
                d.chosen(),
                OptionalInt.of(status),
                Optional.empty(),
                EndedBy.FINISHED,
                0,
                d.arrivalUs(),
                OptionalLong.of(d.arrivalUs() + ttftUs),
                d.arrivalUs() + ttftUs + SECOND,
                prompt,
                cached,
                OptionalLong.of(output),
                Optional.empty(),
                1,
                ROUTER));
    }

    private void turn(String session, Kind kind, String replica, long prompt, long cached, long atUs) {
        complete(
                decide(session(session, ""), kind, replica, prompt, atUs),
                200,
                OptionalLong.of(prompt),
                OptionalLong.of(cached),
                100,
                SECOND / 2);
    }

    private ReplicaFigures of(String replica, long nowUs) {
        return figures.replicas("m", List.of("r0", "r1"), nowUs).get(replica);
    }

    @Test
    void tokensAreCountedWhereAndWhenTheFirstByteCame() {
        turn("s", Kind.PLACED, "r0", 1000, 400, START + SECOND);
        turn("s", Kind.STICKY, "r0", 2000, 1600, START + 12 * SECOND);
        turn("t", Kind.PLACED, "r1", 500, 0, START + 12 * SECOND);

        Figures.Flow flow = figures.flow("m", List.of("r0", "r1"), START + 20 * SECOND);
        assertThat(flow.atUs()).containsExactly(START, START + 10 * SECOND);
        assertThat(flow.cached()).containsExactly(40.0, 160.0);
        assertThat(flow.computed()).containsExactly(60.0, 90.0);
        assertThat(figures.flow("m", List.of("r1"), START + 20 * SECOND).computed())
                .containsExactly(0.0, 50.0);

        ReplicaFigures r0 = of("r0", START + 20 * SECOND);
        assertThat(r0.cachedPerSecond()).isEqualTo(100);
        assertThat(r0.computedPerSecond()).isEqualTo(50);
        assertThat(of("r0", START + 100 * SECOND).computedPerSecond()).isZero();
    }

    @Test
    void theFlowEndsAfterAnHour() {
        turn("s", Kind.PLACED, "r0", 1000, 0, START + SECOND);
        Figures.Flow flow = figures.flow("m", List.of("r0"), START + 3_595 * SECOND);
        assertThat(flow.computed().stream().mapToDouble(Double::doubleValue).sum())
                .isEqualTo(100);
        Figures.Flow later = figures.flow("m", List.of("r0"), START + 3_605 * SECOND);
        assertThat(later.atUs()).hasSize(359);
        assertThat(later.computed()).containsOnly(0.0);
    }

    @Test
    void whatTheEngineDidNotMeasureCountsAsComputed() {
        RoutingDecision silent = decide(session("s", ""), Kind.PLACED, "r0", 700, START);
        complete(silent, 200, OptionalLong.empty(), OptionalLong.empty(), 0, 1000);
        RoutingDecision noDetails = decide(session("s", ""), Kind.STICKY, "r0", 1, START);
        complete(noDetails, 200, OptionalLong.of(300), OptionalLong.empty(), 0, 1000);
        RoutingDecision failed = decide(session("s", ""), Kind.STICKY, "r0", 5000, START);
        complete(failed, 500, OptionalLong.empty(), OptionalLong.empty(), 0, 1000);
        RoutingDecision sideCall = decide(session("", "auxiliary"), Kind.BALANCED, "r0", 5000, START);
        complete(sideCall, 200, OptionalLong.empty(), OptionalLong.empty(), 0, 1000);
        assertThat(figures.flow("m", List.of("r0"), START + 10 * SECOND).computed())
                .containsExactly(100.0);
    }

    @Test
    void theFirstByteIsTimedFromTheArrival() {
        List<Long> times = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            times.add(i * SECOND / 10);
        }
        for (long ttft : times) {
            complete(
                    decide(session("", ""), Kind.BALANCED, "r0", 1, START),
                    200,
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    0,
                    ttft);
        }
        assertThat(of("r0", START + 11 * SECOND).ttftP95Seconds().orElseThrow()).isCloseTo(9.5, within(0.25));
        assertThat(of("r1", START + 11 * SECOND).ttftP95Seconds()).isEmpty();
        assertThat(of("r0", START + 400 * SECOND).ttftP95Seconds()).isEmpty();
    }

    private void scrape(int engine, double hits, double queries, double hitsTotal, double queriesTotal, long atUs) {
        figures.see(new CountersDelta(
                "r0",
                engine,
                atUs,
                1000,
                0,
                false,
                Map.of("prefix_cache_hits", hits, "prefix_cache_queries", queries),
                Map.of("prefix_cache_hits", hitsTotal, "prefix_cache_queries", queriesTotal),
                Map.of(),
                List.of(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                ROUTER));
    }

    @Test
    void hitsAreThoseOfTheEnginesCountersLatelyAndSinceTheirStart() {
        scrape(0, 60, 100, 600, 2000, START);
        scrape(1, 0, 100, 100, 1000, START);
        assertThat(of("r0", START).hitsLately()).hasValue(0.3);
        assertThat(of("r0", START).hitsSinceStart()).hasValue(700.0 / 3000);
        scrape(0, 0, 0, 600, 2000, START + 301 * SECOND);
        assertThat(of("r0", START + 301 * SECOND).hitsLately()).isEmpty();
        assertThat(of("r1", START).hitsSinceStart()).isEmpty();
    }

    @Test
    void headroomIsTheRuleOfTheSharedBeginningAndWhatEachConversationHasBesides() {
        for (int i = 0; i < 5; i++) {
            turn("s" + i, Kind.PLACED, "r0", 5000, i == 0 ? 0 : 3000, START + i);
        }
        turn("s0", Kind.STICKY, "r0", 8900, 5000, START + 9);
        ReplicaFigures r0 = of("r0", START + SECOND);
        // 8,900 + 100 and 4 x (5,000 + 100) tokens; 3,000 of them shared
        assertThat(r0.contextTokens()).hasValue(5880);
        assertThat(r0.sharedTokens()).isEqualTo(3000);
        assertThat(r0.workingSetTokens(5).orElseThrow()).isEqualTo(3000 + 5 * 2880);
        assertThat(r0.workingSetTokens(0)).hasValue(0);
        assertThat(r0.headroom(3000 + 7 * 2880 + 10, 5)).hasValue(2);
        assertThat(r0.headroom(3000 + 4 * 2880, 5)).hasValue(-1);
        assertThat(r0.headroom(100, 5)).hasValue(-5);
        assertThat(r0.headroom(-1, 5)).isEmpty();
        assertThat(of("r1", START + SECOND).headroom(10_000, 0)).isEmpty();
        assertThat(of("r0", START + 302 * SECOND).contextTokens()).isEmpty();
    }

    @Test
    void theLatestDecisionsComeFirst() {
        for (int i = 0; i < 300; i++) {
            decide(session("s", ""), Kind.STICKY, "r0", 1, START + i);
        }
        assertThat(figures.decisions(2)).extracting(RoutingDecision::requestId).containsExactly("q300", "q299");
        assertThat(figures.decisions(1000)).hasSize(200);
    }

    @Test
    void lookingOnChangesNothingAndAFaultInItLosesNoEvent() {
        List<Event> written = new ArrayList<>();
        Event event = decision(session("s", ""), Kind.STICKY, "r0", 1, START);
        Event broken = decision(null, Kind.STICKY, "r0", 1, START);
        figures.over(e -> written.add(e.apply(ROUTER))).publish(router -> event);
        figures.over(e -> written.add(e.apply(ROUTER))).publish(router -> broken);
        assertThat(written).containsExactly(event, broken);
        assertThat(figures.decisions(5)).contains((RoutingDecision) event);
    }

    @Test
    void replicasThatComeUnderEverNewNamesLeaveNothingBehind() {
        long hour = 3600 * SECOND;
        for (int i = 0; i < 1_000; i++) {
            String pod = "pod-" + i;
            long at = START + i * hour / 10;
            RoutingDecision d = decide(session("s" + i, ""), Kind.PLACED, pod, 100, at);
            complete(d, 200, OptionalLong.of(100), OptionalLong.of(40), 10, SECOND);
            assertThat(figures.replicas("m", List.of(pod), at + 2 * SECOND).get(pod))
                    .isNotEqualTo(ReplicaFigures.NONE);
        }
        assertThat(figures.replicas()).as("those of the last hour").isLessThanOrEqualTo(11);
    }
}
