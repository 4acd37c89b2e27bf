package dev.warmroute.simulator.compare;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What to replay, on what, under which policies.
 *
 * @param subject the trace or workload
 * @param fleet the simulated fleet
 * @param capacitySource where its capacity comes from: {@code reported}, {@code derived}, {@code given} or {@code unlimited}
 * @param timing name of the step-time law, for the result
 * @param policies at least one
 * @param seeds runs of each policy with different seeds, at least 1
 * @param threads runs at the same time, at least 1; the result does not depend on it
 */
public record WhatIfRequest(
        Subject subject,
        FleetSpec fleet,
        String capacitySource,
        String timing,
        List<PolicyChoice> policies,
        int seeds,
        int threads) {

    public static final int DEFAULT_SEEDS = 10;

    public WhatIfRequest {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(fleet, "fleet");
        Objects.requireNonNull(capacitySource, "capacitySource");
        Objects.requireNonNull(timing, "timing");
        policies = List.copyOf(policies);
        if (policies.isEmpty()) {
            throw new UserError("name at least one policy to compare");
        }
        Seeds.atLeastOne(seeds);
        if (threads < 1) {
            throw new UserError("threads must be at least 1, not " + threads);
        }
    }

    /**
     * A policy to compare.
     *
     * @param name name in {@link Policies}, or an old one
     * @param parameters those that differ from their defaults
     */
    public record PolicyChoice(String name, Map<String, String> parameters) {
        public PolicyChoice {
            Objects.requireNonNull(name, "name");
            parameters = Map.copyOf(parameters);
        }

        public static PolicyChoice of(String name) {
            return new PolicyChoice(name, Map.of());
        }

        /** Name in tables: the policy's own name, with the parameters that were given, {@code warden:overflow_threshold=4}. */
        public String label() {
            StringBuilder label = new StringBuilder(Policies.named(name).policyName());
            new TreeMap<>(parameters).forEach((k, v) -> label.append(':').append(k).append('=').append(v));
            return label.toString();
        }

        RoutingPolicy create(int maxNumSeqs) {
            return Policies.create(name, parameters, maxNumSeqs);
        }
    }
}
