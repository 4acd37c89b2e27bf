package dev.warmroute.simulator.engine;

import java.util.Arrays;

/**
 * What the scheduler knows of each request, one array a field, indexed by handle. Handles are dense: the slot of a
 * request that is gone is given to the next one.
 */
final class RequestTable {
    static final byte FREE = 0;
    static final byte WAITING = 1;
    static final byte RUNNING = 2;
    static final byte PREEMPTED = 3;
    /** Finished or aborted, but still part of a batch whose outputs are not processed. */
    static final byte GONE = 4;
    /** Holds blocks that are being loaded, or have been loaded, from host memory, and waits to be admitted. */
    static final byte LOADING = 5;

    byte[] status = new byte[16];
    int[] promptTokens = new int[16];
    /** Output tokens the scheduler knows it may produce at most; never beyond the model's length. */
    int[] maxOutput = new int[16];
    /** Output tokens after which it ends; at most {@link #maxOutput}. */
    int[] stopOutput = new int[16];
    /** Prompt and outputs known so far: {@code num_tokens}. */
    int[] tokens = new int[16];
    /** {@code num_computed_tokens}: advanced when scheduled, before the step has run. */
    int[] computed = new int[16];
    /** Outputs of batches in flight that async scheduling counts on: {@code num_output_placeholders}. */
    int[] placeholders = new int[16];
    /** Tokens of batches in flight. */
    int[] inFlight = new int[16];
    /** Tokens in flight that were scheduled before the last preemption. */
    int[] stale = new int[16];

    int[] preemptions = new int[16];
    /** Cached tokens found by the first admission; -1 before it. */
    int[] cached = new int[16];
    /** Chain ids of all blocks it can fill, outputs included. */
    ChainRuns[] chain = new ChainRuns[16];

    private int[] freeSlots = new int[16];
    private int freeCount;
    private int used;

    int add(int prompt, int maxTokens, int stopTokens) {
        int r = freeCount > 0 ? freeSlots[--freeCount] : used++;
        if (r == status.length) {
            grow();
        }
        if (chain[r] == null) {
            chain[r] = new ChainRuns();
        }
        status[r] = WAITING;
        promptTokens[r] = prompt;
        maxOutput[r] = maxTokens;
        stopOutput[r] = stopTokens;
        tokens[r] = prompt;
        computed[r] = 0;
        placeholders[r] = 0;
        inFlight[r] = 0;
        stale[r] = 0;
        preemptions[r] = 0;
        cached[r] = -1;
        return r;
    }

    void release(int r) {
        status[r] = FREE;
        if (freeCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, freeCount * 2);
        }
        freeSlots[freeCount++] = r;
    }

    /** Handles are smaller than this. */
    int capacity() {
        return status.length;
    }

    int outputs(int r) {
        return tokens[r] - promptTokens[r];
    }

    boolean isLive(int r) {
        return r >= 0 && r < used && status[r] != FREE && status[r] != GONE;
    }

    private void grow() {
        int n = status.length * 2;
        status = Arrays.copyOf(status, n);
        promptTokens = Arrays.copyOf(promptTokens, n);
        maxOutput = Arrays.copyOf(maxOutput, n);
        stopOutput = Arrays.copyOf(stopOutput, n);
        tokens = Arrays.copyOf(tokens, n);
        computed = Arrays.copyOf(computed, n);
        placeholders = Arrays.copyOf(placeholders, n);
        inFlight = Arrays.copyOf(inFlight, n);
        stale = Arrays.copyOf(stale, n);
        preemptions = Arrays.copyOf(preemptions, n);
        cached = Arrays.copyOf(cached, n);
        chain = Arrays.copyOf(chain, n);
    }
}
