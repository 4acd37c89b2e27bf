package dev.warmroute.simulator.engine;

import dev.warmroute.recorder.trace.Prompt;
import java.util.function.BiFunction;

/**
 * One vLLM replica without a clock: requests go in, {@link #step()} takes the decisions of one engine step, and the
 * {@link EngineListener} hears what became of them. The same requests at the same steps give the same decisions as
 * vLLM's own scheduler and KV cache manager, checked step by step on recordings of both ({@code validate oracle}).
 *
 * <p>A step has two halves: {@link #schedule()} forms a batch, {@link #settle()} takes in the outputs of the oldest
 * batch in flight. Synchronous scheduling has one batch in flight, asynchronous scheduling two. {@link TimedEngine}
 * calls the halves at the right times and is what a discrete-event simulation uses.
 *
 * <p>Requests are known by handles: small integers, given to another request once {@link EngineListener#finished} or
 * {@link #abort} has ended one. Nothing is allocated in steady state. Not safe for use by several threads.
 */
public final class Engine {
    private final EngineConfig config;
    private final ChainInterner chains;
    private final RequestTable requests = new RequestTable();
    private final EngineCounters counters = new EngineCounters();
    private final KvCache kv;
    private final Scheduler scheduler;
    private final DecodeStretch stretch;
    private final ChainRuns probe = new ChainRuns();

    // Batches in flight, oldest first: inFlight of them from batches[oldest] on.
    private final Batch[] batches = {new Batch(), new Batch()};
    private final int depth;
    private int oldest;
    private int inFlight;

    /**
     * @param config its settings
     * @param chains names the prefixes; one for all engines of a fleet, with the block size of the configuration
     * @param listener told what happens
     */
    public Engine(EngineConfig config, ChainInterner chains, EngineListener listener) {
        this(config, chains, listener, ExtentKvCache.serves(config));
    }

    /**
     * @param inExtents whether the KV cache is kept in extents and not block by block
     */
    Engine(EngineConfig config, ChainInterner chains, EngineListener listener, boolean inExtents) {
        this(config, chains, listener, inExtents ? ExtentKvCache::new : BlockKvCache::new);
    }

    /**
     * @param caches makes the KV cache of the engine's requests
     */
    Engine(
            EngineConfig config,
            ChainInterner chains,
            EngineListener listener,
            BiFunction<EngineConfig, RequestTable, KvCache> caches) {
        if (chains.blockSize() != config.blockSize()) {
            throw new IllegalArgumentException("interner for blocks of " + chains.blockSize()
                    + " tokens, engine for blocks of " + config.blockSize());
        }
        this.config = config;
        this.chains = chains;
        this.kv = caches.apply(config, requests);
        this.scheduler = new Scheduler(config, requests, kv, counters, listener);
        this.stretch = new DecodeStretch(config, requests, kv, scheduler, counters);
        this.depth = config.asyncScheduling() ? 2 : 1;
    }

    public EngineConfig config() {
        return config;
    }

    /**
     * Whether a request can ever be served: it is shorter than the model's length and all its blocks fit in an empty
     * pool. vLLM answers the others with an error; here they would wait forever.
     */
    public boolean fits(int promptTokens, int maxTokens) {
        if (promptTokens >= config.maxModelLen()) {
            return false;
        }
        long tokens = Math.min((long) promptTokens + maxTokens - 1, config.maxModelLen());
        return kv.blocksAtMost((int) tokens) <= config.usableBlocks();
    }

    /**
     * Puts a request at the end of the queue.
     *
     * @param prompt at least one token
     * @param maxTokens output tokens it will produce, at least 1; fewer if the model's length is reached
     * @param outputStart number of its first output token in the token space of {@link Prompt}; output j is
     *     {@code outputStart + j}
     * @return its handle
     * @throws IllegalArgumentException if it does not {@linkplain #fits fit}
     */
    public int add(Prompt prompt, int maxTokens, long outputStart) {
        return add(prompt, maxTokens, maxTokens, outputStart);
    }

    /**
     * Puts a request that ends by itself before its limit at the end of the queue. With asynchronous scheduling the
     * engine learns of the end one step late and computes one token in vain.
     *
     * @param maxTokens limit that the engine knows
     * @param stopTokens output tokens after which it ends; 1 to {@code maxTokens}
     */
    public int add(Prompt prompt, int maxTokens, int stopTokens, long outputStart) {
        if (prompt.tokens() < 1 || stopTokens < 1 || stopTokens > maxTokens) {
            throw new IllegalArgumentException("a request needs a prompt and 1 to max_tokens outputs: prompt "
                    + prompt.tokens() + ", outputs " + stopTokens + ", max_tokens " + maxTokens);
        }
        if (!fits(prompt.tokens(), stopTokens)) {
            throw new IllegalArgumentException("a request of " + prompt.tokens() + " + " + stopTokens
                    + " tokens does not fit: max_model_len " + config.maxModelLen() + ", " + config.usableBlocks()
                    + " blocks of " + config.blockSize());
        }
        int room = config.maxModelLen() - prompt.tokens();
        int r = requests.add(prompt.tokens(), Math.min(maxTokens, room), Math.min(stopTokens, room));
        chains.intern(prompt, outputStart, requests.stopOutput[r], requests.chain[r]);
        scheduler.added(r);
        return r;
    }

    /**
     * Ends a request whose client is gone; its blocks are free at once. A request that has ended is left alone.
     *
     * @param request a handle that was not reported finished
     */
    public void abort(int request) {
        if (requests.isLive(request)) {
            scheduler.abort(request);
        }
    }

    /**
     * First half of a step: decides what the next batch computes.
     *
     * @return the batch, in flight now unless it is empty; the engine's own, valid until it is settled
     * @throws IllegalStateException if as many batches are in flight as the engine allows
     */
    public Batch schedule() {
        if (inFlight == depth) {
            throw new IllegalStateException(depth + " batches in flight already: settle one first");
        }
        Batch next = batches[(oldest + inFlight) & 1];
        scheduler.schedule(next);
        if (!next.isEmpty()) {
            inFlight++;
        }
        return next;
    }

    /**
     * Second half of a step: takes in the outputs of the oldest batch in flight.
     *
     * @throws IllegalStateException if none is in flight
     */
    public void settle() {
        if (inFlight == 0) {
            throw new IllegalStateException("no batch in flight");
        }
        Batch done = batches[oldest];
        oldest ^= 1;
        inFlight--;
        scheduler.settle(done);
    }

    /**
     * One whole engine step, as vLLM's core loop takes it: schedules a batch, then settles the oldest one if as many
     * are in flight as the engine allows, or if nothing could be scheduled. Without a clock, transfers from and to host
     * memory are over before the next step.
     *
     * @return the batch that was scheduled
     */
    public Batch step() {
        arrive(TimedEngine.NEVER);
        Batch next = schedule();
        launch(0, 0);
        if (inFlight == depth || next.isEmpty() && inFlight > 0) {
            settle();
        }
        return next;
    }

    /**
     * Returns how many whole steps from now on need no decision and are heard by nobody: 0 if the next may. To be asked
     * when a batch may be scheduled and all others that may be in flight are.
     */
    int quietSteps() {
        return inFlight == depth - 1 ? stretch.steps(inFlight == 0 ? 0 : batches[oldest].size()) : 0;
    }

    /** Sum of the contexts that the first of the quiet steps reads, in tokens. */
    long quietKvTokens() {
        return stretch.kvTokens();
    }

    /** Takes quiet steps at once: each schedules a batch and settles the oldest. At most as many as there are. */
    void takeQuietSteps(int steps) {
        stretch.take(steps);
        if (inFlight > 0) {
            batches[oldest].advance(steps);
        }
    }

    /** Batches whose outputs are not settled. */
    public int inFlight() {
        return inFlight;
    }

    /** Batches that may be in flight: 2 with asynchronous scheduling, else 1. */
    public int depth() {
        return depth;
    }

    /** Whether any request waits or runs. */
    public boolean hasRequests() {
        return !scheduler.running.isEmpty() || scheduler.queued() > 0;
    }

    // What a clock has to do with host memory; without it, nothing.

    /** Takes in the transfers from and to host memory that are over at a moment, before a batch is scheduled then. */
    public void arrive(long now) {
        if (scheduler.tiered != null) {
            scheduler.tiered.arrive(now);
        }
    }

    /**
     * The transfers between card and host memory that the last schedule decided are on their way.
     *
     * @param begins moment of that schedule
     * @param ends moment at which the batch ends
     */
    public void launch(long begins, long ends) {
        if (scheduler.tiered != null) {
            scheduler.tiered.host().launch(begins, ends);
        }
    }

    /** When something may arrive that a request waits for; {@link TimedEngine#NEVER} if nothing. */
    long nextArrival() {
        return scheduler.tiered == null ? TimedEngine.NEVER : scheduler.tiered.nextArrival(scheduler.waiting);
    }

    /** Whether requests that are over have blocks to be offered to host memory, though nothing else is to be done. */
    boolean hasLastStores() {
        return scheduler.tiered != null
                && inFlight == 0
                && !hasRequests()
                && scheduler.tiered.host().hasDeparted();
    }

    /**
     * Forgets all cached blocks, as {@code POST /reset_prefix_cache} does.
     *
     * @return false, with nothing changed, while any block is in use
     */
    public boolean resetPrefixCache() {
        return kv.reset();
    }

    public EngineCounters counters() {
        return counters;
    }

    /** {@code vllm:num_requests_running}. */
    public int running() {
        return scheduler.running.size();
    }

    /** {@code vllm:num_requests_waiting}, preempted ones and those that wait for a load included. */
    public int waiting() {
        return scheduler.queued();
    }

    /** Blocks that requests hold. */
    public int usedBlocks() {
        return kv.usedBlocks();
    }

    /** Blocks that nobody holds, cached ones included; without limit, what is left of the largest int. */
    public int freeBlocks() {
        return kv.freeBlocks();
    }

    /** {@code vllm:kv_cache_usage_perc}: share of the usable blocks that requests hold, 0 to 1; 0 without limit. */
    public double usage() {
        return config.unlimited() ? 0 : (double) kv.usedBlocks() / config.usableBlocks();
    }

    /** Distinct blocks in the prefix cache, held or free; with several groups those of each. */
    public int cachedBlocks() {
        return kv.cachedBlocks();
    }

    /** Blocks in host memory, those being written included; 0 without. */
    public int hostBlocks() {
        return scheduler.tiered == null ? 0 : scheduler.tiered.host().cache().size();
    }

    /** Blocks evicted from host memory so far. */
    public long evictedHostBlocks() {
        return scheduler.tiered == null ? 0 : scheduler.tiered.host().cache().evicted();
    }

    /** Blocks evicted from the prefix cache so far. */
    public long evictedBlocks() {
        return kv.evictedBlocks();
    }

    /** Tokens of a request found cached by its first admission, -1 before it. */
    public int cachedTokens(int request) {
        return requests.cached[request];
    }

    /** Output tokens of a request so far. */
    public int outputTokens(int request) {
        return requests.outputs(request);
    }

    public int promptTokens(int request) {
        return requests.promptTokens[request];
    }

    /** How often a request was preempted. */
    public int preemptions(int request) {
        return requests.preemptions[request];
    }

    /**
     * How many tokens of a prompt the prefix cache holds at this moment, as an admission would find them. Changes
     * nothing; for policies that are allowed to know, and for explanations.
     */
    public int cachedPrefix(Prompt prompt) {
        chains.intern(prompt, probe);
        return kv.cachedPrefix(probe, prompt.tokens());
    }

    /** {@link #cachedPrefix(Prompt)} for a request that waits in the queue, without reading its prompt again. */
    public int cachedPrefix(int request) {
        return kv.cachedPrefix(requests.chain[request], requests.tokens[request]);
    }
}
