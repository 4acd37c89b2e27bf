package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.policy.Placement;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.router.state.Evidence;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Derives each decision again from its own event, with the policy, version and configuration that the event names, and
 * compares everything that the policy decided, exactly. A request whose client named the replica ({@link Kind#PINNED}) was
 * not decided by a policy: it went to a candidate and changed no home.
 */
final class DecisionCheck implements TraceCheck {
    static final String NAME = "decisions";

    private final Differences differences;
    private final Map<PolicyIdentity, RoutingPolicy> policies = new HashMap<>();
    private final Map<PolicyIdentity, String> unknown = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private long decisions;
    private long mismatches;
    private long pinned;

    DecisionCheck(Differences differences) {
        this.differences = differences;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        if (event instanceof RoutingDecision decision) {
            decisions++;
            if (!holds(recorded, decision)) {
                mismatches++;
            }
        }
    }

    private boolean holds(RecordedEvent recorded, RoutingDecision d) {
        if (d.kind() == Kind.PINNED) {
            pinned++;
            return pinnedHolds(recorded, d);
        }
        RoutingPolicy policy = policy(d.policy());
        if (policy == null) {
            return same(recorded, "policy", d.policy().name(), unknown.get(d.policy()));
        }
        FleetView view = Evidence.view(d);
        Placement derived;
        try {
            derived = policy.choose(Evidence.request(d), view);
        } catch (RuntimeException e) {
            return same(recorded, "policy", d.policy().name(), "fails on this event: " + e.getMessage());
        }
        boolean holds = same(recorded, "policy.config_hash", d.policy().configHash(), policy.spec().hash());
        holds &= same(recorded, "chosen", d.chosen().orElse(""), id(view, derived.replica()));
        holds &= same(recorded, "kind", d.kind().wireName(), derived.kind().wireName());
        holds &= same(recorded, "home_after", d.homeAfter().orElse(""), id(view, derived.home()));
        holds &= same(recorded, "threshold", d.threshold(), number(derived.threshold()));
        holds &= same(recorded, "propensity", d.propensity(), derived.propensity());
        List<Candidate> candidates = Evidence.candidates(view, derived);
        for (int i = 0; i < candidates.size(); i++) {
            holds &= same(
                    recorded,
                    "candidates[" + d.candidates().get(i).replica() + "].score",
                    d.candidates().get(i).score(),
                    candidates.get(i).score());
        }
        return holds;
    }

    private boolean pinnedHolds(RecordedEvent recorded, RoutingDecision d) {
        boolean candidate = d.candidates().stream().anyMatch(c -> d.chosen().isPresent() && c.replica().equals(d.chosen().get()));
        boolean holds = candidate || same(recorded, "chosen", d.chosen().orElse(""), "one of the candidates");
        holds &= same(recorded, "home_after", d.homeAfter().orElse(""), id(Evidence.view(d), Evidence.view(d).home()));
        holds &= same(recorded, "threshold", d.threshold(), OptionalDouble.empty());
        holds &= same(recorded, "propensity", d.propensity(), 1.0);
        for (Candidate c : d.candidates()) {
            holds &= same(recorded, "candidates[" + c.replica() + "].score", c.score(), OptionalDouble.empty());
        }
        return holds;
    }

    /** The policy of an event; null when this warmroute does not have it, with the reason in {@code unknown}. */
    private RoutingPolicy policy(PolicyIdentity identity) {
        RoutingPolicy policy = policies.get(identity);
        if (policy == null && !unknown.containsKey(identity)) {
            try {
                policy = Policies.recorded(identity);
                policies.put(identity, policy);
                names.add(identity.name());
            } catch (UserError e) {
                unknown.put(identity, e.getMessage());
            }
        }
        return policy;
    }

    private boolean same(RecordedEvent recorded, String field, Object is, Object shouldBe) {
        if (Objects.equals(is, shouldBe)) {
            return true;
        }
        differences.add(NAME, recorded, field, text(is), text(shouldBe));
        return false;
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

    long decisions() {
        return decisions;
    }

    long mismatches() {
        return mismatches;
    }

    @Override
    public Check result() {
        String by = names.isEmpty() ? "" : " by " + String.join(", ", names.stream().sorted().toList());
        return new Check(
                NAME,
                mismatches == 0,
                decisions + " derived again" + by + (pinned > 0 ? " (" + pinned + " named by the client)" : "") + ", " + mismatches
                        + " differ");
    }
}
