package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;

/** The bound of consistent hashing with bounded loads: {@code factor * (requests in flight + 1) / n} over the eligible replicas. */
final class BoundedLoad {
    private BoundedLoad() {}

    static double of(FleetView fleet, double factor) {
        int total = 0;
        for (int i = 0; i < fleet.size(); i++) {
            total += fleet.replica(i).eligible() ? fleet.replica(i).inFlight() : 0;
        }
        return factor * (total + 1) / fleet.eligible();
    }
}
