package dev.warmroute.simulator.replica;

import dev.warmroute.recorder.trace.Prompt;

/**
 * A request on its way through the engine. The engine's thread writes it; everybody may read {@link #produced} and, once
 * that is more than 0, {@link #cachedTokens}.
 */
final class Generation {
    /** Told, on the engine's thread, what becomes of a generation; must not block. */
    interface Listener {
        /** More tokens are out: {@link Generation#produced} has grown. */
        void progressed();

        /** The generation ends without an answer. */
        void failed(ApiError error);
    }

    private final GenerationRequest request;
    private final Prompt prompt;
    private final long outputStart;
    private final Listener listener;
    private final long arrivedNanos;

    private volatile int produced;
    private int cachedTokens;
    private long scheduledNanos;
    private long firstTokenNanos;
    private long lastTokenNanos;

    // The engine thread's own.
    int handle = -1;
    int preemptionsShown;
    boolean ended;

    /** @param arrivedNanos {@link System#nanoTime} of its arrival */
    Generation(GenerationRequest request, int blockSize, Listener listener, long arrivedNanos) {
        this.request = request;
        this.listener = listener;
        this.arrivedNanos = arrivedNanos;
        this.outputStart = request.outputStart();
        this.prompt = PromptSpans.of(request.promptIds(), request.cacheSalt(), blockSize);
    }

    GenerationRequest request() {
        return request;
    }

    Prompt prompt() {
        return prompt;
    }

    long outputStart() {
        return outputStart;
    }

    Listener listener() {
        return listener;
    }

    /** Output tokens so far. */
    int produced() {
        return produced;
    }

    /** Prompt tokens found in the prefix cache when it was first admitted. */
    int cachedTokens() {
        return cachedTokens;
    }

    long arrivedNanos() {
        return arrivedNanos;
    }

    long scheduledNanos() {
        return scheduledNanos;
    }

    long firstTokenNanos() {
        return firstTokenNanos;
    }

    long lastTokenNanos() {
        return lastTokenNanos;
    }

    void admitted(int cached, long nanos) {
        cachedTokens = cached;
        scheduledNanos = nanos;
    }

    /** Sets the number of output tokens and says so. */
    void tokensOut(int total, long nanos) {
        if (produced == 0) {
            firstTokenNanos = nanos;
        }
        lastTokenNanos = nanos;
        produced = total;
    }
}
