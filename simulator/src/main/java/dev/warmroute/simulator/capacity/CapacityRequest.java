package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a capacity analysis is asked.
 *
 * @param blockSize tokens a KV block, at least 1
 * @param at capacities in tokens at which the reuse curve is wanted besides its own points
 * @param cache the fleet's cache; without it there is only the reuse curve
 * @param sessions sessions at the same time; without it the trace's own concurrency, if it has one
 * @param check the simulated check; empty for none
 * @param served the model behind the cache, where it is known: for warnings and advice
 * @param outlook what is asked beyond a verdict
 */
public record CapacityRequest(
        int blockSize,
        List<Long> at,
        Optional<CacheSize> cache,
        OptionalInt sessions,
        Optional<Check> check,
        Optional<ServedModel> served,
        Outlook outlook) {
    public CapacityRequest {
        at = List.copyOf(at);
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(served, "served");
        Objects.requireNonNull(outlook, "outlook");
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
        this(blockSize, at, cache, sessions, check, Optional.empty(), Outlook.VERDICT);
    }

    /** The same question with more to be said of it. */
    public CapacityRequest withOutlook(Outlook other) {
        return new CapacityRequest(blockSize, at, cache, sessions, check, served, other);
    }

    /**
     * What is asked beyond a verdict.
     *
     * @param growthPctPerDay expected growth of the demand, in percent of today's a day; empty to look for it in the trace
     * @param windowS window of the working set, in seconds; empty to choose it by the sessions' pauses
     * @param advice whether to look for what would move the limit; needs a check
     */
    public record Outlook(OptionalDouble growthPctPerDay, OptionalDouble windowS, boolean advice) {
        /** Nothing more. */
        public static final Outlook VERDICT = new Outlook(OptionalDouble.empty(), OptionalDouble.empty(), false);

        public Outlook {
            Objects.requireNonNull(growthPctPerDay, "growthPctPerDay");
            Objects.requireNonNull(windowS, "windowS");
        }
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
     * @param host host memory of a replica as a second cache
     */
    public record Check(
            PolicyChoice policy,
            TimingPreset timing,
            int maxNumSeqs,
            int maxNumBatchedTokens,
            double seconds,
            int seeds,
            int threads,
            Optional<HostMemory> host) {
        public Check {
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(timing, "timing");
            Objects.requireNonNull(host, "host");
        }

        /** Without host memory. */
        public Check(
                PolicyChoice policy,
                TimingPreset timing,
                int maxNumSeqs,
                int maxNumBatchedTokens,
                double seconds,
                int seeds,
                int threads) {
            this(policy, timing, maxNumSeqs, maxNumBatchedTokens, seconds, seeds, threads, Optional.empty());
        }

        /** Affinity on a small card (vLLM's defaults for it), ten minutes, three seeds. */
        public static Check defaults() {
            return new Check(PolicyChoice.of("warden"), TimingPresets.DEFAULT.preset(), 256, 2048, 600, 3, 1);
        }

        public Check withHost(Optional<HostMemory> other) {
            return new Check(policy, timing, maxNumSeqs, maxNumBatchedTokens, seconds, seeds, threads, other);
        }

        Check withPolicy(PolicyChoice other) {
            return new Check(other, timing, maxNumSeqs, maxNumBatchedTokens, seconds, seeds, threads, host);
        }

        Check withTiming(TimingPreset other) {
            return new Check(policy, other, maxNumSeqs, maxNumBatchedTokens, seconds, seeds, threads, host);
        }

        /** At most so many seconds of made-up sessions. */
        Check atMost(double mostSeconds) {
            return new Check(
                    policy,
                    timing,
                    maxNumSeqs,
                    maxNumBatchedTokens,
                    Math.min(seconds, mostSeconds),
                    seeds,
                    threads,
                    host);
        }
    }
}
