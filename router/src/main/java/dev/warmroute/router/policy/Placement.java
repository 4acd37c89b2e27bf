package dev.warmroute.router.policy;

import dev.warmroute.router.event.Kind;
import dev.warmroute.router.fleet.FleetView;

/**
 * What a policy decided.
 *
 * @param replica index of the chosen replica, or {@link FleetView#NONE} when the request is held or nobody is eligible
 * @param home index of the conversation's home after the decision, or {@link FleetView#NONE}
 * @param scores the policy's score of each replica, or an empty array when it computes none; NaN for a replica it did not
 *     look at
 * @param threshold in-flight count at which a home overflows, or conversations that may have a place; NaN when the policy has none
 * @param propensity probability of this choice in this situation
 * @param room conversations that may have a place on the chosen replica; {@link #NO_LIMIT} when the policy sets none
 * @param askAgainSeconds when the request is held: after so long its policy wants to be asked again, if nothing else happens
 */
public record Placement(
        Kind kind,
        int replica,
        int home,
        double[] scores,
        double threshold,
        double propensity,
        int room,
        double askAgainSeconds) {
    /** Any number of places. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private static final double[] NO_SCORES = {};

    private Placement(Kind kind, int replica, int home) {
        this(kind, replica, home, NO_SCORES, Double.NaN, 1, NO_LIMIT, Double.POSITIVE_INFINITY);
    }

    /** A choice that leaves no home behind. */
    public static Placement balanced(int replica) {
        return new Placement(Kind.BALANCED, replica, FleetView.NONE);
    }

    /** A choice that makes the chosen replica the conversation's home, or keeps it. */
    public static Placement atHome(Kind kind, int replica) {
        return new Placement(kind, replica, replica);
    }

    /** The chosen replica becomes the conversation's home, or stays it; the kind says which, and why. */
    public static Placement withHome(FleetView fleet, int replica) {
        Kind kind;
        if (!fleet.hasHome()) {
            kind = Kind.PLACED;
        } else if (fleet.home() == replica) {
            kind = Kind.STICKY;
        } else {
            kind = fleet.replica(fleet.home()).eligible() ? Kind.MOVED : Kind.FAILOVER;
        }
        return atHome(kind, replica);
    }

    /** The client named the replica itself; the home stays. */
    public static Placement pinned(int replica, int home) {
        return new Placement(Kind.PINNED, replica, home);
    }

    /** No replica can take the request. */
    public static Placement nowhere(int home) {
        return new Placement(Kind.UNROUTED, FleetView.NONE, home);
    }

    /** The request is kept at the router; the home stays, a place that the conversation had does not. */
    public static Placement held(int home, double askAgainSeconds) {
        return new Placement(Kind.HELD, FleetView.NONE, home, NO_SCORES, Double.NaN, 1, NO_LIMIT, askAgainSeconds);
    }

    /** The chosen replica has so many places for conversations, this one's included. */
    public Placement withRoom(int places) {
        return new Placement(kind, replica, home, scores, threshold, propensity, places, askAgainSeconds);
    }

    public Placement withScores(double[] scores) {
        return new Placement(kind, replica, home, scores, threshold, propensity, room, askAgainSeconds);
    }

    public Placement withThreshold(double threshold) {
        return new Placement(kind, replica, home, scores, threshold, propensity, room, askAgainSeconds);
    }

    public Placement withPropensity(double propensity) {
        return new Placement(kind, replica, home, scores, threshold, propensity, room, askAgainSeconds);
    }

    /** Same decision about this request, sent elsewhere while the home stays. */
    public Placement overflowTo(int other) {
        return new Placement(Kind.OVERFLOW, other, home, scores, threshold, propensity, room, askAgainSeconds);
    }

    public boolean held() {
        return kind == Kind.HELD;
    }

    public boolean chosen() {
        return replica != FleetView.NONE;
    }
}
