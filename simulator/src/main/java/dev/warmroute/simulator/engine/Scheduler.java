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

    Scheduler(
            EngineConfig config,
            RequestTable requests,
            KvCache kv,
            EngineCounters counters,
            EngineListener listener) {
        this.config = config;
        this.rules = config.rules();
        this.requests = requests;
        this.kv = kv;
        this.counters = counters;
        this.listener = listener;
        this.blockSize = config.blockSize();
        this.alignsChunks = config.hasGatedDelta() && config.prefixCaching();
    }

    /** Fills {@code into} with the next batch; it stays empty when nothing can be computed now. */
    void schedule(Batch into) {
        batch = into;
        batch.clear();
        kv.stepStarts();
        budget = config.maxNumBatchedTokens();
        boolean alone = rules.loneLongPrefill() && running.size() + waiting.size() <= 1;
        threshold = alone ? 0 : config.longPrefillTokenThreshold();
        if (scheduleRunning()) {
            scheduleWaiting();
        }
        for (int i = 0; i < batch.size(); i++) {
            advance(batch.request(i), batch.tokens(i));
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
        while (!waiting.isEmpty() && budget > 0 && running.size() < config.maxNumSeqs()) {
            int r = waiting.first();
            int hit = kv.lookup(r);
            countLookup(r, hit, EngineRules.CounterMoment.LOOKUP);
            int n = tokensOfWaiting(r, hit);
            int keepFree = running.isEmpty() ? 0 : config.watermarkBlocks();
            if (n == 0 || !kv.admit(r, hit, n, keepFree, config.reserveFullIsl())) {
                return;
            }
            countLookup(r, hit, EngineRules.CounterMoment.ADMISSION);
            waiting.removeFirst();
            running.add(r);
            boolean resumed = requests.status[r] == RequestTable.PREEMPTED;
            requests.status[r] = RequestTable.RUNNING;
            requests.computed[r] = hit;
            if (!resumed) {
                requests.cached[r] = hit;
            }
            listener.admitted(r, hit, resumed);
            put(r, n);
        }
    }

    private int tokensOfRunning(int r) {
        int computed = requests.computed[r];
        int n = atMostThreshold(requests.tokens[r] + requests.placeholders[r] - computed);
        n = Math.min(n, Math.min(budget, config.maxModelLen() - 1 - computed));
        return alignsChunks ? alignedChunk(r, computed, n) : n;
    }

    private int tokensOfWaiting(int r, int hit) {
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
    }

    private void preempt(int r) {
        kv.release(r);
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
        for (int i = 0; i < done.size(); i++) {
            int r = done.request(i);
            requests.inFlight[r] -= done.tokens(i);
            boolean stale = requests.stale[r] > 0;
            if (stale) {
                requests.stale[r] -= done.tokens(i);
            }
            if (requests.status[r] == RequestTable.GONE) {
                if (requests.inFlight[r] == 0) {
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
        kv.release(r);
        if (!wasRunning) {
            waiting.remove(r);
        }
        leave(r);
        counters.finished++;
        listener.finished(r, outputs);
        return wasRunning;
    }

    /** Drops a request whose client is gone. */
    void abort(int r) {
        boolean wasRunning = requests.status[r] == RequestTable.RUNNING;
        kv.release(r);
        leave(r);
        if (wasRunning) {
            running.remove(r);
        } else {
            waiting.remove(r);
        }
        counters.aborted++;
    }

    private void leave(int r) {
        if (requests.inFlight[r] > 0) {
            requests.status[r] = RequestTable.GONE;
        } else {
            requests.release(r);
        }
    }
}
