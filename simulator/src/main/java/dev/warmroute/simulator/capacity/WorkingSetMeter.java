package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Reads the {@link WorkingSet} off a {@link ReuseDistance} while requests go by. Time is cut into at most {@value #MOST_POINTS}
 * equal stretches, which double whenever the trace outgrows them, so that memory does not grow with it; of each stretch the
 * peak is kept. Between two requests the working set only falls, so a stretch without requests has its peak at its start.
 */
final class WorkingSetMeter {
    private static final int MOST_POINTS = 256;
    private static final long SECOND = 1_000_000_000L;
    private static final double[] WINDOWS_S = {10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400};
    /** Window for traces that do not say who speaks. */
    private static final double WITHOUT_SESSIONS_S = 300;

    private static final double P95 = 0.95;

    private final ReuseDistance reuse;
    private final int blockSize;
    private final OptionalDouble asked;
    private final double[] windowsS;
    private final int[][] peaks; // blocks by window and stretch
    private long stretch = SECOND;
    private long origin;
    private long now;
    private int last = -1;

    /**
     * @param reuse serves the requests
     * @param windowS the window wanted; empty to choose it by the sessions' pauses
     */
    WorkingSetMeter(ReuseDistance reuse, int blockSize, OptionalDouble windowS) {
        if (windowS.isPresent() && !(windowS.getAsDouble() > 0 && windowS.getAsDouble() < 1e9)) {
            throw new UserError("the window of the working set must be above 0 s, not " + windowS.getAsDouble());
        }
        this.reuse = reuse;
        this.blockSize = blockSize;
        this.asked = windowS;
        this.windowsS = DoubleStream.concat(Arrays.stream(WINDOWS_S), windowS.stream())
                .sorted()
                .distinct()
                .toArray();
        this.peaks = new int[windowsS.length][MOST_POINTS];
    }

    /** Serves a request. One that comes before the last counts as coming with it. */
    void add(Turn turn) {
        if (last < 0) {
            origin = turn.arrivalNanos();
            now = origin;
        }
        now = Math.max(now, turn.arrivalNanos());
        advance();
        reuse.add(turn.prompt(), now);
        note(last, now);
    }

    private void advance() {
        while ((now - origin) / stretch >= MOST_POINTS) {
            for (int[] peak : peaks) {
                for (int i = 0; i < MOST_POINTS; i++) {
                    peak[i] = i < MOST_POINTS / 2 ? Math.max(peak[2 * i], peak[2 * i + 1]) : 0;
                }
            }
            stretch *= 2;
            last /= 2;
        }
        int current = (int) ((now - origin) / stretch);
        while (last < current) {
            last++;
            note(last, origin + last * stretch);
        }
    }

    private void note(int at, long nanos) {
        for (int w = 0; w < windowsS.length; w++) {
            peaks[w][at] = Math.max(peaks[w][at], reuse.blocksSince(nanos - Math.round(windowsS[w] * SECOND)));
        }
    }

    /**
     * The working set of what went by; empty without requests.
     *
     * @param turnCycleP95S time that a session's blocks have to be kept, for all but 5 % of its turns
     */
    Optional<WorkingSet> result(OptionalDouble turnCycleP95S) {
        if (last < 0) {
            return Optional.empty();
        }
        double wanted = asked.orElse(turnCycleP95S.orElse(WITHOUT_SESSIONS_S));
        int chosen = 0;
        while (chosen < windowsS.length - 1 && windowsS[chosen] < wanted) {
            chosen++;
        }
        List<WorkingSet.Window> windows = new ArrayList<>();
        for (int w = 0; w < windowsS.length; w++) {
            windows.add(window(w));
        }
        List<WorkingSet.Point> points = new ArrayList<>();
        for (int i = 0; i <= last; i++) {
            long blocks = peaks[chosen][i];
            points.add(new WorkingSet.Point((double) (i * stretch) / SECOND, blocks, blocks * blockSize));
        }
        WorkingSet.Window window = windows.get(chosen);
        return Optional.of(new WorkingSet(
                window.windowS(),
                turnCycleP95S,
                blockSize,
                (double) stretch / SECOND,
                window.p50Tokens(),
                window.p95Tokens(),
                window.peakTokens(),
                points,
                windows));
    }

    private WorkingSet.Window window(int w) {
        double[] tokens = new double[last + 1];
        for (int i = 0; i <= last; i++) {
            tokens[i] = (double) peaks[w][i] * blockSize;
        }
        Quantiles over = Quantiles.of(tokens);
        return new WorkingSet.Window(windowsS[w], tokens(over, 0.5), tokens(over, P95), tokens(over, 1));
    }

    private static long tokens(Quantiles over, double q) {
        return Math.round(over.at(q).orElseThrow());
    }
}
