package dev.warmroute.simulator.replay;

import dev.warmroute.simulator.timing.SharedHost;
import dev.warmroute.simulator.timing.StepTimeLaw;

/** Keeps the pace of replicas that share a machine: as many as have work, so long do the steps of each take. */
final class HostPace {
    private final Replica[] replicas;
    private final SharedHost host;
    private final boolean shared;
    private final StepTimeLaw[] laws; // by number of busy replicas
    private int busy = 1;

    HostPace(FleetSpec fleet, Replica[] replicas) {
        this.replicas = replicas;
        this.host = fleet.host();
        this.shared = host.shared();
        this.laws = new StepTimeLaw[shared ? replicas.length + 1 : 0];
        for (int n = 0; n < laws.length; n++) {
            laws[n] = fleet.law().times(host.factor(n));
        }
    }

    /** How long something takes now that would take so long on a machine of its own. */
    long paced(long nanos) {
        return shared ? Math.round(nanos * host.factor(busy)) : nanos;
    }

    /** Requests came to replicas or left them. */
    void changed(long now) {
        if (!shared) {
            return;
        }
        int busyNow = 0;
        for (Replica r : replicas) {
            busyNow += r.idle() ? 0 : 1;
        }
        if (busyNow == busy) {
            return;
        }
        busy = busyNow;
        for (Replica r : replicas) {
            r.pace(now, laws[busy]);
        }
    }
}
