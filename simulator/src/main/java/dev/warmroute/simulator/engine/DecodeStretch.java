package dev.warmroute.simulator.engine;

/**
 * Steps that need no decision: every running request computes its newest token, none ends or is preempted, nobody is
 * admitted. Such steps differ only in the lengths of the contexts, so any number of them can be taken at once.
 *
 * <p>Only counts matter for what follows: which request took which of the free blocks is nowhere visible, and a block
 * that fills during the stretch is held to its end, so neither the order of allocations nor that of registrations
 * changes what is evicted, cached or queued afterwards.
 */
final class DecodeStretch {
    private final EngineConfig config;
    private final RequestTable requests;
    private final KvCache kv;
    private final Scheduler scheduler;
    private final EngineCounters counters;

    /** Outputs in flight when a batch is about to be scheduled: 1 with asynchronous scheduling, else 0. */
    private final int ahead;

    DecodeStretch(
            EngineConfig config, RequestTable requests, KvCache kv, Scheduler scheduler, EngineCounters counters) {
        this.config = config;
        this.requests = requests;
        this.kv = kv;
        this.scheduler = scheduler;
        this.counters = counters;
        this.ahead = config.asyncScheduling() ? 1 : 0;
    }

    /**
     * Returns how many steps from now on need no decision; 0 if the next one may.
     *
     * @param batchInFlight requests of the batch in flight; 0 if there is none
     */
    int steps(int batchInFlight) {
        RunningList running = scheduler.running;
        int n = running.size();
        if (n == 0 || n > config.maxNumBatchedTokens() || batchInFlight != n * ahead) {
            return 0;
        }
        int steps = Integer.MAX_VALUE;
        for (int i = 0; i < n; i++) {
            int r = running.get(i);
            int outputs = requests.outputs(r);
            boolean decodes = outputs > 0
                    && requests.placeholders[r] == ahead
                    && requests.inFlight[r] == ahead // not what a preemption lost, recomputed in one chunk
                    && requests.computed[r] == requests.tokens[r] + ahead - 1;
            if (!decodes) {
                return 0;
            }
            steps = Math.min(steps, Math.min(requests.stopOutput[r] - outputs - 1, kv.quietSteps(r)));
        }
        boolean seatFree = n < config.maxNumSeqs() && n < config.maxNumBatchedTokens();
        if (scheduler.tiered != null) {
            return stepsBeforeHost(steps, seatFree);
        }
        if (steps > 0 && seatFree && !scheduler.waiting.isEmpty()) {
            steps = Math.min(steps, stepsBlocked(scheduler.waiting.first()));
        }
        return steps > 0 ? stepsWithBlocks(steps) : 0;
    }

    /** With host memory: only while nobody can be admitted and no store is tried again. */
    private int stepsBeforeHost(int most, boolean seatFree) {
        if (!scheduler.tiered.isQuiet(scheduler.waiting, seatFree)) {
            return 0;
        }
        for (int i = 0; i < scheduler.running.size(); i++) {
            if (!scheduler.tiered.host().hasOffered(scheduler.running.get(i))) {
                return 0;
            }
        }
        return most > 0 ? stepsWithBlocks(most) : 0;
    }

    /**
     * How long the head of the queue certainly stays there, when its whole sequence must fit and does not.
     *
     * <p>What it lacks is the blocks of its sequence, less those of its hit that running requests hold, less the free
     * ones. A block that a running request takes is one free block fewer; an evicted hit block was free and comes to the
     * same. A block that a running request fills and that continues the hit is one fewer to take, but it was taken before
     * it was filled: within the stretch, and then nothing is won, or before it, if it is the one that the request is
     * filling now. So only the first block that fills can let the head in, and only if it is the one that the hit lacks.
     */
    private int stepsBlocked(int head) {
        boolean decidedBySequence = config.reserveFullIsl()
                && config.rules().counterMoment() == EngineRules.CounterMoment.ADMISSION
                && kv.staysBlocked(head, config.watermarkBlocks());
        if (!decidedBySequence) {
            return 0;
        }
        int blockSize = config.blockSize();
        int hit = kv.lookup(head) / blockSize;
        if (hit == (requests.tokens[head] - 1) / blockSize) {
            return Integer.MAX_VALUE;
        }
        int steps = Integer.MAX_VALUE;
        int missing = requests.chain[head].id(hit);
        for (int i = 0; i < scheduler.running.size(); i++) {
            int r = scheduler.running.get(i);
            boolean feeds = (requests.tokens[r] - 1) / blockSize == hit
                    && requests.chain[r].blocks() > hit
                    && requests.chain[r].id(hit) == missing;
            if (feeds) {
                steps = Math.min(steps, (hit + 1) * blockSize - requests.tokens[r]);
            }
        }
        return steps;
    }

    /** The most steps, up to {@code most}, for which the free blocks suffice. */
    private int stepsWithBlocks(int most) {
        if (blocksFor(most) <= kv.freeBlocks()) {
            return most;
        }
        int enough = 0;
        int tooMany = most;
        while (tooMany - enough > 1) {
            int middle = (enough + tooMany) >>> 1;
            if (blocksFor(middle) <= kv.freeBlocks()) {
                enough = middle;
            } else {
                tooMany = middle;
            }
        }
        return enough;
    }

    private long blocksFor(int steps) {
        long blocks = 0;
        for (int i = 0; i < scheduler.running.size(); i++) {
            int r = scheduler.running.get(i);
            blocks += kv.missing(r, requests.computed[r] + steps);
        }
        return blocks;
    }

    /** Sum of the contexts that the next step reads, in tokens. */
    long kvTokens() {
        long tokens = 0;
        for (int i = 0; i < scheduler.running.size(); i++) {
            tokens += requests.computed[scheduler.running.get(i)];
        }
        return tokens;
    }

    /** Takes steps, at most as many as {@link #steps} said. */
    void take(int steps) {
        int n = scheduler.running.size();
        for (int i = 0; i < n; i++) {
            int r = scheduler.running.get(i);
            requests.tokens[r] += steps;
            requests.computed[r] += steps;
            kv.decoded(r);
        }
        if (scheduler.tiered != null) {
            scheduler.tiered.settled(steps);
        }
        long tokens = (long) n * steps;
        counters.steps += steps;
        counters.scheduledTokens += tokens;
        counters.generatedTokens += tokens;
    }
}
