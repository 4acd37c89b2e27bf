package dev.warmroute.simulator.engine;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineRules.CounterMoment;
import dev.warmroute.simulator.engine.EngineRules.CounterUnit;
import dev.warmroute.simulator.kv.EngineDefaults;
import dev.warmroute.simulator.kv.EngineDefaults.Usage;
import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.VllmVersion;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * vLLM versions that differ in what is simulated here: the rules they decide by, and what a server does without
 * settings. A version between two behaves like the older.
 *
 * <p>The newest is checked step by step against the engine itself; each other one differs from its successor by the
 * change cited at the successor, with the section of {@code reference/vllm-engine.md} that has its source. A boundary
 * marked (~) is inferred there from the date of the change. Token budget, number of sequences and share of memory are
 * those of {@link EngineDefaults} for the version and the card.
 */
public enum EngineProfile {
    /**
     * V1 before 1 April 2025 (§2h): no null block. Prefix cache counters count blocks (§1b), at every look-up (§1d), of
     * requests that come back from preemption too. The preallocation of blocks for decoding of these versions, until
     * 0.8.4, is not simulated.
     */
    V0_8_0(
            new VllmVersion(0, 8, 0),
            new EngineRules(CounterUnit.BLOCKS, CounterMoment.LOOKUP, true, false, false, false),
            new Defaults(false, false, false)),

    /** Block 0 is set aside as the null block (§2h) (~). */
    V0_8_3(
            new VllmVersion(0, 8, 3),
            new EngineRules(CounterUnit.BLOCKS, CounterMoment.LOOKUP, true, false, true, false),
            V0_8_0.defaults),

    /** Prefix cache counters count tokens (#18003, §1b). */
    V0_9(
            new VllmVersion(0, 9, 0),
            new EngineRules(CounterUnit.TOKENS, CounterMoment.LOOKUP, true, false, true, false),
            V0_8_3.defaults),

    /** 1,024 sequences on large cards, which are known by their memory and no longer by name (June 2025, §3) (~). */
    V0_9_1(new VllmVersion(0, 9, 1), V0_9.rules, V0_9.defaults),

    /** Requests that come back from preemption are counted no more (#25787, §1d). */
    V0_11(
            new VllmVersion(0, 11, 0),
            new EngineRules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, false, true, false),
            V0_9_1.defaults),

    /** Asynchronous scheduling is the default (#27614, §3). */
    V0_14(new VllmVersion(0, 14, 0), V0_11.rules, new Defaults(true, false, false)),

    /** A request is admitted only if its whole sequence fits, {@code scheduler_reserve_full_isl} (#37307, §3) (~). */
    V0_19(new VllmVersion(0, 19, 0), V0_14.rules, new Defaults(true, true, false)),

    /** {@code gpu_memory_utilization} is 0.92 (#38284, §3). */
    V0_21(new VllmVersion(0, 21, 0), V0_19.rules, V0_19.defaults),

    /** Freed blocks without content are reused first (#42656, §2f) (~). */
    V0_24(
            new VllmVersion(0, 24, 0),
            new EngineRules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, true, true, false),
            V0_21.defaults),

    /** A look-up counts once, when the request is admitted (#48860, §1d) (~). */
    V0_26(
            new VllmVersion(0, 26, 0),
            new EngineRules(CounterUnit.TOKENS, CounterMoment.ADMISSION, false, true, true, false),
            V0_24.defaults),

    /**
     * 16,384 batched tokens on the largest cards (#51726, §3); prefix caching for models with recurrent states (#50991, §2i).
     */
    V0_28(new VllmVersion(0, 28, 0), V0_26.rules, new Defaults(true, true, true)),

    /** {@code long_prefill_token_threshold} leaves a request alone that has no company (§0, §3) (~). */
    V0_32(VllmVersion.REFERENCE, EngineRules.NEWEST, V0_28.defaults);

    /**
     * What a server does without settings.
     *
     * @param asyncScheduling whether a step is scheduled before the outputs of the one before are known
     * @param reserveFullIsl whether a request is admitted only when its whole sequence fits
     * @param cachesRecurrentStates whether prefix caching is on for models with recurrent states
     */
    private record Defaults(boolean asyncScheduling, boolean reserveFullIsl, boolean cachesRecurrentStates) {}

    private final VllmVersion since;
    private final EngineRules rules;
    private final Defaults defaults;

    EngineProfile(VllmVersion since, EngineRules rules, Defaults defaults) {
        this.since = since;
        this.rules = rules;
        this.defaults = defaults;
    }

    public static EngineProfile newest() {
        return V0_32;
    }

    /**
     * Returns the profile of a vLLM version.
     *
     * @throws UserError if it is older than the oldest profile
     */
    public static EngineProfile of(VllmVersion version) {
        EngineProfile found = null;
        for (EngineProfile profile : values()) {
            if (profile.since.compareTo(version) <= 0) {
                found = profile;
            }
        }
        if (found == null) {
            String known = Arrays.stream(values()).map(p -> p.since.toString()).collect(Collectors.joining(", "));
            throw new UserError("vLLM " + version + " is older than all that are simulated: " + known);
        }
        return found;
    }

    /** First version that behaves like this. */
    public VllmVersion since() {
        return since;
    }

    public EngineRules rules() {
        return rules;
    }

    /** Returns what a server of this version does without settings on a card, for a model with full attention only. */
    public EngineConfig config(GpuSpec gpu) {
        return config(EngineDefaults.of(gpu, since, Usage.SERVER), KvGroup.FULL_ONLY);
    }

    /**
     * Returns what a server of this version does with the settings of its budgets alone; the pool has no limit until it
     * is given one.
     */
    public EngineConfig config(EngineDefaults budgets, List<KvGroup> groups) {
        EngineConfig config = EngineConfig.defaults()
                .withRules(rules)
                .withGroups(groups)
                .withAsyncScheduling(defaults.asyncScheduling)
                .withReserveFullIsl(defaults.reserveFullIsl)
                .withMaxNumBatchedTokens(budgets.maxNumBatchedTokens())
                .withMaxNumSeqs(budgets.maxNumSeqs());
        return config.hasGatedDelta() ? config.withPrefixCaching(defaults.cachesRecurrentStates) : config;
    }
}
