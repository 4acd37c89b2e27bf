package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * What a trace asks for, at a glance, whatever its format.
 *
 * @param description the trace, after its last request
 * @param requests number of requests
 * @param sessions distinct sessions; 0 when the trace has none
 * @param agents distinct sub-agents of sessions
 * @param gaps requests whose time since the turn before is known
 * @param promptTokens sum over all requests
 * @param outputTokens sum over all requests
 * @param promptP50 median prompt in tokens
 * @param promptP90 90th percentile of the prompts in tokens
 * @param promptMax longest prompt in tokens
 * @param outputP50 median answer in tokens
 * @param cachedTokens sum of what engines reported as cached; -1 when none did
 * @param seconds from the first arrival to the last
 */
public record TurnSummary(
        TraceDescription description,
        long requests,
        long sessions,
        long agents,
        long gaps,
        long promptTokens,
        long outputTokens,
        long promptP50,
        long promptP90,
        long promptMax,
        long outputP50,
        long cachedTokens,
        double seconds) {

    /** Reads the rest of a trace; the caller closes it. */
    public static TurnSummary of(TraceReader reader) {
        Counter counter = new Counter();
        while (reader.hasNext()) {
            counter.add(reader.next());
        }
        return counter.summary(reader.description());
    }

    /** Sums up requests as they pass. */
    static final class Counter {
        private final Set<String> sessions = new HashSet<>();
        private final Set<String> agents = new HashSet<>();
        private int[] prompts = new int[1024];
        private int[] outputs = new int[1024];
        private int n;
        private long gaps;
        private long cached;
        private boolean anyCached;
        private long first = Long.MAX_VALUE;
        private long last;

        void add(Turn t) {
            if (n == prompts.length) {
                prompts = Arrays.copyOf(prompts, 2 * n);
                outputs = Arrays.copyOf(outputs, 2 * n);
            }
            prompts[n] = t.prompt().tokens();
            outputs[n++] = t.outputTokens();
            if (t.hasSession()) {
                sessions.add(t.session());
            }
            if (!t.agent().isEmpty()) {
                agents.add(t.affinityKey());
            }
            gaps += t.gapNanos() == Turn.UNKNOWN ? 0 : 1;
            if (t.recorded().cachedTokens() != Turn.UNKNOWN) {
                anyCached = true;
                cached += t.recorded().cachedTokens();
            }
            first = Math.min(first, t.arrivalNanos());
            last = Math.max(last, t.arrivalNanos());
        }

        TurnSummary summary(TraceDescription description) {
            int[] sortedPrompts = Arrays.copyOf(prompts, n);
            int[] sortedOutputs = Arrays.copyOf(outputs, n);
            Arrays.sort(sortedPrompts);
            Arrays.sort(sortedOutputs);
            return new TurnSummary(
                    description,
                    n,
                    sessions.size(),
                    agents.size(),
                    gaps,
                    sum(sortedPrompts),
                    sum(sortedOutputs),
                    quantile(sortedPrompts, 0.5),
                    quantile(sortedPrompts, 0.9),
                    quantile(sortedPrompts, 1),
                    quantile(sortedOutputs, 0.5),
                    anyCached ? cached : Turn.UNKNOWN,
                    n == 0 ? 0 : (last - first) / 1e9);
        }
    }

    private static long sum(int[] values) {
        long sum = 0;
        for (int v : values) {
            sum += v;
        }
        return sum;
    }

    /** The smallest value that is not exceeded by the part {@code q} of all; 0 of none. */
    private static long quantile(int[] sorted, double q) {
        return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)];
    }
}
