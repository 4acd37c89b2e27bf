package dev.warmroute.simulator.engine;

import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.Arrays;

/**
 * What one step computes: requests and tokens in the order scheduled, and the figures a {@link StepTimeLaw}
 * prices. Owned by the engine; valid until the step's outputs are processed.
 */
public final class Batch {
    private int[] requests = new int[16];
    private int[] tokens = new int[16];
    private boolean[] samples = new boolean[16];
    private int size;

    private int prefillTokens;
    private double prefillAttention;
    private int decodeSequences;
    private long kvTokens;

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

    /** Tokens computed for requests that read their prompt, or recompute what a preemption lost. */
    public int prefillTokens() {
        return prefillTokens;
    }

    /** Token pairs of those; see {@link StepTimeLaw#chunkAttention}. */
    public double prefillAttention() {
        return prefillAttention;
    }

    /** Requests that compute their newest token only. */
    public int decodeSequences() {
        return decodeSequences;
    }

    /** Sum of the contexts those read: the tokens whose KV exists before the step. */
    public long kvTokens() {
        return kvTokens;
    }

    /** Duration of this batch in nanoseconds. */
    public long nanos(StepTimeLaw law) {
        return law.stepNanos(prefillTokens, prefillAttention, decodeSequences, kvTokens);
    }

    void clear() {
        size = 0;
        prefillTokens = 0;
        prefillAttention = 0;
        decodeSequences = 0;
        kvTokens = 0;
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
            decodeSequences++;
            kvTokens += context;
        } else {
            prefillTokens += count;
            prefillAttention += StepTimeLaw.chunkAttention(count, context);
        }
    }

    /** Makes this the batch of {@code steps} decode steps later, when every context has grown by one token a step. */
    void advance(int steps) {
        kvTokens += (long) steps * decodeSequences;
    }
}
