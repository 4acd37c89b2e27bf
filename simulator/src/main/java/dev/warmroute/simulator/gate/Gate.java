package dev.warmroute.simulator.gate;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.Study;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a policy has to show before it reaches a router.
 *
 * @param policy the one that is checked
 * @param baseline the one that it is held against: that of the recording, or the one in force; assertions that name the baseline
 *     need it
 * @param assertions at least one
 * @param by which number has to be on the right side of a bound
 * @param unfaithfulAccepted whether a recording counts that the simulator cannot replay as it was
 */
public record Gate(
        PolicyChoice policy,
        Optional<PolicyChoice> baseline,
        List<Assertion> assertions,
        JudgeBy by,
        boolean unfaithfulAccepted) {
    /** Fewest runs with different seeds behind a figure that lets a policy pass. */
    public static final int LEAST_SEEDS = 10;

    public Gate {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(by, "by");
        assertions = List.copyOf(assertions);
        if (assertions.isEmpty()) {
            throw new UserError("a check needs at least one assertion, as in --assert 'hit>=70%'");
        }
        for (Assertion a : assertions) {
            if (a.relative() && baseline.isEmpty()) {
                throw new UserError(
                        "the assertion '" + a.text() + "' needs the policy to hold against, which the trace does not"
                                + " tell: name it with --baseline");
            }
        }
        // A baseline that nothing is held against would only take time.
        if (assertions.stream().noneMatch(Assertion::relative)) {
            baseline = Optional.empty();
        }
    }

    /** The policies of the what-if that is to be judged, the baseline first. */
    public List<PolicyChoice> policies() {
        return Stream.concat(baseline.stream(), Stream.of(policy)).toList();
    }

    /** Whether the capacity is asked about. */
    public boolean asksWhetherItFits() {
        return assertions.stream().anyMatch(a -> a instanceof Assertion.Fits);
    }

    /** Refuses fewer seeds than a verdict needs. */
    public static int seeds(int seeds) {
        if (seeds < LEAST_SEEDS) {
            throw new UserError("a check needs at least " + LEAST_SEEDS + " seeds, not " + seeds);
        }
        return seeds;
    }

    /**
     * A policy with only those parameters that differ from the defaults before such engines: the same policy, in a name that can
     * be read.
     */
    public static PolicyChoice concise(PolicyChoice choice, int maxNumSeqs) {
        Map<String, String> defaults =
                Policies.create(choice.name(), Map.of(), maxNumSeqs).spec().parameters();
        Map<String, String> own = new TreeMap<>(choice.parameters());
        own.entrySet().removeIf(e -> e.getValue().equals(defaults.get(e.getKey())));
        return new PolicyChoice(choice.name(), own);
    }

    /** The policy as a router with such engines would have it. */
    public PolicyIdentity identity(int maxNumSeqs) {
        return identity(policy, maxNumSeqs);
    }

    private static PolicyIdentity identity(PolicyChoice choice, int maxNumSeqs) {
        return Policies.create(choice.name(), choice.parameters(), maxNumSeqs)
                .spec()
                .identity();
    }

    /**
     * Judges.
     *
     * @param request what was replayed, with these {@link #policies}
     * @param study what came of it
     * @param selfReplay the recording replayed as it was; empty for other traces
     * @param capacity needed for {@code fits}
     * @param notes what a reader should know of how it was replayed
     * @param version of warmroute
     */
    public CheckResult judge(
            WhatIfRequest request,
            Study study,
            Optional<SelfReplay> selfReplay,
            Optional<CapacityResult> capacity,
            List<String> notes,
            String version) {
        if (!request.policies().equals(policies())) {
            throw new IllegalArgumentException("judged are " + policies() + ", replayed were " + request.policies());
        }
        seeds(request.seeds());
        OptionalInt base = baseline.isPresent() ? OptionalInt.of(0) : OptionalInt.empty();
        Judge judge = new Judge(study, base.isPresent() ? 1 : 0, base, capacity, by);
        int maxNumSeqs = request.fleet().engine().maxNumSeqs();
        WhatIfResult result = study.result();
        TraceSummary trace = result.trace();
        return new CheckResult(
                new Evidence(
                        assertions.stream().map(judge::judge).toList(),
                        identity(policy, maxNumSeqs),
                        baseline.map(b -> identity(b, maxNumSeqs)),
                        by,
                        unfaithfulAccepted,
                        selfReplay,
                        trace.hash().isEmpty() ? trace.source() : trace.hash(),
                        result.fleet(),
                        result.policies(),
                        version),
                trace.source(),
                notes);
    }
}
