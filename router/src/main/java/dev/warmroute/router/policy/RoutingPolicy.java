package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;

/**
 * Chooses a replica for a request. Pure: the same request and view give the same placement, anywhere and at any time. What
 * it needs to remember, the runtime keeps and hands in through the view.
 */
public interface RoutingPolicy {
    /** What this policy is, with every parameter: enough to build it again with {@link Policies}. */
    PolicySpec spec();

    /**
     * Chooses. Only eligible replicas are considered; when there is none the placement is {@link Placement#nowhere}.
     */
    Placement choose(RoutingRequest request, FleetView fleet);

    /** What it reads. */
    default Needs needs() {
        return Needs.NOTHING;
    }

    /** Whether it reads the conversation's id and home. */
    default boolean needsSession() {
        return needs().has(Input.SESSION);
    }
}
