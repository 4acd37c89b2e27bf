package dev.warmroute.simulator.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A recording replayed as it was: what its figures would be if the simulator were the fleet. How far that is from what the
 * engines counted is how far any other figure may be off.
 *
 * @param policy policy that decided when it was recorded; empty when there were several, or none is known
 * @param requests requests of which the engine said how many tokens were cached
 * @param recorded what the engines counted
 * @param cacheAlone the replay with placements and times as recorded, in which only the caches are predicted: what it is off is
 *     the cache's, and what the others are off beyond it is the step times'; empty when the recording does not say all times
 * @param asPlaced the replay, each request on the replica that served it
 * @param byPolicy the replay with the recorded policy deciding again; empty when it is not known, or draws at random
 * @param cachedOffPct cached tokens of the replay against the recorded ones, in percent; by the policy where there is that
 * @param tolerancePct largest difference at which the replay counts as faithful
 * @param faithful whether it is within that
 */
public record SelfReplay(
        String policy,
        long requests,
        Figures recorded,
        Optional<CacheAlone> cacheAlone,
        Figures asPlaced,
        Optional<Figures> byPolicy,
        double cachedOffPct,
        double tolerancePct,
        boolean faithful) {
    public SelfReplay {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(recorded, "recorded");
        Objects.requireNonNull(cacheAlone, "cacheAlone");
        Objects.requireNonNull(asPlaced, "asPlaced");
        Objects.requireNonNull(byPolicy, "byPolicy");
    }

    /**
     * Figures of the requests that are compared.
     *
     * @param exactRequests requests with exactly the recorded cached tokens; all of them for the recording itself
     */
    public record Figures(
            long cachedTokens,
            double hitPct,
            long exactRequests,
            OptionalDouble outputTokensPerMin,
            @JsonProperty("ttft_p50_s") OptionalDouble ttftP50S,
            @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S) {}

    /**
     * Hits when only the caches are predicted.
     *
     * @param exactRequests requests with exactly the recorded cached tokens
     * @param offPct cached tokens against the recorded ones, in percent
     */
    public record CacheAlone(long cachedTokens, double hitPct, long exactRequests, double offPct) {}
}
