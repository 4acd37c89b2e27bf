package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/** A policy whose rule is about conversations: a request without one goes where the fewest requests are in flight. */
abstract class ConversationPolicy extends RulePolicy {
    ConversationPolicy(PolicyParameters parameters, int version) {
        super(parameters, version);
    }

    ConversationPolicy(PolicyParameters parameters, int version, Needs needs) {
        super(parameters, version, needs);
    }

    @Override
    final Placement rule(RoutingRequest request, FleetView fleet) {
        return request.hasSession() ? ofConversation(request, fleet) : Placement.balanced(fleet.leastInFlight());
    }

    /** Chooses for a request whose conversation is known, among the replicas that may be chosen. */
    abstract Placement ofConversation(RoutingRequest request, FleetView fleet);
}
