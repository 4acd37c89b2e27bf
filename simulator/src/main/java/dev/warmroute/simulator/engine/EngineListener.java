package dev.warmroute.simulator.engine;

/**
 * Told what happens to requests, in the order in which it happens. Called from within the engine: an implementation
 * must not call the engine back except for reading; requests that follow from an answer are added after the call that
 * reported it has returned.
 */
public interface EngineListener {
    /** Wants to know nothing. */
    EngineListener NONE = new EngineListener() {};

    /**
     * A request joins the running ones.
     *
     * @param cachedTokens tokens found in the prefix cache by this admission
     * @param resumed whether it was preempted before; {@link Engine#cachedTokens} keeps the figure of the first
     *     admission
     */
    default void admitted(int request, int cachedTokens, boolean resumed) {}

    /** A running request loses all its blocks and goes back to the head of the queue. */
    default void preempted(int request) {}

    /** The first output token of a request is known. */
    default void firstToken(int request) {}

    /** The last output token of a request is known; after this call its handle may be given to another request. */
    default void finished(int request, int outputTokens) {}
}
