package dev.warmroute.simulator.replica;

import dev.warmroute.simulator.engine.Batch;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.timing.StepTimeLaw;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Engine} in real time on a thread of its own. A batch takes the time that the {@link StepTimeLaw} says,
 * divided by the speed; its tokens are out when it ends. Requests, departures and resets come in through a queue and take
 * effect before the next batch is formed, as in vLLM's own core loop.
 *
 * <p>The loop keeps to a plan: a batch starts when the one before was due to end, not when this thread woke up, so that late
 * wake-ups do not add up. When it is late by more than {@link #MAX_LAG_NANOS} (the machine is too slow for the speed that was
 * asked for, or was paused) the plan is moved, and {@link #lostNanos} says by how much in all.
 */
final class EngineLoop implements AutoCloseable {
    /** Lateness that is made up for by hurrying; more is given up. */
    static final long MAX_LAG_NANOS = 100_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);
    private static final long IDLE_PARK_NANOS = 1_000_000_000;
    private static final long CLOSE_MILLIS = 5_000;

    private final Engine engine;
    private final StepTimeLaw law;
    private final double speed;
    private final int maxQueued;
    private final ReplicaMetrics metrics;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean closing;
    private volatile boolean dead;
    private volatile boolean terminated;
    private volatile long lostNanos;

    // All below belongs to the engine thread. Batches in flight and when they end, oldest first; plan of the next one.
    private final Int2ObjectOpenHashMap<Generation> live = new Int2ObjectOpenHashMap<>();
    private final Batch[] batches = new Batch[2];
    private final long[] ends = new long[2];
    private long ready;
    private boolean stuck;
    private int stepTokens;
    private final ArrayList<Generation> progressed = new ArrayList<>();

    EngineLoop(String name, EngineConfig config, StepTimeLaw law, double speed, int maxQueued, ReplicaMetrics metrics) {
        this.engine = new Engine(config, new ChainInterner(config.blockSize()), new Listener());
        this.law = law;
        this.speed = speed;
        this.maxQueued = maxQueued;
        this.metrics = metrics;
        this.thread = new Thread(this::run, "engine-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether the engine works; false once it has failed or was closed. */
    boolean healthy() {
        return !dead && !closing;
    }

    /** Requests accepted and not yet ended. */
    int inFlight() {
        return accepted.get();
    }

    /** Time by which batches began later than planned and which was not made up for, in nanoseconds of the wall clock. */
    long lostNanos() {
        return lostNanos;
    }

    /**
     * Hands a generation to the engine.
     *
     * @throws ApiError if the queue is full or the loop is closing
     */
    void submit(Generation g) {
        if (!healthy()) {
            throw ApiError.closing();
        }
        if (accepted.incrementAndGet() > maxQueued) {
            accepted.decrementAndGet();
            metrics.rejected();
            throw ApiError.overloaded(maxQueued);
        }
        command(() -> add(g));
    }

    /** Ends a generation whose client is gone; does nothing if it has ended. */
    void abort(Generation g) {
        command(() -> drop(g));
    }

    /** Empties the prefix cache; the answer is false, with nothing done, while any block is in use. */
    CompletableFuture<Boolean> resetPrefixCache() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        if (!healthy()) {
            done.complete(false);
            return done;
        }
        command(() -> done.complete(!dead && engine.resetPrefixCache()));
        return done;
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void command(Runnable command) {
        commands.add(command);
        LockSupport.unpark(thread);
        if (terminated) {
            runCommands();
        }
    }

    private boolean runCommands() {
        boolean any = false;
        Runnable command;
        while ((command = commands.poll()) != null) {
            command.run();
            any = true;
        }
        return any;
    }

    private void run() {
        try {
            while (!closing) {
                turn();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("the engine failed and stops; requests are answered with 503 from now on", e);
            dead = true;
            metrics.failed();
        } finally {
            dead = true;
            runCommands();
            live.values().forEach(this::refuse);
            live.clear();
            terminated = true;
            runCommands();
        }
    }

    /** Takes in what came, then does the next thing that is due, or waits for it. */
    private void turn() {
        boolean changed = runCommands();
        long now = System.nanoTime();
        if (changed && engine.inFlight() == 0) {
            stuck = false;
            ready = Math.max(ready, now);
            metrics.engineState(engine);
        }
        boolean schedules = !stuck && engine.inFlight() < engine.depth() && engine.hasRequests();
        long due = schedules ? ready : engine.inFlight() > 0 ? ends[0] : now + IDLE_PARK_NANOS;
        if (due > now) {
            LockSupport.parkNanos(this, due - now);
        } else if (schedules) {
            schedule(now);
        } else {
            settle(now);
        }
    }

    private void schedule(long now) {
        if (now - ready > MAX_LAG_NANOS) {
            lostNanos += now - ready;
            ready = now;
        }
        Batch batch = engine.schedule();
        if (batch.isEmpty()) {
            stuck = true;
            return;
        }
        int newest = engine.inFlight() - 1;
        long start = newest == 0 ? ready : Math.max(ready, ends[newest - 1]);
        batches[newest] = batch;
        ends[newest] = start + Math.max(1, (long) (batch.nanos(law) / speed));
    }

    private void settle(long now) {
        Batch done = batches[0];
        ready = ends[0];
        batches[0] = batches[1];
        ends[0] = ends[1];
        stuck = false;
        stepTokens = 0;
        engine.settle();
        for (int i = 0; i < done.size(); i++) {
            Generation g = done.samples(i) ? live.get(done.request(i)) : null;
            if (g != null) {
                deliver(g, engine.outputTokens(done.request(i)), now);
            }
        }
        metrics.iteration(stepTokens);
        metrics.engineState(engine);
        progressed.forEach(g -> g.listener().progressed()); // last, so that who has an answer finds it counted
        progressed.clear();
    }

    /** Brings a generation to {@code total} output tokens. */
    private void deliver(Generation g, int total, long now) {
        int more = total - g.produced();
        if (more <= 0) {
            return;
        }
        boolean first = g.produced() == 0;
        long since = now - g.lastTokenNanos();
        g.tokensOut(total, now);
        if (first) {
            metrics.firstToken(g);
            stepTokens += g.request().promptTokens() - g.cachedTokens();
        }
        stepTokens += more;
        metrics.tokens(more, first, since);
        int preemptions = engine.preemptions(g.handle);
        if (preemptions > g.preemptionsShown) {
            metrics.preempted(preemptions - g.preemptionsShown);
            g.preemptionsShown = preemptions;
        }
        progressed.add(g);
    }

    private void add(Generation g) {
        if (dead) {
            refuse(g);
            return;
        }
        GenerationRequest request = g.request();
        if (!engine.fits(request.promptTokens(), request.answerTokens())) {
            end(g);
            g.listener().failed(ApiError.badRequest("", "The request does not fit in the KV cache."));
            return;
        }
        g.handle = engine.add(g.prompt(), request.maxTokens(), request.answerTokens(), g.outputStart());
        live.put(g.handle, g);
    }

    private void drop(Generation g) {
        if (g.ended) {
            return;
        }
        if (g.handle >= 0 && live.remove(g.handle, g)) {
            if (!dead) {
                engine.abort(g.handle);
                metrics.engineState(engine);
            }
        }
        end(g);
    }

    private void refuse(Generation g) {
        end(g);
        g.listener().failed(ApiError.closing());
    }

    private void end(Generation g) {
        g.ended = true;
        accepted.decrementAndGet();
    }

    /** Hears the engine, within its calls. */
    private final class Listener implements EngineListener {
        @Override
        public void admitted(int request, int cachedTokens, boolean resumed) {
            Generation g = live.get(request);
            if (g != null && !resumed) {
                g.admitted(cachedTokens, System.nanoTime());
                metrics.admitted(cachedTokens);
            }
        }

        @Override
        public void finished(int request, int outputTokens) {
            Generation g = live.remove(request);
            if (g != null) {
                deliver(g, outputTokens, System.nanoTime());
                metrics.finished(g, g.preemptionsShown);
                end(g);
            }
        }
    }
}
