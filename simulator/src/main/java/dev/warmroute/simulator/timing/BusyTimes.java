package dev.warmroute.simulator.timing;

import java.util.Arrays;
import java.util.List;

/** When a replica had requests: disjoint intervals in order, and the busy time up to each. */
final class BusyTimes {
    private final long[] starts;
    private final long[] ends;
    private final long[] before; // busy time before each interval
    private final int size;

    /** @param requests of one replica, in order of {@link ServedRequest#sentNanos} */
    BusyTimes(List<ServedRequest> requests) {
        starts = new long[requests.size()];
        ends = new long[requests.size()];
        before = new long[requests.size() + 1];
        int n = 0;
        for (ServedRequest r : requests) {
            if (n > 0 && r.sentNanos() <= ends[n - 1]) {
                ends[n - 1] = Math.max(ends[n - 1], r.lastNanos());
            } else {
                starts[n] = r.sentNanos();
                ends[n++] = r.lastNanos();
            }
        }
        size = n;
        for (int i = 0; i < size; i++) {
            before[i + 1] = before[i] + ends[i] - starts[i];
        }
    }

    /** Busy time within an interval. */
    long within(long from, long to) {
        return upTo(to) - upTo(from);
    }

    private long upTo(long moment) {
        int at = Arrays.binarySearch(starts, 0, size, moment);
        int last = at >= 0 ? at : -at - 2; // the last interval that starts at or before the moment
        return last < 0 ? 0 : before[last] + Math.min(moment, ends[last]) - starts[last];
    }
}
