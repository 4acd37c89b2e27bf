package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a capacity analysis is asked.
 *
 * @param blockSize tokens a KV block, at least 1
 * @param at capacities in tokens at which the reuse curve is wanted besides its own points
 * @param cache the fleet's cache; without it there is only the reuse curve
 * @param sessions sessions at the same time; without it the trace's own concurrency, if it has one
 * @param check the simulated check; empty for none
 * @param served the model behind the cache, where it is known: for warnings
 */
public record CapacityRequest(
        int blockSize,
        List<Long> at,
        Optional<CacheSize> cache,
        OptionalInt sessions,
        Optional<Check> check,
        Optional<ServedModel> served) {
    public CapacityRequest {
        at = List.copyOf(at);
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(served, "served");
        if (blockSize < 1) {
            throw new UserError("the block size must be at least 1 token, not " + blockSize);
        }
        if (sessions.isPresent() && sessions.getAsInt() < 1) {
            throw new UserError("sessions must be at least 1, not " + sessions.getAsInt());
        }
        for (long tokens : at) {
            if (tokens < 1) {
                throw new UserError("a capacity must be at least 1 token, not " + tokens);
            }
        }
    }

    /** A request about a model that is not known. */
    public CapacityRequest(
            int blockSize, List<Long> at, Optional<CacheSize> cache, OptionalInt sessions, Optional<Check> check) {
        this(blockSize, at, cache, sessions, check, Optional.empty());
    }

    /** Only the reuse curve of a trace. */
    public static CapacityRequest reuse(int blockSize, List<Long> at) {
        return new CapacityRequest(blockSize, at, Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    /**
     * How to simulate.
     *
     * @param policy routing policy
     * @param timing step times
     * @param maxNumSeqs running requests of a replica
     * @param maxNumBatchedTokens token budget of a step
     * @param seconds simulated time for sessions that are made up
     * @param seeds runs with different seeds
     * @param threads runs at the same time
     */
    public record Check(
            PolicyChoice policy,
            TimingPreset timing,
            int maxNumSeqs,
            int maxNumBatchedTokens,
            double seconds,
            int seeds,
            int threads) {

        /** Affinity on a small card (vLLM's defaults for it), ten minutes, three seeds. */
        public static Check defaults() {
            return new Check(PolicyChoice.of("warden"), TimingPresets.DEFAULT.preset(), 256, 2048, 600, 3, 1);
        }
    }
}
