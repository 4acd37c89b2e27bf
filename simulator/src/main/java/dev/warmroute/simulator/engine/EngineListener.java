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
     * @param cachedTokens tokens found in the prefix cache by this admission, loaded ones included
     * @param resumed whether it was preempted before; {@link Engine#cachedTokens} keeps the figure of the first
     *     admission
     */
    default void admitted(int request, int cachedTokens, boolean resumed) {}

    /**
     * Cached blocks begin to be loaded from host memory for a request that waits; it joins the running ones when they are
     * there.
     *
     * @param cachedTokens tokens found on the card
     * @param loadedTokens tokens beyond them found in host memory
     * @param resumed whether it was preempted before
     */
    default void loading(int request, int cachedTokens, int loadedTokens, boolean resumed) {}

    /** A running request loses all its blocks and goes back to the head of the queue. */
    default void preempted(int request) {}

    /** The first output token of a request is known. */
    default void firstToken(int request) {}

    /** The last output token of a request is known; after this call its handle may be given to another request. */
    default void finished(int request, int outputTokens) {}
}
