package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/**
 * A policy whose rule is asked only when some replica may be chosen; else the placement is {@link Placement#nowhere}. What it is
 * follows from the parameters that its constructor read.
 */
abstract class RulePolicy implements RoutingPolicy {
    private final PolicyParameters parameters;
    private final int version;
    private final Needs needs;
    private PolicySpec spec;

    /** @param version grows when the same parameters would decide differently */
    RulePolicy(PolicyParameters parameters, int version) {
        this(parameters, version, Needs.NOTHING);
    }

    /** @param needs what it reads; a policy whose parameters say what, overrides {@link #needs()} */
    RulePolicy(PolicyParameters parameters, int version, Needs needs) {
        this.parameters = parameters;
        this.version = version;
        this.needs = needs;
    }

    @Override
    public final PolicySpec spec() {
        if (spec == null) {
            spec = parameters.spec(version);
        }
        return spec;
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    public final Placement choose(RoutingRequest request, FleetView fleet) {
        return fleet.eligible() == 0 ? Placement.nowhere(fleet.home()) : rule(request, fleet);
    }

    /** Chooses among the replicas that may be chosen, of which there is at least one. */
    abstract Placement rule(RoutingRequest request, FleetView fleet);
}
