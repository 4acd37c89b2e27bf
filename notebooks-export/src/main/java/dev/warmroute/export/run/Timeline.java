package dev.warmroute.export.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Load and prompt tokens over a replay, cut into equal stretches.
 *
 * @param stepS length of a stretch, in seconds; the first begins at 0
 * @param inFlight for each replica and stretch the mean number of requests that were sent and not answered to the end
 * @param cachedPerS for each stretch, prompt tokens a second found in a cache, by the moment of the first byte
 * @param computedPerS the same computed
 */
public record Timeline(double stepS, List<List<Double>> inFlight, List<Double> cachedPerS, List<Double> computedPerS) {
    private static final int STRETCHES = 72;

    public Timeline {
        inFlight = inFlight.stream().map(List::copyOf).toList();
        cachedPerS = List.copyOf(cachedPerS);
        computedPerS = List.copyOf(computedPerS);
    }

    /** Number of stretches. */
    public int stretches() {
        return cachedPerS.size();
    }

    /** Length of the whole, in seconds. */
    public double seconds() {
        return stepS * stretches();
    }

    /** Mean over stretches; 0 without one. */
    public static double mean(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** The most in any stretch; 0 without one. */
    public static double most(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    static Optional<Timeline> of(Requests requests, int replicas) {
        long start = requests.outcome().figuresStartNanos();
        long end = requests.outcome().endNanos();
        if (!requests.outcome().timed() || end <= start || requests.inOrder().length == 0) {
            return Optional.empty();
        }
        double step = (double) (end - start) / STRETCHES;
        double[][] load = new double[replicas][STRETCHES];
        double[] cached = new double[STRETCHES];
        double[] computed = new double[STRETCHES];
        for (int r : requests.inOrder()) {
            int replica = requests.log().replica(r);
            if (replica >= 0) {
                spread(load[replica], (requests.log().sent(r) - start) / step, (requests.end(r) - start) / step);
            }
            if (requests.log().hasFirst(r) && requests.log().wasAdmitted(r)) {
                int at = Math.clamp((int) ((requests.log().first(r) - start) / step), 0, STRETCHES - 1);
                cached[at] += requests.log().cachedTokens(r);
                computed[at] += requests.log().promptTokens(r) - requests.log().cachedTokens(r);
            }
        }
        double seconds = step / Requests.SECOND;
        List<List<Double>> inFlight = new ArrayList<>();
        for (double[] ofReplica : load) {
            inFlight.add(list(ofReplica, 1));
        }
        return Optional.of(new Timeline(seconds, inFlight, list(cached, 1 / seconds), list(computed, 1 / seconds)));
    }

    /** Adds to each stretch the share of it that lies between two places. */
    private static void spread(double[] stretches, double from, double to) {
        for (int i = Math.max(0, (int) from); i < stretches.length && i < to; i++) {
            stretches[i] += Math.min(to, i + 1) - Math.max(from, i);
        }
    }

    private static List<Double> list(double[] values, double factor) {
        List<Double> list = new ArrayList<>();
        for (double v : values) {
            list.add(v * factor);
        }
        return list;
    }
}
