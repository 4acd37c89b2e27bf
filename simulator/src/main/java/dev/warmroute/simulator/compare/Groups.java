package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.RequestLog;
import java.util.Arrays;

/**
 * Units of a replay that a bootstrap draws: its sessions, and each request without one by itself. They are numbered without
 * gaps, sessions first, so that every unit is among those drawn; unit u is in group u modulo {@link #MOST}.
 *
 * <p>Requests without a session are numbered in the order of the trace, not of the replay, which depends on the policy.
 */
final class Groups {
    static final int MOST = 512;

    private final RequestLog log;
    private final int sessions;
    private final int[] alone; // trace positions of the requests without a session, ascending

    private Groups(RequestLog log, int sessions, int[] alone) {
        this.log = log;
        this.sessions = sessions;
        this.alone = alone;
    }

    static Groups of(RequestLog log) {
        int sessions = 0;
        int[] alone = new int[log.size()];
        int n = 0;
        for (int r = 0; r < log.size(); r++) {
            if (log.session(r) >= 0) {
                sessions = Math.max(sessions, log.session(r) + 1);
            } else {
                alone[n++] = log.index(r);
            }
        }
        alone = Arrays.copyOf(alone, n);
        Arrays.sort(alone);
        return new Groups(log, sessions, alone);
    }

    /** Sessions, and requests without one. */
    int units() {
        return sessions + alone.length;
    }

    /** Group of a session. */
    static int ofSession(int session) {
        return session % MOST;
    }

    /** Group of a request's session, or of the request without one. */
    int ofRequest(int r) {
        int session = log.session(r);
        return session >= 0 ? ofSession(session) : (sessions + Arrays.binarySearch(alone, log.index(r))) % MOST;
    }
}
