package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The time in which replicas had requests, from where the figures of a replay begin. */
final class BusyTime {
    private BusyTime() {}

    /** Nanoseconds, summed over the replicas. */
    static long nanos(Outcome outcome) {
        return outcome.figuresStartNanos() == outcome.startNanos()
                ? Arrays.stream(outcome.busyNanos()).sum()
                : union(outcome);
    }

    /** Of a replay whose figures begin later, the lives of its requests from there on; overlaps count once. */
    private static long union(Outcome outcome) {
        RequestLog log = outcome.requests();
        List<List<long[]>> lives = new ArrayList<>();
        for (int r = 0; r < outcome.busyNanos().length; r++) {
            lives.add(new ArrayList<>());
        }
        for (int r = 0; r < log.size(); r++) {
            if (log.wasSent(r) && log.replica(r) >= 0) {
                long end = log.hasEnded(r) ? log.end(r) : outcome.endNanos();
                lives.get(log.replica(r)).add(new long[] {log.sent(r), Math.min(end, outcome.endNanos())});
            }
        }
        long busy = 0;
        for (List<long[]> ofReplica : lives) {
            ofReplica.sort(Comparator.comparingLong(l -> l[0]));
            long until = outcome.figuresStartNanos();
            for (long[] life : ofReplica) {
                busy += Math.max(0, life[1] - Math.max(life[0], until));
                until = Math.max(until, life[1]);
            }
        }
        return busy;
    }
}
