package dev.warmroute.simulator.replay;

import dev.warmroute.simulator.timing.ServedRequest;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Which replicas of a recorded fleet had a request at which time: from the sending of one until its last token. */
final class BusyReplicas {
    private final Count all;
    private final Count[] each;

    private BusyReplicas(Count all, Count[] each) {
        this.all = all;
        this.each = each;
    }

    private record Change(long at, int by, int replica) {}

    /** A number that changes at moments. */
    private static final class Count {
        private final LongArrayList from = new LongArrayList();
        private final IntArrayList number = new IntArrayList();
        private int now;

        void change(long at, int by) {
            now += by;
            from.add(at);
            number.add(now);
        }

        int at(long moment) {
            int i = Arrays.binarySearch(from.elements(), 0, from.size(), moment);
            if (i < 0) {
                i = -i - 2;
            } else {
                while (i + 1 < from.size() && from.getLong(i + 1) == moment) { // the last of the changes at that moment
                    i++;
                }
            }
            return i < 0 ? 0 : number.getInt(i);
        }
    }

    static BusyReplicas of(int replicas, List<ServedRequest> served) {
        Count all = new Count();
        Count[] each = new Count[replicas];
        Arrays.setAll(each, r -> new Count());
        served.stream()
                .flatMap(r -> Stream.of(
                        new Change(r.sentNanos(), 1, r.replica()), new Change(r.lastNanos(), -1, r.replica())))
                .sorted(Comparator.comparingLong(Change::at).thenComparing(Change::by, Comparator.reverseOrder()))
                .forEach(c -> {
                    Count here = each[c.replica];
                    here.change(c.at, c.by);
                    if (here.now == 0 || here.now == 1 && c.by == 1) {
                        all.change(c.at, c.by);
                    }
                });
        return new BusyReplicas(all, each);
    }

    /** Replicas but this with a request at a moment. */
    int others(int replica, long nanos) {
        return all.at(nanos) - Math.min(1, each[replica].at(nanos));
    }
}
