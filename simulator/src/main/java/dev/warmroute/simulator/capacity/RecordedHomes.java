package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.trace.Turn;
import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Where a recording kept its sessions, gathered request by request. */
final class RecordedHomes {
    /** Share of the turns that must be at their session's home for the sessions to have one. */
    private static final double STAYED = 0.9;

    private static final class Session {
        private final Int2IntOpenHashMap turns = new Int2IntOpenHashMap(); // by replica
        private long start = Long.MAX_VALUE;
        private long end = Long.MIN_VALUE;

        int home() {
            return turns.int2IntEntrySet().stream()
                    .max(Comparator.comparingInt(Int2IntMap.Entry::getIntValue)
                            .thenComparing(Comparator.comparingInt(Int2IntMap.Entry::getIntKey)
                                    .reversed()))
                    .orElseThrow()
                    .getIntKey();
        }
    }

    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private boolean everywhereKnown = true;

    void add(Turn turn) {
        if (!turn.hasSession()) {
            return;
        }
        int replica = turn.recorded().replica();
        if (replica < 0) {
            everywhereKnown = false;
            return;
        }
        Session session = sessions.computeIfAbsent(turn.affinityKey(), k -> new Session());
        session.turns.addTo(replica, 1);
        session.start = Math.min(session.start, turn.arrivalNanos());
        session.end = Math.max(
                session.end, turn.arrivalNanos() + Math.max(0, turn.recorded().durationNanos()));
    }

    /**
     * Spreads sessions over the replicas as the recording had them, by the time for which sessions were open on each.
     *
     * @param replicas number of replicas asked about
     * @param number sessions to spread
     * @return sessions on each replica; empty when the recording does not say, was made on another number of replicas, or did
     *     not keep its sessions where they were
     */
    Optional<int[]> placement(int replicas, int number) {
        if (!everywhereKnown || sessions.isEmpty() || !stayed()) {
            return Optional.empty();
        }
        int seen = sessions.values().stream()
                        .mapToInt(s -> s.turns.keySet().intStream().max().orElseThrow())
                        .max()
                        .orElseThrow()
                + 1;
        if (seen != replicas) {
            return Optional.empty();
        }
        double[] open = new double[replicas];
        sessions.values().forEach(s -> open[s.home()] += s.end - s.start + 1.0);
        return Optional.of(shares(open, number));
    }

    private boolean stayed() {
        long all = 0;
        long home = 0;
        for (Session s : sessions.values()) {
            all += s.turns.values().intStream().sum();
            home += s.turns.get(s.home());
        }
        return home >= STAYED * all;
    }

    /** Whole numbers in proportion to weights: rounded down, what is left to the largest remainders, ties to the first. */
    private static int[] shares(double[] weights, int number) {
        double sum = Arrays.stream(weights).sum();
        int[] shares = new int[weights.length];
        double[] remainder = new double[weights.length];
        int left = number;
        for (int i = 0; i < weights.length; i++) {
            double exact = number * weights[i] / sum;
            shares[i] = (int) exact;
            remainder[i] = exact - shares[i];
            left -= shares[i];
        }
        IntStream.range(0, weights.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -remainder[i]).thenComparingInt(i -> i))
                .limit(left)
                .forEach(i -> shares[i]++);
        return shares;
    }
}
