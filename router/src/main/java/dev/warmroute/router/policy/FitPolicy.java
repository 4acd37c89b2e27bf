package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.Input;
import dev.warmroute.router.fleet.ReplicaView;

/**
 * As many conversations to a replica as its cache holds; the others wait at the router, in order. A conversation has a place from
 * its first turn on, and goes where that is. Its place is free when it has been idle for longer than the release time; nobody knows
 * its last turn. With C tokens in a replica's cache, S common to all conversations, w of each one's own, n conversations a replica
 * (those with a place that has not lapsed, and those that wait), p seconds to compute w again, z seconds that a place stands idle
 * for each turn, and d seconds to generate an answer, all learnt from traffic:
 *
 * <pre>
 * places      k = max(1, floor((C - S) / w))
 * lost        m = min(1, max(0, 2 (n w / (C - S) - 0.9)))            part of the prefixes lost when all are let in
 * held      X_h = k / (z + d)                                        turns a second and replica when all but k wait
 * let in    X_l = min(n / (z + d + n m p), k / (d + k m p))          and when none does
 * patience    T = aging_rounds * n R / (turns that end in a second)  so many rounds in which everybody would have a turn
 * </pre>
 *
 * <p>While {@code X_h <= worth * X_l} nobody is held and the rule is that of {@link WardenPolicy}. Else the first in line has a free
 * place at home, or where the fewest conversations are (then the fewest requests in flight, then the lowest index). When it has
 * waited for T, the conversation that has been idle longest, on any replica, yields to it. A conversation loses its place when it
 * speaks and more than {@code (C - S) / 0.9 w} have one beside it.
 *
 * <p>{@code m} is read off the simulated engine: the part of the possible hits that affinity lost, with 4 conversations a replica, is
 * 0.29 where 3.84 fit and 0.61 where 3.23 do. The event's threshold is k.
 */
final class FitPolicy extends ConversationPolicy {
    /** Room that conversations may outgrow before one of them loses its place: k must not flutter with every turn. */
    private static final double CROWDED = 0.9;

    private final int places;
    private final double rounds;
    private final double worth;
    private final WardenPolicy affinity;
    private final Needs needs;

    FitPolicy(PolicyParameters parameters) {
        super(parameters, 1);
        places = parameters.count("places", 0, 0, "conversations that may have a place on a replica; 0: learnt");
        double release = parameters.number(
                "release_s",
                0.01,
                5,
                "a place idle for longer is free, s; until gaps are learnt, which stay within a tenth and ten times");
        double quantile = parameters.number(
                "gap_quantile", 0, 0.95, "quantile of the learnt gaps that is the release time; 0: none");
        rounds = parameters.number(
                "aging_rounds",
                0,
                2.2,
                "rounds after which the first in line is given an idle conversation's place: lower shortens the"
                        + " tail of the first byte, higher the tasks");
        worth = parameters.number(
                "worth", 0, 0.9, "holding must bring so many times the turns that letting all in does; 0: always hold");
        affinity = new WardenPolicy(parameters);
        needs = Needs.of(
                        Input.SESSION,
                        Input.SIGNALS,
                        Input.CAPACITY_TOKENS,
                        Input.PLACE,
                        Input.AHEAD,
                        Input.HELD,
                        Input.WAITED,
                        Input.HOLD_EXPIRED,
                        Input.COMMON_TOKENS,
                        Input.PRIVATE_TOKENS,
                        Input.LOST_PREFIX,
                        Input.IDLE_PLACE,
                        Input.ANSWER,
                        Input.TURN_RATE,
                        Input.PLACES,
                        Input.LAPSED,
                        Input.LONGEST_IDLE)
                .keeping(new Needs.Places(release, quantile));
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    Placement ofConversation(RoutingRequest request, FleetView fleet) {
        Room room = new Room(request, fleet);
        if (!holdingPays(fleet, room)) {
            return affinity.ofConversation(request, fleet);
        }
        int own = fleet.has(Input.PLACE) ? (int) fleet.input(Input.PLACE) : FleetView.NONE;
        if (own != FleetView.NONE && fleet.replica(own).eligible() && !room.crowded(own)) {
            return room.at(own);
        }
        boolean expired = fleet.input(Input.HOLD_EXPIRED) > 0;
        if (!expired && fleet.input(Input.AHEAD) > 0) {
            return Placement.held(fleet.home(), Double.POSITIVE_INFINITY);
        }
        int free = room.free();
        if (free != FleetView.NONE) {
            return room.at(free);
        }
        double patience = patience(fleet);
        double waited = fleet.input(Input.WAITED);
        int yields = expired || waited >= patience ? longestIdle(fleet) : FleetView.NONE;
        if (expired) {
            int all = yields != FleetView.NONE ? yields : fleet.least(FitPolicy::occupied, ReplicaView::inFlight);
            return room.at(all).overflowTo(all);
        }
        return yields != FleetView.NONE
                ? room.at(yields)
                : Placement.held(fleet.home(), waited < patience ? patience - waited : Double.POSITIVE_INFINITY);
    }

    private boolean holdingPays(FleetView fleet, Room room) {
        if (worth == 0) {
            return true;
        }
        double k = 0;
        double fit = 0;
        for (int r = 0; r < fleet.size(); r++) {
            if (fleet.replica(r).eligible()) {
                if (room.of(r) == Placement.NO_LIMIT) {
                    return false;
                }
                k += room.of(r);
                fit += room.fit(r);
            }
        }
        if (!fleet.has(Input.LOST_PREFIX) || !fleet.has(Input.IDLE_PLACE) || !fleet.has(Input.ANSWER)) {
            return true; // nothing is known yet, and letting too many in is the dearer mistake
        }
        k /= fleet.eligible();
        double n = conversations(fleet) / fleet.eligible();
        double idle = fleet.input(Input.IDLE_PLACE);
        double answer = fleet.input(Input.ANSWER);
        double lost = Math.clamp(2 * (n * fleet.eligible() / fit - 0.9), 0.0, 1.0) * fleet.input(Input.LOST_PREFIX);
        double held = k / (idle + answer);
        double letIn = Math.min(n / (idle + answer + n * lost), k / (answer + k * lost));
        return held > worth * letIn;
    }

    /** Those with a place that has not lapsed, those that wait, and this one. */
    private static double conversations(FleetView fleet) {
        double n = fleet.input(Input.HELD) + (fleet.has(Input.PLACE) ? 0 : 1);
        for (ReplicaView r : fleet.replicas()) {
            n += occupied(r);
        }
        return n;
    }

    private double patience(FleetView fleet) {
        return fleet.has(Input.TURN_RATE)
                ? rounds * conversations(fleet) / fleet.input(Input.TURN_RATE)
                : Double.POSITIVE_INFINITY;
    }

    private static int occupied(ReplicaView r) {
        return (int) (r.input(Input.PLACES) - r.input(Input.LAPSED));
    }

    private static int longestIdle(FleetView fleet) {
        return Scores.among(fleet, r -> r.has(Input.LONGEST_IDLE), r -> r.input(Input.LONGEST_IDLE))
                .most();
    }

    /** How many conversations fit on each replica, for one decision. */
    private final class Room {
        private final FleetView fleet;
        private final double common;
        private final double own;

        Room(RoutingRequest request, FleetView fleet) {
            this.fleet = fleet;
            common = fleet.input(Input.COMMON_TOKENS);
            own = fleet.has(Input.PRIVATE_TOKENS)
                    ? fleet.input(Input.PRIVATE_TOKENS)
                    : Math.max(1, request.promptTokens() - common);
        }

        /** (C - S) / w; NaN when the engine does not say C, and k when that was given. */
        double fit(int replica) {
            if (places > 0) {
                return places;
            }
            ReplicaView r = fleet.replica(replica);
            return r.has(Input.CAPACITY_TOKENS) ? (r.input(Input.CAPACITY_TOKENS) - common) / own : Double.NaN;
        }

        /** k. */
        int of(int replica) {
            double fit = fit(replica);
            return Double.isNaN(fit) ? Placement.NO_LIMIT : (int) Math.max(1, Math.floor(fit));
        }

        boolean crowded(int replica) {
            return occupied(fleet.replica(replica)) > Math.max(of(replica), Math.floor(fit(replica) / CROWDED));
        }

        /** Where there is a free place, or {@link FleetView#NONE}. */
        int free() {
            if (fleet.hasHome() && hasFree(fleet.home())) {
                return fleet.home();
            }
            int best = FleetView.NONE;
            for (int r = 0; r < fleet.size(); r++) {
                if (hasFree(r) && (best == FleetView.NONE || emptier(fleet.replica(r), fleet.replica(best)))) {
                    best = r;
                }
            }
            return best;
        }

        private boolean hasFree(int replica) {
            ReplicaView r = fleet.replica(replica);
            return r.eligible() && occupied(r) < of(replica);
        }

        private boolean emptier(ReplicaView a, ReplicaView b) {
            return occupied(a) != occupied(b) ? occupied(a) < occupied(b) : a.inFlight() < b.inFlight();
        }

        Placement at(int replica) {
            int k = of(replica);
            return Placement.withHome(fleet, replica)
                    .withRoom(k)
                    .withThreshold(k == Placement.NO_LIMIT ? Double.NaN : k);
        }
    }
}
