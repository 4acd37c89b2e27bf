package dev.warmroute.router.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionReasonTest {
    private static Candidate candidate(String id, String reason, int inFlight, double score) {
        return new Candidate(
                id,
                reason.isEmpty(),
                reason.isEmpty() ? Optional.empty() : Optional.of(reason),
                inFlight,
                1,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Map.of(),
                Double.isNaN(score) ? OptionalDouble.empty() : OptionalDouble.of(score));
    }

    private static Optional<String> present(String text) {
        return Optional.ofNullable(text);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            PLACED   | s | -  | r0 | r0 | -   | new conversation, sent to r0, score 2.50
            PLACED   | s | -  | r1 | r1 | -   | new conversation, sent to r1 by warden
            STICKY   | s | r0 | r0 | r0 | 8   | at home on r0, 3 in flight (threshold 8)
            STICKY   | s | r0 | r0 | r0 | -   | at home on r0, 3 in flight
            OVERFLOW | s | r0 | r0 | r1 | 3   | home r0 is too busy, 3 in flight (threshold 3); r1 has 0
            MOVED    | s | r0 | r1 | r1 | -   | home moved from r0 to r1
            FAILOVER | s | r2 | r0 | r0 | -   | home r2 cannot be used (connect_failed); now at home on r0, score 2.50
            FAILOVER | s | r9 | r0 | r0 | -   | home r9 cannot be used (not among the replicas); now at home on r0, score 2.50
            PINNED   | s | r0 | r0 | r1 | -   | goes to r1 because the client named its rank, or a response that it holds
            BALANCED | - | -  | -  | r1 | -   | no conversation known, sent to r1 by warden
            BALANCED | s | -  | -  | r1 | -   | warden keeps no homes, sent to r1 by warden
            HELD     | s | r0 | r0 | -  | -   | waits until a place is free
            UNROUTED | s | r0 | r0 | -  | -   | no replica may be chosen: r0 eligible, r1 eligible, r2 connect_failed
            """)
    void aDecisionIsExplainedInASentence(
            Kind kind, String session, String before, String after, String chosen, String threshold, String why) {
        assertThat(DecisionReason.of(decision(kind, session, before, after, chosen, threshold, Map.of())))
                .isEqualTo(why);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            HELD     | -  | - | held_ahead=0   | waits until a place is free
            HELD     | -  | - | held_ahead=2   | waits until a place is free, behind 2
            OVERFLOW | r1 | 3 | hold_expired=1 | hold_expired: held for as long as may be, sent to r1 all the same
            """)
    void soIsOneOfAPolicyThatHolds(Kind kind, String chosen, String threshold, String input, String why) {
        String[] pair = input.split("=");
        assertThat(DecisionReason.of(decision(
                        kind, "s", "r0", "r0", chosen, threshold, Map.of(pair[0], Double.parseDouble(pair[1])))))
                .isEqualTo(why);
    }

    private static RoutingDecision decision(
            Kind kind,
            String session,
            String before,
            String after,
            String chosen,
            String threshold,
            Map<String, Double> inputs) {
        return new RoutingDecision(
                "q",
                1,
                2,
                new Session(present(session), "x-session-id", Optional.empty(), Optional.empty(), Optional.empty()),
                "m",
                "openai",
                true,
                new PromptSize(4, OptionalLong.of(1), false),
                new PolicyIdentity("warden", 1, "00", Map.of()),
                1,
                inputs,
                List.of(
                        candidate("r0", "", 3, 2.5),
                        candidate("r1", "", 0, Double.NaN),
                        candidate("r2", "connect_failed", 0, Double.NaN)),
                threshold == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(threshold)),
                present(before),
                present(after),
                present(chosen),
                kind,
                1,
                1,
                1,
                new RouterIdentity("here", 1, 0));
    }
}
