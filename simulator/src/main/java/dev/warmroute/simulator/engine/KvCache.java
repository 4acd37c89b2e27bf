package dev.warmroute.simulator.engine;

/**
 * The blocks of one replica as the scheduler sees them: vLLM's KV cache manager. Requests are handles into the
 * {@link RequestTable}.
 */
interface KvCache {
    /** A request has come in. */
    void added(int request);

    /** A step begins. */
    void stepStarts();

    /**
     * Finds the longest cached prefix of a request that is not admitted. Nothing is touched; {@link #admit} uses what
     * was found.
     *
     * @return tokens, a multiple of the block size, less than the request's tokens
     */
    int lookup(int request);

    /**
     * Where the next chunk of a prompt must stop so that a state shared with others can be cached, after {@link
     * #lookup} and until the request is released: the longest hit of any one group when it is longer than that of all,
     * else 0.
     */
    int sharedBoundary(int request);

    /**
     * Gives an unadmitted request the blocks that {@link #lookup} found and new ones for its next tokens, and registers
     * what these tokens fill.
     *
     * @param hit tokens found by the lookup
     * @param tokens tokens to compute in this step
     * @param keepFree blocks that must stay free
     * @param wholeSequence whether all tokens known of the request must fit, not only these
     * @return false, with nothing changed, if the blocks do not suffice
     */
    boolean admit(int request, int hit, int tokens, int keepFree, boolean wholeSequence);

    /**
     * Gives an unadmitted request the blocks that {@link #lookup} found and new ones for cached tokens that are to be loaded
     * into them; nothing is registered before they are.
     *
     * @param hit tokens found by the lookup
     * @param loaded tokens to be loaded
     * @param keepFree blocks that must stay free
     * @param reserved blocks that must stay free besides, for others that are on their way
     * @param wholeSequence whether all tokens known of the request must fit, not only these
     * @return false, with nothing changed, if the blocks do not suffice
     */
    boolean hold(int request, int hit, int loaded, int keepFree, int reserved, boolean wholeSequence);

    /**
     * Gives a request that {@linkplain #hold holds} blocks new ones for its next tokens, and registers what these tokens
     * fill; false, with nothing changed, if the blocks do not suffice.
     */
    boolean resume(int request, int tokens, int keepFree, boolean wholeSequence);

    /** Blocks that a request lacks for all tokens known of it. */
    int lacking(int request);

    /**
     * Gives a running request blocks for its next tokens and registers what they fill; false if they do not suffice.
     */
    boolean grow(int request, int tokens);

    /** Registers the full blocks among the first {@code tokens} tokens of a running request. */
    void register(int request, int tokens);

    /** Takes all blocks from a request; what is cached stays cached until its block is needed. */
    void release(int request);

    /** Forgets all cached blocks; false, with nothing changed, while any block is in use. */
    boolean reset();

    int usedBlocks();

    int freeBlocks();

    /** Distinct cached blocks of all groups. */
    int cachedBlocks();

    /** Cached blocks evicted so far. */
    long evictedBlocks();

    /** Most blocks that one request of so many tokens can hold at a time. */
    long blocksAtMost(int tokens);

    /** Tokens that {@link #lookup} would find for a prompt that is no request of this engine. */
    int cachedPrefix(ChainRuns chain, int tokens);

    // For stretches of decode steps that are taken at once.

    /**
     * Decode steps of a running request in which nothing but {@link #missing} blocks is needed, and nothing is given
     * back.
     */
    int quietSteps(int request);

    /** Blocks that a running request lacks for its first {@code tokens} tokens. */
    int missing(int request, int tokens);

    /** Gives a running request the blocks for its computed tokens and registers those that its known tokens fill. */
    void decoded(int request);

    /**
     * Whether the whole sequence of an unadmitted request does not fit, for a reason that no allocation or eviction by
     * others removes.
     */
    boolean staysBlocked(int request, int keepFree);
}
