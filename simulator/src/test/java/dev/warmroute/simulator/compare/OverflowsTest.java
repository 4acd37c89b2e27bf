package dev.warmroute.simulator.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.PolicySpec;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.SerialReplay;
import dev.warmroute.simulator.replay.SessionIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverflowsTest {
    private static final int ADDED = 160;

    @Test
    void anOverflowPaysForTheTurnThatWentElsewhereAndForTheWayBack() {
        Overflows overflows = overflows("home", "away", "home", "home");
        assertThat(overflows.count()).isEqualTo(1);
        assertThat(overflows.reprefilledTokens()).isEqualTo(ADDED + ADDED);
        assertThat(overflows.p50Tokens()).hasValue(ADDED + ADDED);
    }

    @Test
    void aLaterTurnThatOverflowsItselfPaysForItself() {
        // The second overflow finds its replica warm: nothing is computed again there.
        Overflows overflows = overflows("home", "away", "away", "home");
        assertThat(overflows.count()).isEqualTo(2);
        assertThat(overflows.reprefilledTokens()).isEqualTo(ADDED + 2 * ADDED);
        assertThat(overflows.maxTokens()).hasValue(2 * ADDED);
    }

    @Test
    void withoutOverflowsThereIsNoPrice() {
        Overflows overflows = overflows("home", "home");
        assertThat(overflows.count()).isZero();
        assertThat(overflows.reprefilledTokens()).isZero();
        assertThat(overflows.p50Tokens()).isEmpty();
    }

    /** Turns that each add as many tokens, sent home (replica 0) or away (replica 1) in turn, one output token each. */
    private static Overflows overflows(String... where) {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < where.length; i++) {
            turns.add(new Turn(
                    i,
                    i,
                    "s",
                    "",
                    i + 1,
                    0,
                    Prompt.of(0, (i + 1) * ADDED),
                    1,
                    (long) (i + 1) * ADDED,
                    Turn.Recorded.NOTHING));
        }
        List<String> script = new ArrayList<>(List.of(where));
        RoutingPolicy scripted = new RoutingPolicy() {
            @Override
            public PolicySpec spec() {
                return Policies.create("hash", Map.of(), 1).spec();
            }

            @Override
            public Placement choose(RoutingRequest request, FleetView fleet) {
                return script.remove(0).equals("home")
                        ? Placement.atHome(Kind.STICKY, 0)
                        : new Placement(
                                Kind.OVERFLOW,
                                1,
                                0,
                                new double[0],
                                Double.NaN,
                                1,
                                Placement.NO_LIMIT,
                                Double.POSITIVE_INFINITY);
            }
        };
        Outcome outcome = SerialReplay.run(
                turns,
                SessionIndex.of(turns),
                2,
                EngineConfig.defaults().withBlockSize(16).withUsableBlocks(1000),
                scripted,
                new Seeds(1));
        return Overflows.of(outcome);
    }
}
