package dev.warmroute.simulator.engine;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Host memory behind a replica's KV cache, as vLLM's native offloading connector keeps it (0.32.0,
 * {@code kv_connector/v1/offloading} and {@code kv_offload/cpu}), for models with full attention only.
 *
 * <ul>
 *   <li>Every block of a prompt is offered once, in the step in whose schedule it became full; what is not there yet is
 *       stored. ({@code offload_prompt_only} is the default: an answer comes with the next turn's prompt.) A store that
 *       finds no room is offered again in the request's next step, and a last time at the first schedule after it ended.
 *       The copy begins when that step ends.
 *   <li>After the hit on the card, blocks that follow without a gap and are there are a hit too. They are loaded while
 *       the request waits outside the batch and holds its blocks; others may pass it. While one of them is being
 *       written, or read for another request, the request is passed over and looked up again in the next step.
 *   <li>When a request has ended, the blocks that it offered or loaded are used, the first one last.
 * </ul>
 *
 * <p>Loads and stores each go one after another. A store whose request is preempted is over when the step is: the worker
 * waits for it, and that wait takes no time here. Nor does the wait for a store whose block is handed out again.
 */
final class HostTier {
    /** A hit that cannot be told yet. */
    static final int DEFER = -1;

    private static final long NEVER = Long.MAX_VALUE;

    private static final class Job {
        private final boolean load;
        private final int request;
        private final long tenancy; // of the request's handle
        private final int[] ids;
        private final long number;
        private long doneAt;

        Job(boolean load, int request, long tenancy, int[] ids, long number) {
            this.load = load;
            this.request = request;
            this.tenancy = tenancy;
            this.ids = ids;
            this.number = number;
        }
    }

    /** What a request leaves behind: the blocks to be offered last, and all that it used before. */
    private record Departed(int[] offer, IntOpenHashSet seen) {}

    private final HostMemory memory;
    private final RequestTable requests;
    private final HostCache cache;
    private final int blockSize;

    // request -> what it has to do with the host
    private long[] tenancy = new long[16];
    private int[] nextStored = new int[16]; // blocks before this one were offered or loaded
    private int[] stores = new int[16]; // under way
    private boolean[] loading = new boolean[16];
    private IntOpenHashSet[] seen = new IntOpenHashSet[16];
    private long tenancies;

    private final List<Departed> departed = new ArrayList<>();
    private final IntArrayList stored = new IntArrayList();
    private final IntArrayList flushed = new IntArrayList();

    private final PriorityQueue<Job> underWay =
            new PriorityQueue<>(Comparator.comparingLong((Job j) -> j.doneAt).thenComparingLong(j -> j.number));
    private final List<Job> fresh = new ArrayList<>();
    private long jobs;
    private long loadsFree; // when the last load is over
    private long storesFree;

    private final IntArrayList arrived = new IntArrayList();
    private int[] ids = new int[64];

    HostTier(HostMemory memory, RequestTable requests, int blockSize) {
        this.memory = memory;
        this.requests = requests;
        this.cache = new HostCache(memory.blocks());
        this.blockSize = blockSize;
    }

    HostCache cache() {
        return cache;
    }

    /** A request has come in. */
    void added(int request) {
        if (request >= tenancy.length) {
            int n = Math.max(tenancy.length * 2, request + 1);
            tenancy = Arrays.copyOf(tenancy, n);
            nextStored = Arrays.copyOf(nextStored, n);
            stores = Arrays.copyOf(stores, n);
            loading = Arrays.copyOf(loading, n);
            seen = Arrays.copyOf(seen, n);
        }
        tenancy[request] = ++tenancies;
        nextStored[request] = 0;
        stores[request] = 0;
        loading[request] = false;
        seen[request] = new IntOpenHashSet();
    }

    /**
     * Finds how many tokens beyond a hit on the card can be loaded.
     *
     * @param local tokens of that hit, whole blocks
     * @return tokens, whole blocks, or {@link #DEFER}; all known tokens may be among them
     */
    int lookup(int request, int local) {
        if (stores[request] > 0) {
            return DEFER;
        }
        ChainRuns chain = requests.chain[request];
        int end = requests.tokens[request] / blockSize;
        int at = local / blockSize;
        boolean busy = false;
        while (at < end) {
            int state = cache.state(chain.id(at));
            if (state == HostCache.ABSENT) {
                break;
            }
            busy |= state != HostCache.READY;
            at++;
        }
        return busy ? DEFER : at * blockSize - local;
    }

    /** Begins to load what {@link #lookup} found, into blocks that the request holds. */
    void load(int request, int local, int tokens) {
        int from = local / blockSize;
        int to = (local + tokens) / blockSize;
        int[] loaded = Arrays.copyOf(read(requests.chain[request], from, to), to - from);
        for (int id : loaded) {
            cache.pin(id);
            seen[request].add(id);
        }
        nextStored[request] = to;
        loading[request] = true;
        begin(true, request, loaded);
    }

    /** Whether what a request waits for has not arrived. */
    boolean isLoading(int request) {
        return loading[request];
    }

    /** A running request loses its blocks; the step waits for what is being copied from them. */
    void preempted(int request) {
        if (stores[request] > 0) {
            flushed.add(request);
        }
    }

    /**
     * A request is over; its last blocks are offered at the next schedule.
     *
     * @param computed tokens of it that are in its blocks for good
     */
    void ended(int request, int computed) {
        int from = nextStored[request];
        int to = Math.min(computed, requests.promptTokens[request]) / blockSize;
        int[] last = to > from ? Arrays.copyOf(read(requests.chain[request], from, to), to - from) : new int[0];
        departed.add(new Departed(last, seen[request]));
        seen[request] = new IntOpenHashSet(0);
        tenancy[request] = 0;
    }

    /** A batch is decided: its full blocks are offered, then those of requests that are over. */
    void scheduled(Batch batch) {
        for (int i = 0; i < batch.size(); i++) {
            offer(batch.request(i));
        }
        for (Departed gone : departed) {
            stored.clear();
            if (cache.offer(gone.offer, 0, gone.offer.length, stored, gone.seen) && !stored.isEmpty()) {
                begin(false, -1, stored.toIntArray());
            }
            use(gone.seen);
        }
        departed.clear();
    }

    /** Ids grow along a chain, so that the order of ids is that of positions. */
    private void use(IntOpenHashSet used) {
        int[] order = used.toIntArray();
        Arrays.sort(order);
        for (int i = order.length - 1; i >= 0; i--) {
            cache.touch(order[i]);
        }
    }

    private void offer(int request) {
        int from = nextStored[request];
        int to = Math.min(requests.computed[request], requests.promptTokens[request]) / blockSize;
        if (to <= from) {
            return;
        }
        stored.clear();
        if (!cache.offer(read(requests.chain[request], from, to), 0, to - from, stored, seen[request])) {
            return;
        }
        nextStored[request] = to;
        if (!stored.isEmpty()) {
            stores[request]++;
            begin(false, request, stored.toIntArray());
        }
    }

    /** Whether a decoding request has nothing to offer, now or later: its prompt has been taken in. */
    boolean hasOffered(int request) {
        return nextStored[request] >= requests.promptTokens[request] / blockSize;
    }

    /** Whether the next schedule has to do with requests that are over. */
    boolean hasDeparted() {
        return !departed.isEmpty();
    }

    private void begin(boolean load, int request, int[] blocks) {
        fresh.add(new Job(load, request, request < 0 ? 0 : tenancy[request], blocks, jobs++));
    }

    /** The transfers decided in a step are on their way: loads from the moment it begins, stores from when it ends. */
    void launch(long begins, long ends) {
        for (Job job : fresh) {
            if (job.load) {
                loadsFree = Math.max(loadsFree, begins)
                        + memory.transferNanos()
                        + job.ids.length * memory.loadNanosPerBlock();
                job.doneAt = loadsFree;
            } else {
                storesFree = Math.max(storesFree, ends)
                        + memory.transferNanos()
                        + job.ids.length * memory.storeNanosPerBlock();
                job.doneAt = storesFree;
            }
            underWay.add(job);
        }
        fresh.clear();
        if (!flushed.isEmpty()) {
            List<Job> hurried = new ArrayList<>();
            underWay.removeIf(job -> isFlushed(job, ends) && hurried.add(job));
            hurried.forEach(job -> job.doneAt = ends);
            underWay.addAll(hurried);
            flushed.clear();
        }
    }

    private boolean isFlushed(Job job, long ends) {
        return !job.load && job.doneAt > ends && flushed.contains(job.request) && job.tenancy == tenancy[job.request];
    }

    /** Takes in the transfers that are over at a moment; returns the requests whose loads are among them. */
    IntArrayList arrive(long now) {
        arrived.clear();
        while (!underWay.isEmpty() && underWay.peek().doneAt <= now) {
            Job job = underWay.poll();
            for (int id : job.ids) {
                if (job.load) {
                    cache.unpin(id);
                } else {
                    cache.written(id);
                }
            }
            if (job.load) {
                loading[job.request] = false;
                arrived.add(job.request);
            } else if (job.request >= 0 && job.tenancy == tenancy[job.request]) {
                stores[job.request]--;
            }
        }
        return arrived;
    }

    /** When the next transfer is over, {@link Long#MAX_VALUE} if none is under way. */
    long nextArrival() {
        return underWay.isEmpty() ? NEVER : underWay.peek().doneAt;
    }

    private int[] read(ChainRuns chain, int from, int to) {
        if (ids.length < to - from) {
            ids = new int[Math.max(ids.length * 2, to - from)];
        }
        for (int i = from; i < to; i++) {
            ids[i - from] = chain.id(i);
        }
        return ids;
    }
}
