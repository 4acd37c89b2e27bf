package dev.warmroute.router.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.ReplicaView;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.state.ModelRouter.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What every registered policy owes: a decision can be derived again from its event, and from nothing else. */
class PolicyContractTest {
    private static final long SECOND = 1_000_000_000L;

    /** A model's traffic: conversations and unknown ones, replicas that come and go, signals that grow old. */
    @Property(tries = 8)
    void everyDecisionIsDerivedAgainFromItsEvent(@ForAll long seed) {
        for (Policies registered : Policies.values()) {
            decisionsOf(registered, seed);
        }
    }

    private static void decisionsOf(Policies registered, long seed) {
        Random random = new Random(seed);
        int maxNumSeqs = 1 + random.nextInt(24);
        RoutingPolicy policy = Policies.create(registered.policyName(), Map.of(), maxNumSeqs);
        ModelRouter router = new ModelRouter(policy);
        RoutingPolicy recorded = policy;
        List<Long> inFlight = new ArrayList<>();
        int replicas = 1 + random.nextInt(6);
        long now = 0;
        for (int i = 0; i < 50; i++) {
            now += random.nextLong(20 * SECOND);
            int conversation = random.nextInt(12);
            PromptChain prompt = prompt(conversation, random);
            RoutingRequest request = new RoutingRequest(
                    random.nextInt(5) == 0 ? "" : "session-" + conversation, prompt.length(), random.nextLong());
            Decision first = router.decide(request, prompt, fleet(random, replicas), random.nextInt(9) > 0, now);
            List<Decision> decisions = new ArrayList<>(List.of(first));
            boolean expired = random.nextInt(9) == 0;
            long moment = now;
            router.firstHeld()
                    .flatMap(held -> router.again(held, fleet(random, replicas), expired, moment))
                    .ifPresent(decisions::add);
            assertThat(policy.needs().holds() || router.held() == 0)
                    .as("holds without saying so")
                    .isTrue();
            for (Decision decision : decisions) {
                requireSane(decision);
                requireDeclared(policy, decision);
                RoutingDecision event = throughJson(event(decision, policy));
                recorded = recorded == policy ? Policies.recorded(event.policy()) : recorded;
                Placement again = recorded.choose(Evidence.request(event), Evidence.view(event));
                requireSame(again, decision.placement());
                requireSame(policy.choose(decision.request(), decision.view()), decision.placement());
                requireNothingElseRead(policy, decision);
                if (decision.placement().chosen()) {
                    inFlight.add(decision.ticket());
                }
            }
            if (!inFlight.isEmpty() && random.nextInt(2) == 0) {
                router.answering(inFlight.get(random.nextInt(inFlight.size())), now + random.nextLong(SECOND));
            }
            while (!inFlight.isEmpty() && random.nextInt(3) == 0) {
                Completion completion = random.nextInt(4) == 0
                        ? Completion.UNKNOWN
                        : new Completion(random.nextInt(9000), random.nextInt(100), random.nextInt(300));
                router.release(inFlight.remove(random.nextInt(inFlight.size())), completion, now);
            }
        }
    }

    /** A conversation's prompt: begins as all do, goes on as its earlier ones did, and has been edited now and then. */
    private static PromptChain prompt(int conversation, Random random) {
        long[] blocks = new long[random.nextInt(30)];
        long parent = 1;
        for (int b = 0; b < blocks.length; b++) {
            int said = b < 3 ? 0 : random.nextInt(40) == 0 ? random.nextInt() : conversation + 1;
            parent = (parent + said) * 0x9E3779B97F4A7C15L;
            blocks[b] = parent;
        }
        return PromptChain.of(PromptChain.Unit.TOKENS, 64, blocks.length * 64L + random.nextInt(64), blocks);
    }

    /** The view holds no other inputs than those declared. */
    private static void requireDeclared(RoutingPolicy policy, Decision decision) {
        Set<String> declared =
                policy.needs().inputs().stream().map(Input::wireName).collect(Collectors.toSet());
        assertThat(declared).containsAll(decision.view().inputs().keySet());
        decision.view()
                .replicas()
                .forEach(r -> assertThat(declared).containsAll(r.inputs().keySet()));
        if (!policy.needs().has(Input.PREDICTED_CACHE) && !policy.needs().has(Input.TRUE_CACHE)) {
            assertThat(decision.view().replica(0).predictedCachedTokens()).isEqualTo(-1);
        }
    }

    /** What a policy does not declare makes no difference to it. */
    private static void requireNothingElseRead(RoutingPolicy policy, Decision decision) {
        boolean session = policy.needs().has(Input.SESSION);
        boolean signals = policy.needs().has(Input.SIGNALS);
        FleetView seen = decision.view();
        List<ReplicaView> replicas = seen.replicas().stream()
                .map(r -> new ReplicaView(
                        r.id(),
                        r.eligible(),
                        r.reason(),
                        r.inFlight(),
                        session ? r.liveSessions() : 0,
                        signals ? r.signals() : Signals.NONE,
                        r.predictedCachedTokens(),
                        r.inputs()))
                .toList();
        RoutingRequest request = decision.request();
        Placement blind = policy.choose(
                session ? request : new RoutingRequest("", request.promptTokens(), request.seed()),
                new FleetView(replicas, session ? seen.home() : FleetView.NONE, seen.inputs()));
        assertThat(blind.replica()).isEqualTo(decision.placement().replica());
        assertThat(blind.scores()).isEqualTo(decision.placement().scores());
    }

    private static List<ReplicaStatus> fleet(Random random, int replicas) {
        List<ReplicaStatus> fleet = new ArrayList<>();
        for (int r = 0; r < replicas; r++) {
            Signals signals = random.nextInt(4) == 0
                    ? Signals.NONE
                    : new Signals(random.nextInt(9), random.nextInt(4), random.nextDouble(), random.nextLong(16_000));
            ReplicaStatus status = random.nextInt(6) == 0
                    ? ReplicaStatus.down("r" + r, "unreachable", signals)
                    : ReplicaStatus.up("r" + r, signals);
            fleet.add(random.nextInt(3) == 0 ? status : status.withCapacityTokens(3000));
        }
        return fleet;
    }

    private static void requireSane(Decision decision) {
        Placement placement = decision.placement();
        FleetView view = decision.view();
        assertThat(placement.propensity()).isBetween(0.0, 1.0).isPositive();
        if (placement.chosen()) {
            assertThat(view.replica(placement.replica()).eligible()).isTrue();
        } else {
            assertThat(view.eligible() == 0)
                    .as("who is not chosen is held, or there is nobody")
                    .isEqualTo(!placement.held());
            assertThat(placement.home()).isEqualTo(view.home());
        }
        assertThat(placement.home()).isBetween(FleetView.NONE, view.size() - 1);
        if (!decision.request().hasSession()) {
            assertThat(placement.home())
                    .as("without a conversation there is no home")
                    .isEqualTo(FleetView.NONE);
        }
        assertThat(placement.scores().length).isIn(0, view.size());
    }

    private static void requireSame(Placement actual, Placement expected) {
        double[] none = {};
        assertThat(actual.withScores(none)).isEqualTo(expected.withScores(none));
        assertThat(actual.scores()).isEqualTo(expected.scores());
    }

    private static RoutingDecision event(Decision decision, RoutingPolicy policy) {
        RoutingRequest request = decision.request();
        Placement placement = decision.placement();
        Session session = request.hasSession()
                ? new Session(
                        Optional.of(request.session()), "test", Optional.empty(), Optional.empty(), Optional.empty())
                : Session.UNKNOWN;
        return new RoutingDecision(
                "request",
                1,
                2,
                session,
                "m",
                "openai",
                false,
                new PromptSize(request.promptTokens() * 4, OptionalLong.of(request.promptTokens()), false),
                policy.spec().identity(),
                request.seed(),
                decision.view().inputs(),
                Evidence.candidates(decision.view(), placement),
                Double.isNaN(placement.threshold()) ? OptionalDouble.empty() : OptionalDouble.of(placement.threshold()),
                present(decision.homeBefore()),
                present(decision.homeAfter()),
                present(decision.replica()),
                placement.kind(),
                placement.propensity(),
                1,
                10,
                new RouterIdentity("router-a", 1, 0));
    }

    private static RoutingDecision throughJson(RoutingDecision event) {
        EventCodec codec = new EventCodec();
        return (RoutingDecision) codec.decode(EventType.ROUTING_DECISION, codec.encode(event));
    }

    private static Optional<String> present(String id) {
        return id.isEmpty() ? Optional.empty() : Optional.of(id);
    }
}
