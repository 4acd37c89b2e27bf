package dev.warmroute.router.proxy;

import dev.warmroute.router.config.Membership.Member;

/**
 * A replica's place in its model.
 *
 * @param member what it was made from
 * @param stayUntil while it is being drained: when conversations at home there have to go elsewhere, on the router's clock
 */
record Seat(Replica replica, Member member, long stayUntil) {
    static final String DRAINING = "draining";

    static Seat of(Replica replica, Member member, long now) {
        return new Seat(
                replica, member, now + member.drain().map(d -> d.toNanos()).orElse(0L));
    }

    /**
     * Why the replica may not be chosen; empty when it may.
     *
     * @param atHome whether the request's conversation is at home there
     */
    String reason(long now, boolean atHome) {
        return member.draining() && !(atHome && now - stayUntil < 0)
                ? DRAINING
                : replica.health().reason(now);
    }
}
