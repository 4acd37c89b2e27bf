package dev.warmroute.simulator.engine;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;

/**
 * What the scheduler does differently with host memory behind the cache: requests whose blocks are being loaded wait apart,
 * holding them; others may pass a request whose hit cannot be told yet; and blocks that a batch in flight may still write
 * are not given back before it is over.
 */
final class TieredScheduling {
    private final EngineConfig config;
    private final RequestTable requests;
    private final KvCache kv;
    private final EngineCounters counters;
    private final EngineListener listener;
    private final Scheduler scheduler;
    private final HostTier host;

    /** Requests that hold blocks for what is being loaded, in the order in which they are admitted. */
    final WaitingQueue holding = new WaitingQueue();

    // request -> whether it will still compute its prompt after this step: others must leave it the blocks it lacks.
    private boolean[] prefilling = new boolean[16];

    // Blocks to be given back when a batch has been settled, in this order.
    private final boolean defersFrees;
    private final IntArrayList deferred = new IntArrayList();
    private final LongArrayList deferredUntil = new LongArrayList();
    private boolean[] isDeferred = new boolean[16];
    private long settled;

    /** Requests that ended while they were being loaded: their blocks are given back when the load is over. */
    private int leaving;

    TieredScheduling(
            EngineConfig config,
            RequestTable requests,
            KvCache kv,
            EngineCounters counters,
            EngineListener listener,
            Scheduler scheduler,
            HostMemory memory) {
        this.config = config;
        this.requests = requests;
        this.kv = kv;
        this.counters = counters;
        this.listener = listener;
        this.scheduler = scheduler;
        this.host = new HostTier(memory, requests, config.blockSize());
        this.defersFrees = config.maxConcurrentBatches() > 1;
    }

    HostTier host() {
        return host;
    }

    void added(int request) {
        if (request >= prefilling.length) {
            int n = Math.max(prefilling.length * 2, request + 1);
            prefilling = Arrays.copyOf(prefilling, n);
            isDeferred = Arrays.copyOf(isDeferred, n);
        }
        prefilling[request] = false;
        host.added(request);
    }

    /** Whether a running request may lose its blocks now. */
    boolean mayFree(int request) {
        return !defersFrees || requests.inFlight[request] == 0;
    }

    /** Admits from the head of the queues, the loaded ones first, as long as everything they need is there. */
    void scheduleWaiting(WaitingQueue waiting) {
        int held = 0; // still loading
        int passed = 0; // of those in the queue, not to be told yet
        while (scheduler.mayAdmit()) {
            if (held < holding.size()) {
                int r = holding.get(held);
                if (host.isLoading(r)) {
                    held++;
                } else if (!admitLoaded(r)) {
                    return;
                }
            } else if (passed < waiting.size()) {
                int r = waiting.get(passed);
                int hit = kv.lookup(r);
                int loaded = host.lookup(r, hit);
                if (loaded == HostTier.DEFER) {
                    passed++;
                } else if (loaded > 0) {
                    if (!load(r, hit, loaded)) {
                        return;
                    }
                    waiting.remove(r);
                    holding.addLast(r);
                    held++;
                } else {
                    if (!scheduler.admit(r, hit)) {
                        return;
                    }
                    countExternal(r, hit, 0);
                    waiting.remove(r);
                }
            } else {
                return;
            }
        }
    }

    private boolean load(int r, int hit, int loaded) {
        int reserved = 0;
        for (int i = 0; i < scheduler.running.size(); i++) {
            reserved += reservedFor(scheduler.running.get(i));
        }
        for (int i = 0; i < holding.size(); i++) {
            reserved += reservedFor(holding.get(i));
        }
        if (!kv.hold(r, hit, loaded, scheduler.keepFree(), reserved, config.reserveFullIsl())) {
            return false;
        }
        countExternal(r, hit, loaded);
        scheduler.countAdmitted(r, hit);
        boolean resumed = requests.preemptions[r] > 0;
        requests.status[r] = RequestTable.LOADING;
        requests.computed[r] = hit + loaded;
        if (!resumed) {
            requests.cached[r] = hit + loaded;
        }
        prefilling[r] = true;
        host.load(r, hit, loaded);
        listener.loading(r, hit, loaded, resumed);
        return true;
    }

    private int reservedFor(int r) {
        return prefilling[r] ? kv.lacking(r) : 0;
    }

    /** Registers what has been loaded, once, and admits the request; at least one token is always computed. */
    private boolean admitLoaded(int r) {
        kv.register(r, requests.computed[r]);
        int cached = Math.min(requests.computed[r], requests.tokens[r] - 1);
        requests.computed[r] = cached;
        int n = scheduler.tokensOf(r, cached);
        if (!kv.resume(r, n, scheduler.keepFree(), config.reserveFullIsl())) {
            return false;
        }
        holding.remove(r);
        scheduler.join(r, cached, requests.preemptions[r] > 0, n);
        return true;
    }

    private void countExternal(int r, int hit, int loaded) {
        if (requests.preemptions[r] == 0) {
            counters.externalQueries += requests.tokens[r] - hit;
            counters.externalHits += loaded;
        }
    }

    /** A request joins the batch. */
    void joined(int r, int computed, int n) {
        prefilling[r] |= computed + n < requests.tokens[r];
    }

    /** A scheduled request counts on what it was given. */
    void advanced(int r) {
        prefilling[r] &= requests.computed[r] < requests.tokens[r] + requests.placeholders[r];
    }

    void preempted(int r) {
        prefilling[r] = false;
        host.preempted(r);
    }

    /**
     * A request is over; its blocks are given back as soon as nothing writes to them.
     *
     * @param computed tokens of it that are in its blocks for good
     * @return whether its handle is free as far as this goes
     */
    boolean ended(int r, int computed) {
        prefilling[r] = false;
        host.ended(r, computed);
        if (requests.status[r] == RequestTable.LOADING && host.isLoading(r)) {
            leaving++;
            return false; // the load still writes: arrive()
        }
        if (!mayFree(r)) {
            deferred.add(r);
            deferredUntil.add(counters.steps);
            isDeferred[r] = true;
            return false;
        }
        kv.release(r);
        return true;
    }

    /** Whether an ended request's blocks are not given back yet. */
    boolean holdsBack(int r) {
        return isDeferred[r];
    }

    /** So many batches of decode steps were settled at once. */
    void settled(int batches) {
        settled += batches;
    }

    /** A batch is about to be settled: what waited for it is given back. */
    void settles() {
        settled++;
        int done = 0;
        while (done < deferred.size() && deferredUntil.getLong(done) <= settled) {
            int r = deferred.getInt(done++);
            kv.release(r);
            isDeferred[r] = false;
            if (requests.inFlight[r] == 0) {
                requests.release(r);
            }
        }
        deferred.removeElements(0, done);
        deferredUntil.removeElements(0, done);
    }

    /** Takes in the transfers that are over at a moment. */
    void arrive(long now) {
        IntArrayList loaded = host.arrive(now);
        for (int i = 0; i < loaded.size(); i++) {
            int r = loaded.getInt(i);
            if (requests.status[r] == RequestTable.GONE) {
                leaving--;
                kv.release(r);
                requests.release(r);
            }
        }
    }

    /** Whether the next schedule, with no more tokens known than now, decides nothing but decode steps. */
    boolean isQuiet(WaitingQueue waiting, boolean seatFree) {
        if (host.hasDeparted()) {
            return false;
        }
        if (!seatFree) {
            return true;
        }
        for (int i = 0; i < holding.size(); i++) {
            if (!host.isLoading(holding.get(i))) {
                return false;
            }
        }
        return waiting.isEmpty();
    }

    /**
     * When something may arrive that a waiting request waits for, or with which running ones get blocks; {@link Long#MAX_VALUE} if
     * nothing.
     */
    long nextArrival(WaitingQueue waiting) {
        boolean matters = !holding.isEmpty() || !waiting.isEmpty() || leaving > 0 && scheduler.running.size() > 0;
        return matters ? host.nextArrival() : Long.MAX_VALUE;
    }
}
