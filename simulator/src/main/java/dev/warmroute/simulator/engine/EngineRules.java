package dev.warmroute.simulator.engine;

import java.util.Objects;

/**
 * What vLLM versions decide differently with the same settings; {@link EngineProfile} names the bundles and says which
 * change brought what. Sections are those of {@code reference/vllm-engine.md}.
 *
 * @param counterUnit what {@code prefix_cache_queries} and {@code prefix_cache_hits} count (§1b)
 * @param counterMoment when they count (§1d)
 * @param countResumed whether a look-up of a request that comes back from preemption counts (§1d)
 * @param unhashedFirst whether a freed block without a hash goes to the head of the free queue (reused first) and not
 *     to its tail; with prefix caching off it then holds for every block (§2f)
 * @param nullBlock whether block 0 is set aside, so that one block fewer is usable (§2h)
 * @param loneLongPrefill whether {@code long_prefill_token_threshold} leaves a request alone that has no company (§0)
 */
public record EngineRules(
        CounterUnit counterUnit,
        CounterMoment counterMoment,
        boolean countResumed,
        boolean unhashedFirst,
        boolean nullBlock,
        boolean loneLongPrefill) {

    /** Rules of vLLM 0.26 and newer, checked step by step against 0.32. */
    public static final EngineRules NEWEST =
            new EngineRules(CounterUnit.TOKENS, CounterMoment.ADMISSION, false, true, true, true);

    /** Unit of the prefix cache counters. */
    public enum CounterUnit {
        BLOCKS,
        TOKENS
    }

    /** Moment at which the prefix cache counters move. */
    public enum CounterMoment {
        /** At every attempt to admit the request at the head of the queue, successful or not. */
        LOOKUP,
        /** Once, when the request is admitted. */
        ADMISSION
    }

    public EngineRules {
        Objects.requireNonNull(counterUnit, "counterUnit");
        Objects.requireNonNull(counterMoment, "counterMoment");
    }
}
