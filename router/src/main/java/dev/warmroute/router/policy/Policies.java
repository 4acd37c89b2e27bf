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
    P2C_INFLIGHT(
            "p2c_inflight",
            PowerOfTwoPolicy::inFlight,
            "the less busy of two drawn at random",
            "vllm-router power_of_two",
            "p2c_in_flight"),
    P2C_KV(
            "p2c_kv",
            PowerOfTwoPolicy::kvUsage,
            "the emptier KV cache of two drawn at random",
            "SGLang gateway power_of_two"),
    VLLM_DP_V1(
            "vllm_dp_v1",
            p -> new VllmDpPolicy(p, VllmDpPolicy.Generation.V1),
            "the data-parallel balancer of vLLM 0.9 to mid 2026",
            "vLLM core_client.py"),
    VLLM_DP_V2(
            "vllm_dp_v2",
            p -> new VllmDpPolicy(p, VllmDpPolicy.Generation.V2),
            "vllm_dp_v1 with rotating ties",
            "vLLM PR 47420"),
    VLLM_DP_V3(
            "vllm_dp_v3",
            p -> new VllmDpPolicy(p, VllmDpPolicy.Generation.V3),
            "vllm_dp_v2 with its own requests in flight and KV pressure",
            "vLLM PR 49204"),
    HASH(
            "hash",
            HashPolicy::new,
            "a conversation's hash modulo the number of replicas",
            "the farm of seven cards before LM Warden",
            "warden_hash",
            "blake2b_mod"),
    CONSISTENT_HASH_RING(
            "consistent_hash_ring",
            ConsistentHashRingPolicy::new,
            "a conversation's place on a hash ring",
            "vllm-router consistent_hash, production-stack session",
            "consistent_hash"),
    RAY_CONSISTENT_HASH(
            "ray_consistent_hash",
            RayConsistentHashPolicy::new,
            "a conversation's place on a hash ring, full replicas passed over in its order",
            "Ray Serve ConsistentHashRouter, ray#62906"),
    RENDEZVOUS(
            "rendezvous",
            RendezvousPolicy::new,
            "a conversation's highest random weight",
            "vllm-router rendezvous_hash",
            "rendezvous_hash"),
    CHWBL("chwbl", ChwblPolicy::new, "a hash ring with bounded loads", "KubeAI balance_chwbl.go"),
    PREFIX_HASH(
            "prefix_hash",
            PrefixHashPolicy::new,
            "the prompt's beginning on a hash ring with bounded loads",
            "SGLang gateway prefix_hash"),
    SGL_CACHE_AWARE(
            "sgl_cache_aware",
            SglCacheAwarePolicy::new,
            "the longest cached prefix while the fleet is in balance",
            "SGLang router and gateway, vllm-router cache_aware",
            "cache_aware"),
    SMG_LEAST_LOAD(
            "smg_least_load",
            SmgLeastLoadPolicy::new,
            "the least queued work and KV pressure",
            "SGLang gateway least_load"),
    SMG_MANUAL(
            "smg_manual",
            SmgManualPolicy::new,
            "a conversation's first replica, with a stand-in",
            "SGLang gateway manual"),
    STICKY_LEAST_SESSIONS(
            "sticky_least_sessions",
            StickyLeastSessionsPolicy::new,
            "placed by the number of conversations, and kept",
            "vllm-router sticky_least_loaded",
            "sticky_least_loaded"),
    WARDEN(
            "warden",
            WardenPolicy::new,
            "placed by load, kept at home, overflowing when the home is busy",
            "LM Warden, October 2026",
            "affinity"),
    FIT(
            "fit",
            FitPolicy::new,
            "as many conversations to a replica as its cache holds, the others held in order",
            "this project"),
    LLMD_DEFAULT(
            "llmd_default",
            LlmdDefaultPolicy::new,
            "queue, KV usage and prefix, weighted 2, 2 and 3",
            "llm-d default profile"),
    LLMD_AGENTIC(
            "llmd_agentic",
            LlmdAgenticPolicy::new,
            "among the replicas that hold the prefix, unless they are 18 s behind",
            "llm-d guide for agentic serving"),
    LLMD_SESSION(
            "llmd_session", LlmdSessionPolicy::new, "the home as a preference or a must", "llm-d session-affinity"),
    DYNAMO_KV("dynamo_kv", DynamoPolicy::kv, "the fewest blocks to compute and to hold", "NVIDIA Dynamo KV router"),
    DYNAMO_LMETRIC(
            "dynamo_lmetric", DynamoPolicy::lmetric, "blocks to compute times blocks held", "NVIDIA Dynamo, LMetric"),
    AIBRIX_PREFIX(
            "aibrix_prefix",
            AibrixPrefixPolicy::new,
            "the longest cached prefix within a standard deviation of the mean load",
            "AIBrix prefix-cache"),
    PREBLE(
            "preble",
            PreblePolicy::new,
            "exploit a long prefix, else explore by cost",
            "arXiv 2407.00023, AIBrix prefix-cache-preble"),
    DUALMAP("dualmap", DualMapPolicy::new, "the better of two hashed replicas", "arXiv 2602.06502"),
    SMETRIC(
            "smetric",
            SmetricPolicy::new,
            "the best cache if it meets its target, else the least work",
            "vllm-router smetric"),
    SOFT_AFFINITY_2X(
            "soft_affinity_2x",
            SoftAffinityPolicy::new,
            "at home while that costs at most twice the best",
            "agentic-kvc"),
    ORACLE("oracle", OraclePolicy::new, "the least to compute, knowing the true cache", "bound for comparison");

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
