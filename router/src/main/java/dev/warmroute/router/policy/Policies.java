package dev.warmroute.router.policy;

import dev.warmroute.router.Nearest;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.policy.PolicyParameters.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Registry of the routing policies: one constant each, in the order in which they are shown. */
public enum Policies {
    RANDOM("random", RandomPolicy::new, "any replica, each as likely", "baseline"),
    ROUND_ROBIN("round_robin", RoundRobinPolicy::new, "one replica after the other", "baseline"),
    LEAST_IN_FLIGHT(
            "least_in_flight",
            LeastInFlightPolicy::new,
            "the replica with the fewest requests in flight",
            "baseline",
            "least_inflight"),
    HASH(
            "hash",
            HashPolicy::new,
            "a conversation's hash modulo the number of replicas",
            "the farm of seven cards before LM Warden",
            "warden_hash",
            "blake2b_mod"),
    WARDEN(
            "warden",
            WardenPolicy::new,
            "placed by load, kept at home, overflowing when the home is busy",
            "LM Warden, October 2026",
            "affinity");

    /** {@code max_num_seqs} assumed when the configuration does not say. */
    public static final int ASSUMED_MAX_NUM_SEQS = 256;

    private final String policyName;
    private final Function<PolicyParameters, RoutingPolicy> factory;
    private final String summary;
    private final String source;
    private final List<String> aliases;

    Policies(
            String policyName,
            Function<PolicyParameters, RoutingPolicy> factory,
            String summary,
            String source,
            String... aliases) {
        this.policyName = policyName;
        this.factory = factory;
        this.summary = summary;
        this.source = source;
        this.aliases = List.of(aliases);
    }

    public String policyName() {
        return policyName;
    }

    public String summary() {
        return summary;
    }

    /** Where the rule and its constants are from. */
    public String source() {
        return source;
    }

    /** Other names that are accepted. */
    public List<String> aliases() {
        return aliases;
    }

    /** Its parameters, in the order in which they are shown. */
    public List<Parameter> parameters() {
        PolicyParameters none = new PolicyParameters(policyName, Map.of(), ASSUMED_MAX_NUM_SEQS);
        factory.apply(none);
        return none.declared();
    }

    /** Returns the policy with this name or old name, or refuses with the names there are. */
    public static Policies named(String name) {
        for (Policies p : values()) {
            if (p.policyName.equals(name) || p.aliases.contains(name)) {
                return p;
            }
        }
        List<String> names = Arrays.stream(values()).map(Policies::policyName).toList();
        throw new PolicyError(
                "name",
                "there is no policy '" + name + "'; "
                        + Nearest.to(name, names)
                                .map(n -> "did you mean '" + n + "'?")
                                .orElse("there are " + String.join(", ", names)));
    }

    /**
     * Builds a policy.
     *
     * @param parameters by name; missing ones take their defaults, unknown ones are refused
     * @param maxNumSeqs the model's {@code max_num_seqs}
     */
    public static RoutingPolicy create(String name, Map<String, String> parameters, int maxNumSeqs) {
        Policies registered = named(name);
        PolicyParameters given = new PolicyParameters(registered.policyName, parameters, maxNumSeqs);
        RoutingPolicy policy = registered.factory.apply(given);
        given.requireNothingElse();
        return policy;
    }

    /** Builds the policy that an event names, from the event alone. */
    public static RoutingPolicy recorded(PolicyIdentity identity) {
        RoutingPolicy policy = create(identity.name(), identity.config(), ASSUMED_MAX_NUM_SEQS);
        if (policy.spec().version() != identity.version()) {
            throw new UserError("the recording has policy '" + identity.name() + "' version " + identity.version()
                    + ", this warmroute has version " + policy.spec().version());
        }
        return policy;
    }
}
