package dev.warmroute.simulator.compare;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WarmStart;
import java.util.LinkedHashMap;
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

    /** The same question about other policies. */
    public WhatIfRequest withPolicies(List<PolicyChoice> others) {
        return new WhatIfRequest(subject, fleet, capacitySource, timing, others, seeds, threads);
    }

    /** The same on replicas that compute these prompts when they start. */
    public WhatIfRequest warming(WarmStart prompts) {
        return new WhatIfRequest(
                subject, fleet.withWarmStart(prompts), capacitySource, timing, policies, seeds, threads);
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

        /**
         * Reads {@code warden}, or with parameters {@code warden:overflow_threshold=4:kv_weight=0}.
         *
         * @throws UserError if a parameter is not {@code NAME=VALUE}
         */
        public static PolicyChoice parse(String text) {
            String[] parts = text.split(":");
            Map<String, String> parameters = new LinkedHashMap<>();
            for (int i = 1; i < parts.length; i++) {
                int equals = parts[i].indexOf('=');
                if (equals < 1) {
                    throw new UserError("'" + parts[i] + "' in " + text + " is not NAME=VALUE");
                }
                parameters.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
            }
            return new PolicyChoice(parts[0], parameters);
        }

        /**
         * This choice, if there is such a policy with such parameters.
         *
         * @throws UserError if there is none
         */
        public PolicyChoice checked() {
            create(Policies.ASSUMED_MAX_NUM_SEQS);
            return this;
        }

        /** Name in tables: the policy's own name, with the parameters that were given, {@code warden:overflow_threshold=4}. */
        public String label() {
            StringBuilder label = new StringBuilder(Policies.named(name).policyName());
            new TreeMap<>(parameters)
                    .forEach((k, v) -> label.append(':').append(k).append('=').append(v));
            return label.toString();
        }

        /** Builds the policy for engines that run so many requests at a time. */
        public RoutingPolicy create(int maxNumSeqs) {
            return Policies.create(name, parameters, maxNumSeqs);
        }
    }
}
