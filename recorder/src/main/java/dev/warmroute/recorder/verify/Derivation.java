package dev.warmroute.recorder.verify;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.state.Evidence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Derives a decision again from its own event, with the policy, version and configuration that the event names, and compares
 * everything that the policy decided, exactly. A request whose client named the replica ({@link Kind#PINNED}) was not decided
 * by a policy: it went to a candidate and changed no home. Not thread-safe.
 */
public final class Derivation {
    private final Map<PolicyIdentity, RoutingPolicy> policies = new HashMap<>();
    private final Map<PolicyIdentity, Difference> unknown = new HashMap<>();

    /**
     * A field that does not follow from the event.
     *
     * @param recorded what the event says
     * @param derived what it should say
     */
    public record Difference(String field, Object recorded, Object derived) {}

    /** Everything in a decision that does not follow from its event; empty for one that holds. */
    public List<Difference> differences(RoutingDecision d) {
        List<Difference> out = new ArrayList<>();
        if (d.kind() == Kind.PINNED) {
            pinned(d, out);
            return out;
        }
        RoutingPolicy policy = policy(d.policy());
        if (policy == null) {
            out.add(unknown.get(d.policy()));
            return out;
        }
        FleetView view = Evidence.view(d);
        Placement derived;
        try {
            derived = policy.choose(Evidence.request(d), view);
        } catch (RuntimeException e) {
            out.add(new Difference("policy", d.policy().name(), "fails on this event: " + e.getMessage()));
            return out;
        }
        compare(
                out,
                "policy.config_hash",
                d.policy().configHash(),
                policy.spec().hash());
        compare(out, "chosen", d.chosen().orElse(""), id(view, derived.replica()));
        compare(out, "kind", d.kind().wireName(), derived.kind().wireName());
        compare(out, "home_after", d.homeAfter().orElse(""), id(view, derived.home()));
        compare(out, "threshold", d.threshold(), number(derived.threshold()));
        compare(out, "propensity", d.propensity(), derived.propensity());
        List<Candidate> candidates = Evidence.candidates(view, derived);
        for (int i = 0; i < candidates.size(); i++) {
            Candidate recorded = d.candidates().get(i);
            compare(
                    out,
                    "candidates[" + recorded.replica() + "].score",
                    recorded.score(),
                    candidates.get(i).score());
        }
        return out;
    }

    private static void pinned(RoutingDecision d, List<Difference> out) {
        if (d.candidates().stream()
                .noneMatch(c ->
                        d.chosen().isPresent() && c.replica().equals(d.chosen().get()))) {
            out.add(new Difference("chosen", text(d.chosen().orElse("")), "one of the candidates"));
        }
        FleetView view = Evidence.view(d);
        compare(out, "home_after", d.homeAfter().orElse(""), id(view, view.home()));
        compare(out, "threshold", d.threshold(), OptionalDouble.empty());
        compare(out, "propensity", d.propensity(), 1.0);
        for (Candidate c : d.candidates()) {
            compare(out, "candidates[" + c.replica() + "].score", c.score(), OptionalDouble.empty());
        }
    }

    /** The policy of an event; null when this warmroute does not have it, with the reason in {@code unknown}. */
    private RoutingPolicy policy(PolicyIdentity identity) {
        RoutingPolicy policy = policies.get(identity);
        if (policy == null && !unknown.containsKey(identity)) {
            try {
                policy = Policies.recorded(identity);
                policies.put(identity, policy);
            } catch (UserError e) {
                unknown.put(identity, unknown(identity, e));
            }
        }
        return policy;
    }

    private static Difference unknown(PolicyIdentity identity, UserError why) {
        try {
            int version = Policies.create(identity.name(), identity.config(), Policies.ASSUMED_MAX_NUM_SEQS)
                    .spec()
                    .version();
            return new Difference("policy.version", identity.version(), version);
        } catch (UserError e) {
            return new Difference("policy", identity.name(), why.getMessage());
        }
    }

    private static void compare(List<Difference> out, String field, Object is, Object shouldBe) {
        if (!Objects.equals(is, shouldBe)) {
            out.add(new Difference(field, text(is), text(shouldBe)));
        }
    }

    private static Object text(Object value) {
        if (value instanceof OptionalDouble d) {
            return d.isPresent() ? d.getAsDouble() : "nothing";
        }
        return "".equals(value) ? "nothing" : value;
    }

    private static OptionalDouble number(double value) {
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static String id(FleetView view, int replica) {
        return replica == FleetView.NONE ? "" : view.replica(replica).id();
    }
}
