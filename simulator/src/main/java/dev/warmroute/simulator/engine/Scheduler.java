package dev.warmroute.simulator.engine;

/**
 * One step of vLLM's V1 scheduler, in two halves: {@link #schedule} decides what is computed, {@link #settle} takes in
 * what came out. There are no phases: running requests come first, in the order of their admission, then the queue,
 * strictly from its head, as long as the token budget lasts.
 */
final class Scheduler {
    private final EngineConfig config;
    private final EngineRules rules;
    private final RequestTable requests;
    private final KvCache kv;
    private final EngineCounters counters;
    private final EngineListener listener;
    private final int blockSize;
    private final boolean alignsChunks;

    final RunningList running = new RunningList();
    final WaitingQueue waiting = new WaitingQueue();

    private Batch batch;
    private int budget;
    private int threshold;

    /** What is different with host memory; null without. */
    final TieredScheduling tiered;

    Scheduler(
            EngineConfig config, RequestTable requests, KvCache kv, EngineCounters counters, EngineListener listener) {
        this.config = config;
        this.rules = config.rules();
        this.requests = requests;
        this.kv = kv;
        this.counters = counters;
        this.listener = listener;
        this.blockSize = config.blockSize();
        this.alignsChunks = config.hasGatedDelta() && config.prefixCaching();
        this.tiered = config.hostMemory()
                .map(memory -> new TieredScheduling(config, requests, kv, counters, listener, this, memory))
                .orElse(null);
    }

    /** A request has come in. */
    void added(int r) {
        kv.added(r);
        if (tiered != null) {
            tiered.added(r);
        }
        waiting.addLast(r);
    }

    /** Requests that wait, those that hold blocks included. */
    int queued() {
        return waiting.size() + (tiered == null ? 0 : tiered.holding.size());
    }

    /** Fills {@code into} with the next batch; it stays empty when nothing can be computed now. */
    void schedule(Batch into) {
        batch = into;
        batch.clear();
        kv.stepStarts();
        budget = config.maxNumBatchedTokens();
        boolean alone = rules.loneLongPrefill() && running.size() + queued() <= 1;
        threshold = alone ? 0 : config.longPrefillTokenThreshold();
        if (scheduleRunning()) {
            if (tiered == null) {
                scheduleWaiting();
            } else {
                tiered.scheduleWaiting(waiting);
            }
        }
        for (int i = 0; i < batch.size(); i++) {
            advance(batch.request(i), batch.tokens(i));
        }
        if (tiered != null) {
            tiered.host().scheduled(batch);
        }
        if (!batch.isEmpty()) {
            counters.steps++;
        }
    }

    /** Schedules running requests; false if one had to be preempted. */
    private boolean scheduleRunning() {
        boolean nonePreempted = true;
        for (int i = 0; i < running.size() && budget > 0; i++) {
            int r = running.get(i);
            int n = endsWithBatchInFlight(r) ? 0 : tokensOfRunning(r);
            if (n == 0) {
                continue;
            }
            while (!kv.grow(r, n)) {
                if (tiered != null && !tiered.mayFree(running.get(running.size() - 1))) {
                    return nonePreempted;
                }
                int victim = running.removeLast();
                preempt(victim);
                nonePreempted = false;
                if (victim == r) {
                    return false;
                }
            }
            put(r, n);
        }
        return nonePreempted;
    }

    /** Admits requests from the head of the queue, as long as everything they need is there. */
    private void scheduleWaiting() {
        while (!waiting.isEmpty() && mayAdmit()) {
            int r = waiting.first();
            int hit = kv.lookup(r);
            if (!admit(r, hit)) {
                return;
            }
            waiting.removeFirst();
        }
    }

    boolean mayAdmit() {
        return budget > 0 && running.size() < config.maxNumSeqs();
    }

    /** Admits a request with a hit that was looked up; false, with nothing changed but the look-up counted, if it must wait. */
    boolean admit(int r, int hit) {
        countLookup(r, hit, EngineRules.CounterMoment.LOOKUP);
        int n = tokensOf(r, hit);
        if (n == 0 || !kv.admit(r, hit, n, keepFree(), config.reserveFullIsl())) {
            return false;
        }
        countLookup(r, hit, EngineRules.CounterMoment.ADMISSION);
        join(r, hit, requests.status[r] == RequestTable.PREEMPTED, n);
        return true;
    }

    /** A look-up that led to blocks being given counts, whatever the version's moment. */
    void countAdmitted(int r, int hit) {
        countLookup(r, hit, rules.counterMoment());
    }

    /** Free blocks that an admission must leave. */
    int keepFree() {
        return running.isEmpty() ? 0 : config.watermarkBlocks();
    }

    void join(int r, int cached, boolean resumed, int n) {
        running.add(r);
        if (requests.status[r] != RequestTable.LOADING) {
            requests.computed[r] = cached;
            if (!resumed) {
                requests.cached[r] = cached;
            }
        }
        requests.status[r] = RequestTable.RUNNING;
        listener.admitted(r, cached, resumed);
        if (tiered != null) {
            tiered.joined(r, requests.computed[r], n);
        }
        put(r, n);
    }

    private int tokensOfRunning(int r) {
        int computed = requests.computed[r];
        int n = atMostThreshold(requests.tokens[r] + requests.placeholders[r] - computed);
        n = Math.min(n, Math.min(budget, config.maxModelLen() - 1 - computed));
        return alignsChunks ? alignedChunk(r, computed, n) : n;
    }

    /** Tokens of a waiting request that may be computed now, of whose tokens {@code hit} are cached. */
    int tokensOf(int r, int hit) {
        int n = Math.min(atMostThreshold(requests.tokens[r] - hit), budget);
        return alignsChunks ? alignedChunk(r, hit, n) : n;
    }

    private int atMostThreshold(int n) {
        return threshold > 0 && threshold < n ? threshold : n;
    }

    /** Async scheduling: whether the batch in flight brings the last token that may be produced. */
    private boolean endsWithBatchInFlight(int r) {
        int placeholders = requests.placeholders[r];
        return placeholders > 0
                && requests.computed[r] + 2 - placeholders >= requests.promptTokens[r] + requests.maxOutput[r];
    }

    /**
     * Shortens a chunk of a prompt so that it ends where a recurrent state can be cached: a state exists only where a
     * step ended. Chunks end at block boundaries, the last full block of the prompt is a stop of its own, and so is the
     * place up to which another group has cached more than this one.
     */
    private int alignedChunk(int r, int start, int n) {
        int tokens = requests.tokens[r];
        int prefillEnd = Math.max(requests.promptTokens[r], tokens - 1);
        if (start >= prefillEnd) {
            return n;
        }
        int end = start + n;
        if (end < prefillEnd) {
            int limit = config.maxNumBatchedTokens();
            if (config.longPrefillTokenThreshold() > 0) {
                limit = Math.min(limit, config.longPrefillTokenThreshold());
            }
            int aligned = end / blockSize * blockSize;
            if (aligned > start || blockSize <= limit) {
                end = aligned;
            }
        }
        int stop = end;
        if (start % blockSize != 0) {
            stop = earlier(stop, start, (start / blockSize + 1) * blockSize);
        }
        stop = earlier(stop, start, (tokens - 1) / blockSize * blockSize);
        int junction = kv.sharedBoundary(r);
        if (start < junction && junction < end) {
            stop = earlier(stop, start, start + (junction - start) / blockSize * blockSize);
        }
        return Math.max(stop - start, 0);
    }

    private static int earlier(int stop, int start, int candidate) {
        return start < candidate && candidate < stop ? candidate : stop;
    }

    private void put(int r, int n) {
        int context = requests.computed[r];
        boolean samples = context + n >= requests.tokens[r] + requests.placeholders[r];
        boolean decodes = n == 1 && samples && context >= requests.promptTokens[r];
        batch.add(r, n, context, samples, decodes);
        budget -= n;
        counters.scheduledTokens += n;
    }

    /** The scheduler counts on what it scheduled before it has run. */
    private void advance(int r, int n) {
        requests.computed[r] += n;
        requests.inFlight[r] += n;
        boolean samples = requests.computed[r] >= requests.tokens[r] + requests.placeholders[r];
        if (samples && config.asyncScheduling()) {
            requests.placeholders[r]++;
        }
        if (tiered != null) {
            tiered.advanced(r);
        }
    }

    private void preempt(int r) {
        kv.release(r);
        if (tiered != null) {
            tiered.preempted(r);
        }
        requests.status[r] = RequestTable.PREEMPTED;
        requests.computed[r] = 0;
        requests.stale[r] = requests.inFlight[r];
        requests.placeholders[r] = 0;
        requests.preemptions[r]++;
        waiting.addFirst(r);
        counters.preemptions++;
        listener.preempted(r);
    }

    private void countLookup(int r, int hit, EngineRules.CounterMoment moment) {
        if (moment != rules.counterMoment()
                || !config.prefixCaching()
                || requests.preemptions[r] > 0 && !rules.countResumed()) {
            return;
        }
        if (rules.counterUnit() == EngineRules.CounterUnit.TOKENS) {
            counters.queries += requests.tokens[r];
            counters.hits += hit;
        } else {
            counters.queries += requests.tokens[r] / blockSize;
            counters.hits += hit / blockSize;
        }
    }

    /** Takes in the outputs of a batch: one token for every request whose known tokens it has all computed. */
    void settle(Batch done) {
        boolean stopped = false;
        if (tiered != null) {
            tiered.settles();
        }
        for (int i = 0; i < done.size(); i++) {
            int r = done.request(i);
            requests.inFlight[r] -= done.tokens(i);
            boolean stale = requests.stale[r] > 0;
            if (stale) {
                requests.stale[r] -= done.tokens(i);
            }
            if (requests.status[r] == RequestTable.GONE) {
                if (requests.inFlight[r] == 0 && (tiered == null || !tiered.holdsBack(r))) {
                    requests.release(r);
                }
            } else if (done.samples(i)) {
                stopped |= output(r, stale);
            }
        }
        if (stopped) {
            running.keepRunning(requests.status);
        }
    }

    /** Adds one output token to a request; true if it was running and is finished by it. */
    private boolean output(int r, boolean stale) {
        boolean wasRunning = requests.status[r] == RequestTable.RUNNING;
        requests.tokens[r]++;
        counters.generatedTokens++;
        int outputs = requests.outputs(r);
        if (outputs == 1) {
            counters.promptTokens += requests.promptTokens[r];
            counters.promptTokensCached += requests.cached[r];
            listener.firstToken(r);
        }
        if (config.asyncScheduling()) {
            if (!stale) {
                requests.placeholders[r]--;
            }
            if (wasRunning) {
                kv.register(r, requests.computed[r] - requests.placeholders[r]);
            }
        }
        if (outputs < requests.stopOutput[r]) {
            return false;
        }
        if (!wasRunning) {
            waiting.remove(r);
        }
        // The last token's own state is never computed.
        leave(r, Math.max(requests.promptTokens[r], requests.tokens[r] - 1));
        counters.finished++;
        listener.finished(r, outputs);
        return wasRunning;
    }

    /** Drops a request whose client is gone. */
    void abort(int r) {
        boolean wasRunning = requests.status[r] == RequestTable.RUNNING;
        boolean wasLoading = requests.status[r] == RequestTable.LOADING;
        leave(r, requests.computed[r]);
        if (wasRunning) {
            running.remove(r);
        } else if (wasLoading) {
            tiered.holding.remove(r);
        } else {
            waiting.remove(r);
        }
        counters.aborted++;
    }

    private void leave(int r, int computed) {
        boolean free = true;
        if (tiered == null) {
            kv.release(r);
        } else {
            free = tiered.ended(r, computed);
        }
        if (requests.inFlight[r] > 0 || !free) {
            requests.status[r] = RequestTable.GONE;
        } else {
            requests.release(r);
        }
    }
}
