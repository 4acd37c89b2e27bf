package dev.warmroute.simulator.engine;

import java.util.Objects;

/**
 * What vLLM versions decide differently with the same settings. {@link EngineProfile} names the bundles.
 *
 * <p>Each is explained in the change that brought it, see the constants of {@link EngineProfile}.
 *
 * @param counterUnit what {@code prefix_cache_queries} and {@code prefix_cache_hits} count
 * @param counterMoment when they count
 * @param countResumed whether a lookup of a request that comes back from preemption counts
 * @param unhashedFirst whether a freed block without a hash goes to the head of the free queue (reused first) and not
 *     to its tail; with prefix caching off it then holds for every block
 * @param nullBlock whether block 0 is set aside, so that one block fewer is usable
 * @param loneLongPrefill whether {@code long_prefill_token_threshold} leaves a request alone that has no company
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
