package dev.warmroute.router.proxy;

import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * What decides for a model, and what decided before each change since the router was started: as long as changes are in force
 * themselves. Going back takes a change away, so that going back again goes further back, and never forward to what was just
 * left. Changed by one thread at a time.
 */
final class PolicyHistory {
    /** Changes that can be taken back; older ones are forgotten. */
    static final int MOST = 32;

    /**
     * What decides.
     *
     * @param policy the one that follows from the configuration
     * @param checkHash of the check that it has passed, when it came through the gate
     */
    record InForce(ModelConfig config, PolicyIdentity policy, Optional<String> checkHash) {
        static InForce of(ModelConfig config, Optional<String> checkHash) {
            return new InForce(config, policy(config).spec().identity(), checkHash);
        }

        /** With affinity off, a policy that lives on it is replaced by the plain balance of load. */
        static RoutingPolicy policy(ModelConfig config) {
            RoutingPolicy policy = Policies.create(config.policy(), config.policyParameters(), config.maxNumSeqs());
            return config.affinity() || !policy.needsSession()
                    ? policy
                    : Policies.create(Policies.LEAST_IN_FLIGHT.policyName(), Map.of(), config.maxNumSeqs());
        }
    }

    private volatile InForce now;
    private final Deque<InForce> before = new ArrayDeque<>();

    PolicyHistory(InForce first) {
        now = first;
    }

    /** May be asked by any thread. */
    InForce now() {
        return now;
    }

    /** Takes the next; returns whether another policy decides from now on. */
    boolean goOn(InForce next) {
        InForce left = now;
        if (next.policy().equals(left.policy())) {
            now = new InForce(next.config(), left.policy(), left.checkHash());
            return false;
        }
        before.push(left);
        if (before.size() > MOST) {
            before.removeLast();
        }
        now = next;
        return true;
    }

    /** What going back would bring. */
    Optional<InForce> previous() {
        return Optional.ofNullable(before.peek());
    }

    /** Takes the last change back; returns whether there was one. */
    boolean goBack() {
        if (before.isEmpty()) {
            return false;
        }
        now = before.pop();
        return true;
    }
}
