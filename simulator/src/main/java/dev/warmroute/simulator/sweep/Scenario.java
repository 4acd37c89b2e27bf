package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * One cell of a grid.
 *
 * @param sessions at a time; empty: as the trace or workload has them
 * @param cache of each replica
 * @param replicas their number; empty: the machine's own
 * @param seed of everything that is drawn
 */
public record Scenario(
        PolicyChoice policy,
        OptionalInt sessions,
        CacheChoice cache,
        OptionalInt replicas,
        long seed,
        EngineChoice engine) {
    public Scenario {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(sessions, "sessions");
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(replicas, "replicas");
        Objects.requireNonNull(engine, "engine");
        if (sessions.isPresent() && sessions.getAsInt() < 1 || replicas.isPresent() && replicas.getAsInt() < 1) {
            throw new UserError(
                    "a scenario needs at least 1 session and 1 replica, not " + sessions + " and " + replicas);
        }
    }
}
