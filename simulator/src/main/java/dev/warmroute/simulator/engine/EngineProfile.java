package dev.warmroute.simulator.engine;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineRules.CounterMoment;
import dev.warmroute.simulator.engine.EngineRules.CounterUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * vLLM versions that differ in what is simulated here: rules, and defaults of a server started without settings. A
 * version between two behaves like the older. The newest is checked step by step against the engine itself; the others
 * differ from it by the change cited at each constant. A boundary marked (~) is inferred from the date of the change.
 */
public enum EngineProfile {
    /**
     * V1 before 1 April 2025: no null block. Its preallocation of blocks for decoding (until 0.8.4) is not simulated.
     * Prefix cache counters count blocks, at every look-up.
     */
    V0_8_0(
            "0.8.0",
            rules(CounterUnit.BLOCKS, CounterMoment.LOOKUP, true, false, false, false),
            false, false, 8192, 256, 0.90, false),

    /** Block 0 is set aside as the null block. */
    V0_8_3(
            "0.8.3",
            rules(CounterUnit.BLOCKS, CounterMoment.LOOKUP, true, false, true, false),
            false, false, 8192, 256, 0.90, false),

    /** Prefix cache counters count tokens (#18003). */
    V0_9(
            "0.9.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, true, false, true, false),
            false, false, 8192, 256, 0.90, false),

    /** 1,024 sequences on large cards (June 2025) (~). */
    V0_10(
            "0.10.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, true, false, true, false),
            false, false, 8192, 1024, 0.90, false),

    /** Requests that come back from preemption count no more (#25787). */
    V0_11(
            "0.11.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, false, true, false),
            false, false, 8192, 1024, 0.90, false),

    /** Asynchronous scheduling is the default (#27614). */
    V0_14(
            "0.14.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, false, true, false),
            true, false, 8192, 1024, 0.90, false),

    /** A request is admitted only if its whole sequence fits, {@code scheduler_reserve_full_isl} (#37307) (~). */
    V0_19(
            "0.19.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, false, true, false),
            true, true, 8192, 1024, 0.90, false),

    /** {@code gpu_memory_utilization} 0.92 (#38284). */
    V0_21(
            "0.21.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, false, true, false),
            true, true, 8192, 1024, 0.92, false),

    /** Freed blocks without content are reused first (#42656) (~). */
    V0_24(
            "0.24.0",
            rules(CounterUnit.TOKENS, CounterMoment.LOOKUP, false, true, true, false),
            true, true, 8192, 1024, 0.92, false),

    /** A look-up counts once, when the request is admitted (#48860) (~). */
    V0_26(
            "0.26.0",
            rules(CounterUnit.TOKENS, CounterMoment.ADMISSION, false, true, true, false),
            true, true, 8192, 1024, 0.92, false),

    /** 16,384 batched tokens on large cards (#51726); prefix caching for models with recurrent states (#50991). */
    V0_28(
            "0.28.0",
            rules(CounterUnit.TOKENS, CounterMoment.ADMISSION, false, true, true, false),
            true, true, 16384, 1024, 0.92, true),

    /** {@code long_prefill_token_threshold} leaves a request alone that has no company (~). */
    V0_32("0.32.0", EngineRules.NEWEST, true, true, 16384, 1024, 0.92, true);

    private static final int OTHER_BATCHED_TOKENS = 2048;
    private static final int OTHER_SEQS = 256;

    private final String since;
    private final EngineRules rules;
    private final boolean asyncScheduling;
    private final boolean reserveFullIsl;
    private final int largeBatchedTokens;
    private final int largeSeqs;
    private final double gpuMemoryUtilization;
    private final boolean cachesRecurrentStates;

    EngineProfile(
            String since,
            EngineRules rules,
            boolean asyncScheduling,
            boolean reserveFullIsl,
            int largeBatchedTokens,
            int largeSeqs,
            double gpuMemoryUtilization,
            boolean cachesRecurrentStates) {
        this.since = since;
        this.rules = rules;
        this.asyncScheduling = asyncScheduling;
        this.reserveFullIsl = reserveFullIsl;
        this.largeBatchedTokens = largeBatchedTokens;
        this.largeSeqs = largeSeqs;
        this.gpuMemoryUtilization = gpuMemoryUtilization;
        this.cachesRecurrentStates = cachesRecurrentStates;
    }

    public static EngineProfile newest() {
        return V0_32;
    }

    /**
     * Returns the profile of a vLLM version.
     *
     * @param version as {@code /version} answers, as {@code 0.22.1} or {@code 0.32.0+cpu}; missing parts count as 0
     * @throws UserError if it is no version, or older than the oldest profile
     */
    public static EngineProfile of(String version) {
        int[] asked = parts(version);
        EngineProfile found = null;
        for (EngineProfile profile : values()) {
            if (Arrays.compare(parts(profile.since), asked) <= 0) {
                found = profile;
            }
        }
        if (found == null) {
            String known = Arrays.stream(values()).map(EngineProfile::since).collect(Collectors.joining(", "));
            throw new UserError("vLLM version '" + version + "' is older than all that are simulated: " + known);
        }
        return found;
    }

    /** First version that behaves like this. */
    public String since() {
        return since;
    }

    public EngineRules rules() {
        return rules;
    }

    /** Default of {@code gpu_memory_utilization}. */
    public double gpuMemoryUtilization() {
        return gpuMemoryUtilization;
    }

    /** Returns what a server of this version does without settings, for a model with full attention only. */
    public EngineConfig config(GpuClass gpu) {
        return config(gpu, KvGroup.FULL_ONLY);
    }

    /** Returns what a server of this version does without settings; the pool has no limit until it is given one. */
    public EngineConfig config(GpuClass gpu, List<KvGroup> groups) {
        EngineConfig config = EngineConfig.defaults()
                .withRules(rules)
                .withGroups(groups)
                .withAsyncScheduling(asyncScheduling)
                .withReserveFullIsl(reserveFullIsl)
                .withMaxNumBatchedTokens(gpu == GpuClass.LARGE ? largeBatchedTokens : OTHER_BATCHED_TOKENS)
                .withMaxNumSeqs(gpu == GpuClass.LARGE ? largeSeqs : OTHER_SEQS);
        return config.hasGatedDelta() ? config.withPrefixCaching(cachesRecurrentStates) : config;
    }

    private static EngineRules rules(
            CounterUnit unit,
            CounterMoment moment,
            boolean countResumed,
            boolean unhashedFirst,
            boolean nullBlock,
            boolean loneLongPrefill) {
        return new EngineRules(unit, moment, countResumed, unhashedFirst, nullBlock, loneLongPrefill);
    }

    private static int[] parts(String version) {
        if (!version.matches("v?\\d{1,6}(\\.\\d{1,6}){0,2}([.+]?[^\\d.].*)?")) {
            throw new UserError("'" + version + "' is no vLLM version; expected one like 0.32.0");
        }
        int[] parts = new int[3];
        int i = 0;
        for (String part : version.replaceFirst("^v", "").replaceFirst("[.+]?[^\\d.].*$", "").split("\\.")) {
            parts[i++] = Integer.parseInt(part);
        }
        return parts;
    }
}
