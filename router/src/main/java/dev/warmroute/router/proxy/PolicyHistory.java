package dev.warmroute.router.proxy;

import dev.warmroute.router.UserError;
import dev.warmroute.router.config.ModelConfig;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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

        /** What follows from another configuration; a check stays good for as long as the policy that passed it decides. */
        InForce then(ModelConfig next, Optional<String> itsCheck) {
            InForce then = of(next, itsCheck);
            return itsCheck.isEmpty() && then.policy.equals(policy) ? new InForce(next, policy, checkHash) : then;
        }

        /**
         * Names what is in force: hash of the configured policy, affinity, and the check. Equal where nothing that can be
         * changed differs.
         */
        String tag() {
            String configured = configured(config).spec().hash();
            return configured
                    + (config.affinity() ? ":on" : ":off")
                    + checkHash.map(h -> ":" + h).orElse("");
        }

        /** For people. */
        String description() {
            return policy.name() + " decides, configured are " + config.policy() + " "
                    + new TreeMap<>(config.policyParameters()) + " and affinity " + (config.affinity() ? "on" : "off");
        }

        private static RoutingPolicy configured(ModelConfig config) {
            return Policies.create(config.policy(), config.policyParameters(), config.maxNumSeqs());
        }

        /** With affinity off, a policy that lives on it is replaced by the plain balance of load. */
        static RoutingPolicy policy(ModelConfig config) {
            RoutingPolicy policy = configured(config);
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

    /**
     * Refuses what was meant for something else, such as what somebody has changed in the meantime.
     *
     * @param expected tag of what it was meant for; empty: whatever is in force
     * @throws UserError if that is not in force
     */
    void require(Optional<String> expected) {
        InForce here = now;
        if (expected.isPresent() && !expected.get().equals(here.tag())) {
            throw new UserError("model '" + here.config().name() + "' is not, or no longer, what this was meant for: "
                    + here.description() + " (in_force " + here.tag() + "); look at it and check again");
        }
    }

    /** Takes the next; returns whether it differs from what is in force. */
    boolean goOn(InForce next) {
        if (next.tag().equals(now.tag())) {
            return false;
        }
        before.push(now);
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
