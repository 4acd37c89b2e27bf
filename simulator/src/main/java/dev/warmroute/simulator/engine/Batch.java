package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * What one step computes: requests and tokens in the order scheduled, and the figures a {@link StepTimer} prices. Owned by
 * the engine; valid until the step's outputs are processed.
 */
public final class Batch {
    private int[] requests = new int[16];
    private int[] tokens = new int[16];
    private boolean[] samples = new boolean[16];
    private int size;

    private int prefillSeqs;
    private int prefillTokens;
    private long prefillPairs;
    private int decodeSeqs;
    private long decodeContext;

    Batch() {}

    /** Number of requests in the batch. */
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int request(int i) {
        return requests[i];
    }

    /** Tokens computed for the request at position {@code i}. */
    public int tokens(int i) {
        return tokens[i];
    }

    /** Whether the request at position {@code i} gets an output token from this step. */
    public boolean samples(int i) {
        return samples[i];
    }

    /** Requests that compute prompt tokens, or recompute what a preemption lost. */
    public int prefillSeqs() {
        return prefillSeqs;
    }

    public int prefillTokens() {
        return prefillTokens;
    }

    /** Pairs of a computed token and one it attends to; see {@link StepTimer}. */
    public long prefillPairs() {
        return prefillPairs;
    }

    /** Requests that compute their newest token only. */
    public int decodeSeqs() {
        return decodeSeqs;
    }

    /** Sum of the context lengths of the decoding requests, in tokens. */
    public long decodeContext() {
        return decodeContext;
    }

    /** Time of this batch in nanoseconds. */
    public long nanos(StepTimer timer) {
        return timer.nanos(prefillSeqs, prefillTokens, prefillPairs, decodeSeqs, decodeContext);
    }

    void clear() {
        size = 0;
        prefillSeqs = 0;
        prefillTokens = 0;
        prefillPairs = 0;
        decodeSeqs = 0;
        decodeContext = 0;
    }

    /**
     * Adds a request.
     *
     * @param context tokens computed before this step
     * @param decodes whether it has outputs and computes its newest token only
     */
    void add(int request, int count, int context, boolean sample, boolean decodes) {
        if (size == requests.length) {
            requests = Arrays.copyOf(requests, size * 2);
            tokens = Arrays.copyOf(tokens, size * 2);
            samples = Arrays.copyOf(samples, size * 2);
        }
        requests[size] = request;
        tokens[size] = count;
        samples[size++] = sample;
        if (decodes) {
            decodeSeqs++;
            decodeContext += context + 1;
        } else {
            prefillSeqs++;
            prefillTokens += count;
            prefillPairs += (long) count * context + (long) count * (count + 1) / 2;
        }
    }

    /** Makes this the batch of {@code steps} decode steps later, when every context has grown by one token a step. */
    void advance(int steps) {
        decodeContext += (long) steps * decodeSeqs;
    }
}
