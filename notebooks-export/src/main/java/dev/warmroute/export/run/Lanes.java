package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.RequestLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Some conversations side by side around the turn of which most was computed again: the picture of what a full cache does.
 *
 * @param lanes grouped by replica
 */
public record Lanes(List<Lane> lanes) {
    private static final int MOST_LANES = 24;
    private static final int MOST_TURNS = 180;

    public Lanes {
        lanes = List.copyOf(lanes);
    }

    /**
     * A conversation.
     *
     * @param session its name, or a number
     * @param replica where most of its turns that are shown went
     */
    public record Lane(String session, String replica, List<Bar> bars) {
        public Lane {
            bars = List.copyOf(bars);
        }
    }

    /**
     * A turn; moments in seconds from the first send.
     *
     * @param sentS when it was sent
     * @param firstS its first byte, or the end of the replay
     * @param endS its last byte, or the end of the replay
     * @param hitPct prompt tokens found in the cache, in percent
     */
    public record Bar(String replica, double sentS, double firstS, double endS, double hitPct) {}

    static Optional<Lanes> of(Requests requests, RunMachine machine) {
        int[] turns = Arrays.stream(requests.inOrder())
                .filter(r -> requests.turn(r) > 0 && requests.log().wasAdmitted(r))
                .toArray();
        if (!requests.outcome().timed() || turns.length == 0) {
            return Optional.empty();
        }
        long centre = requests.log().sent(worst(requests, turns));
        Comparator<Integer> nearest = Comparator.<Integer>comparingLong(
                        r -> Math.abs(requests.log().sent(r) - centre))
                .thenComparingInt(r -> r);
        List<Integer> byDistance = Arrays.stream(turns).boxed().sorted(nearest).toList();
        Map<Integer, List<Integer>> lanes = new LinkedHashMap<>();
        for (int r : byDistance) {
            if (lanes.size() == MOST_LANES) {
                break;
            }
            lanes.computeIfAbsent(requests.log().conversation(r), c -> new ArrayList<>());
        }
        byDistance.stream()
                .filter(r -> lanes.containsKey(requests.log().conversation(r)))
                .limit(MOST_TURNS)
                .sorted(Comparator.<Integer>comparingLong(requests.log()::sent).thenComparingInt(r -> r))
                .forEach(r -> lanes.get(requests.log().conversation(r)).add(r));
        return Optional.of(new Lanes(lanes.values().stream()
                .map(of -> lane(requests, machine, of))
                .sorted(Comparator.comparingInt((Lane l) -> l.replica().length())
                        .thenComparing(Lane::replica)
                        .thenComparingDouble(l -> l.bars().get(0).sentS()))
                .toList()));
    }

    /** The turn of which most was computed again; the first one when nothing was. */
    private static int worst(Requests requests, int[] turns) {
        int worst = turns[0];
        for (int r : turns) {
            if (requests.again(r) > requests.again(worst)) {
                worst = r;
            }
        }
        return worst;
    }

    private static Lane lane(Requests requests, RunMachine machine, List<Integer> turns) {
        RequestLog log = requests.log();
        long start = requests.outcome().startNanos();
        Map<Integer, Integer> visits = new TreeMap<>();
        List<Bar> bars = new ArrayList<>();
        for (int r : turns) {
            visits.merge(log.replica(r), 1, Integer::sum);
            long first = log.hasFirst(r) ? log.first(r) : requests.end(r);
            bars.add(new Bar(
                    Requests.replica(log.replica(r)),
                    (log.sent(r) - start) / Requests.SECOND,
                    (first - start) / Requests.SECOND,
                    (requests.end(r) - start) / Requests.SECOND,
                    100.0 * log.cachedTokens(r) / log.promptTokens(r)));
        }
        int home = visits.entrySet().stream()
                .max(Map.Entry.<Integer, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .orElseThrow()
                .getKey();
        return new Lane(machine.session(requests, turns.get(0)), Requests.replica(home), bars);
    }
}
