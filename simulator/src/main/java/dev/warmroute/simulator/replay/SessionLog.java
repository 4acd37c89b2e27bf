package dev.warmroute.simulator.replay;

import java.util.Arrays;

/** When each session of a replay began and ended, by number; nanoseconds from the start of the replay. */
public final class SessionLog {
    private long[] start = new long[64];
    private long[] end = new long[64];
    private int size;

    /** Number of sessions known. */
    public int size() {
        return size;
    }

    /** Whether its first request was sent before the replay ended. */
    public boolean hasStarted(int session) {
        return start[session] != RequestLog.NOT_YET;
    }

    /** First send. */
    public long start(int session) {
        return start[session];
    }

    /** Whether it ended before the replay did. */
    public boolean hasEnded(int session) {
        return end[session] != RequestLog.NOT_YET;
    }

    /** Last byte. */
    public long end(int session) {
        return end[session];
    }

    void sent(int session, long at) {
        if (session >= start.length) {
            int n = Math.max(session + 1, start.length * 2);
            start = Arrays.copyOf(start, n);
            end = Arrays.copyOf(end, n);
        }
        for (; size <= session; size++) {
            start[size] = RequestLog.NOT_YET;
            end[size] = RequestLog.NOT_YET;
        }
        if (start[session] == RequestLog.NOT_YET) {
            start[session] = at;
        }
    }

    void ended(int session, long at) {
        end[session] = at;
    }
}
