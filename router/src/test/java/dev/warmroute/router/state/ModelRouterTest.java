package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.ModelRouter.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ModelRouterTest {
    private static final List<ReplicaStatus> THREE = List.of(up("r0"), up("r1"), up("r2"));

    private final ModelRouter warden = new ModelRouter(Policies.create("warden", Map.of(), 32));

    @Test
    void aConversationStaysAtHomeAndTheViewShowsIt() {
        Decision first = warden.decide(request("s"), THREE, 0);
        assertThat(first.placement().kind()).isEqualTo(Kind.PLACED);
        assertThat(first.homeBefore()).isEmpty();
        Decision second = warden.decide(request("s"), THREE, 1);
        assertThat(second.placement().kind()).isEqualTo(Kind.STICKY);
        assertThat(second.homeBefore()).isEqualTo(first.replica()).isEqualTo(second.homeAfter());
        assertThat(second.view().replica(second.placement().replica()).inFlight())
                .isEqualTo(1);
        assertThat(second.view().replica(second.placement().replica()).liveSessions())
                .isEqualTo(1);
    }

    @Test
    void tenThousandConversationsAtOnceAllKeepTheirHomes() {
        int conversations = 10_000;
        List<String> homes = new ArrayList<>();
        for (int i = 0; i < conversations; i++) {
            homes.add(warden.decide(request("s" + i), THREE, i).homeAfter());
        }
        for (int i = 0; i < conversations; i++) {
            assertThat(warden.decide(request("s" + i), THREE, conversations + i).homeBefore())
                    .isEqualTo(homes.get(i));
        }
    }

    @Test
    void conversationsThatNobodyReturnsToAreForgottenByNumberAndByTime() {
        for (int i = 0; i < 100_000; i++) {
            Decision d = warden.decide(request("s" + i), THREE, i);
            warden.release(d.ticket(), Completion.UNKNOWN, i);
        }
        assertThat(warden.sessions().size()).isEqualTo(32_768);
        long idle = TimeUnit.MINUTES.toNanos(30);
        warden.decide(request("last"), THREE, 100_000 + idle);
        assertThat(warden.sessions().size()).isEqualTo(1);
        assertThat(THREE.stream().mapToInt(r -> warden.sessions().live(r.id())).sum())
                .isEqualTo(1);
    }

    @Test
    void theCursorCountsDecisionsWhateverTheyWere() {
        ModelRouter router = new ModelRouter(Policies.create("round_robin", Map.of(), 32));
        List<ReplicaStatus> nobody = List.of(ReplicaStatus.down("r0", "down", Signals.NONE));
        assertThat(router.decide(request(""), THREE, 0).replica()).isEqualTo("r0");
        assertThat(router.decide(request(""), nobody, 0).placement().chosen()).isFalse();
        assertThat(router.decide(request(""), THREE, 0).replica()).isEqualTo("r2");
    }

    @Test
    void aPinnedRequestCountsAsInFlightAndMovesNoHome() {
        Decision placed = warden.decide(request("s"), THREE, 0);
        int other = (placed.placement().replica() + 1) % 3;
        Decision pinned = warden.pin(request("s"), PromptChain.NOTHING, THREE, other, 1);
        assertThat(pinned.placement().kind()).isEqualTo(Kind.PINNED);
        assertThat(pinned.replica()).isEqualTo("r" + other);
        assertThat(pinned.homeAfter()).isEqualTo(placed.replica());
        assertThat(warden.inFlight("r" + other)).isEqualTo(1);
        assertThat(warden.decide(request("s"), THREE, 2).replica()).isEqualTo(placed.replica());
        assertThat(warden.pin(request("new"), PromptChain.NOTHING, THREE, 0, 3).homeAfter())
                .isEmpty();
        assertThat(warden.sessions().home("new", 3)).isEmpty();
    }

    @Test
    void aRequestThatNobodyCouldTakeIsNotInFlight() {
        Decision decision = warden.decide(request("s"), List.of(ReplicaStatus.down("r0", "down", Signals.NONE)), 0);
        assertThat(decision.replica()).isEmpty();
        assertThat(warden.inFlight("r0")).isZero();
    }

    @Test
    void releasingMoreThanWasChosenIsAFault() {
        long ticket = warden.decide(request("s"), THREE, 0).ticket();
        warden.release(ticket, Completion.UNKNOWN, 1);
        assertThatThrownBy(() -> warden.release(ticket, Completion.UNKNOWN, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not in flight");
    }

    @Test
    void anotherPolicyFindsWhatIsRemembered() {
        Decision placed = warden.decide(request("s"), THREE, 0);
        warden.policy(Policies.create("warden", Map.of("overflow_threshold", "1"), 32));
        Decision next = warden.decide(request("s"), THREE, 1);
        assertThat(next.placement().kind()).isEqualTo(Kind.OVERFLOW);
        assertThat(next.homeAfter()).isEqualTo(placed.replica());
    }

    @Test
    void aReplicaThatLeftTheFleetIsNobodysHome() {
        Decision placed = warden.decide(request("s"), THREE, 0);
        List<ReplicaStatus> without =
                THREE.stream().filter(r -> !r.id().equals(placed.replica())).toList();
        Decision next = warden.decide(request("s"), without, 1);
        assertThat(next.view().home()).isEqualTo(FleetView.NONE);
        assertThat(next.placement().kind()).isEqualTo(Kind.PLACED);
    }

    @Property(tries = 200)
    void requestsInFlightAreThoseChosenAndNotReleasedAndEndAtZero(@ForAll Policies registered, @ForAll long seed) {
        Random random = new Random(seed);
        ModelRouter router = new ModelRouter(Policies.create(registered.policyName(), Map.of(), 8));
        Map<String, Integer> expected = new HashMap<>();
        List<Decision> open = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 200; i++) {
            now += random.nextInt(1000);
            if (random.nextInt(3) > 0) {
                List<ReplicaStatus> fleet = new ArrayList<>();
                for (int r = 0; r < 3; r++) {
                    fleet.add(random.nextInt(4) == 0 ? ReplicaStatus.down("r" + r, "down", Signals.NONE) : up("r" + r));
                }
                RoutingRequest request = new RoutingRequest("s" + random.nextInt(9), -1, random.nextLong());
                Decision decision = random.nextInt(5) == 0
                        ? router.pin(request, PromptChain.NOTHING, fleet, random.nextInt(3), now)
                        : router.decide(request, fleet, now);
                if (decision.placement().chosen()) {
                    open.add(decision);
                    expected.merge(decision.replica(), 1, Integer::sum);
                }
            } else if (!open.isEmpty()) {
                Decision ended = open.remove(random.nextInt(open.size()));
                router.release(ended.ticket(), Completion.UNKNOWN, now);
                expected.merge(ended.replica(), -1, Integer::sum);
            }
            for (int r = 0; r < 3; r++) {
                assertThat(router.inFlight("r" + r)).isEqualTo(expected.getOrDefault("r" + r, 0));
            }
        }
        long end = now;
        open.forEach(d -> router.release(d.ticket(), Completion.UNKNOWN, end));
        for (int r = 0; r < 3; r++) {
            assertThat(router.inFlight("r" + r)).isZero();
        }
    }

    private static RoutingRequest request(String session) {
        return new RoutingRequest(session, -1, 7);
    }

    private static ReplicaStatus up(String id) {
        return ReplicaStatus.up(id, Signals.NONE);
    }
}
