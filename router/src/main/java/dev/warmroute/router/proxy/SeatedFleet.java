package dev.warmroute.router.proxy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the members of a model say of themselves at a moment, as its policy is told. */
final class SeatedFleet {
    private SeatedFleet() {}

    /**
     * The replicas in the order of their seats.
     *
     * @param home of the conversation that asks, which may stay for a while where others may not go; empty without one
     * @param failed the replica that has just failed this request
     * @param now on the router's clock
     */
    static List<ReplicaStatus> of(
            List<Seat> asked, String home, Optional<Replica> failed, SignalsSource signals, long now) {
        List<ReplicaStatus> fleet = new ArrayList<>(asked.size());
        Replica failing = failed.orElse(null);
        for (Seat seat : asked) {
            Replica r = seat.replica();
            Signals s = signals.signals(r.id(), now);
            String reason = failing == r ? "failed_this_request" : seat.reason(now, home.equals(r.id()));
            ReplicaStatus status =
                    reason.isEmpty() ? ReplicaStatus.up(r.id(), s) : ReplicaStatus.down(r.id(), reason, s);
            fleet.add(status.withCapacityTokens(signals.capacityTokens(r.id())));
        }
        return fleet;
    }

    /** Index of a replica's seat, or {@link FleetView#NONE}. */
    static int index(List<Seat> asked, Replica replica) {
        for (int i = 0; i < asked.size(); i++) {
            if (asked.get(i).replica() == replica) {
                return i;
            }
        }
        return FleetView.NONE;
    }

    /** Whether a conversation's home makes a difference to where it may go. */
    static boolean anyDraining(List<Seat> seats) {
        for (Seat seat : seats) {
            if (seat.member().draining()) {
                return true;
            }
        }
        return false;
    }
}
