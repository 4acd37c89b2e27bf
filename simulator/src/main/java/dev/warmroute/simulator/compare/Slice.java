package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.RequestLog;
import java.util.Arrays;
import java.util.BitSet;

/** Some requests of a replay: all of them, those of a replica, or those of one turn of their conversations. */
final class Slice {
    /** Hit rate in percent, median and 95th percentile of the time to first token in seconds. */
    static final int FIGURES = 3;

    private static final double SECOND = 1e9;

    private final long[] prompt = new long[Sample.GROUPS];
    private final long[] cached = new long[Sample.GROUPS];
    private final WeightedQuantiles firstByte = new WeightedQuantiles();
    private final BitSet groups = new BitSet(Sample.GROUPS);
    private long requests;
    private long promptTokens;
    private long cachedTokens;

    void add(RequestLog log, int r, int group, long endNanos) {
        requests++;
        groups.set(group);
        if (log.wasAdmitted(r)) {
            prompt[group] += log.promptTokens(r);
            cached[group] += log.cachedTokens(r);
            promptTokens += log.promptTokens(r);
            cachedTokens += log.cachedTokens(r);
        }
        if (log.hasFirst(r) && log.first(r) <= endNanos) {
            firstByte.add((log.first(r) - log.sent(r)) / SECOND, group);
        }
    }

    void close() {
        firstByte.close();
    }

    long requests() {
        return requests;
    }

    long promptTokens() {
        return promptTokens;
    }

    long cachedTokens() {
        return cachedTokens;
    }

    int size() {
        return firstByte.size();
    }

    /** Groups that have such requests. */
    int groups() {
        return groups.cardinality();
    }

    /** For each figure, the groups that have a value of it. */
    void units(int[] to, int at) {
        to[at] = (int) Arrays.stream(prompt).filter(tokens -> tokens > 0).count();
        to[at + 1] = firstByte.groups();
        to[at + 2] = firstByte.groups();
    }

    void figures(int[] weights, boolean timed, double[] to, int at) {
        long prompts = 0;
        long hits = 0;
        if (requests > 0) {
            for (int g = 0; g < weights.length; g++) {
                prompts += weights[g] * prompt[g];
                hits += weights[g] * cached[g];
            }
        }
        to[at] = prompts > 0 ? 100.0 * hits / prompts : Double.NaN;
        if (timed) {
            firstByte.two(weights, 0.5, 0.95, to, at + 1);
        } else {
            to[at + 1] = Double.NaN;
            to[at + 2] = Double.NaN;
        }
    }
}
