package dev.warmroute.simulator.replica;

import dev.warmroute.simulator.engine.Batch;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Engine} in real time on a thread of its own. A batch takes the time that the step-time law says, divided
 * by the speed; its tokens are out when it ends. Requests, departures and resets come in through a queue and take effect
 * before the next batch is formed, as in vLLM's own core loop.
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

    private final EngineSetup setup;
    private final double speed;
    private final int maxQueued;
    private final ReplicaMetrics metrics;
    private final LiveGenerations live;
    private final Engine engine;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean closing;
    private volatile boolean dead;
    private volatile boolean terminated;
    private volatile long lostNanos;

    // The engine thread's own: batches in flight and when they end, oldest first; the earliest start of the next one.
    private final FrontendQueue frontend = new FrontendQueue();
    private final Batch[] batches = new Batch[2];
    private final long[] ends = new long[2];
    private long ready;
    private boolean stuck;

    /**
     * @param speed how many times faster than the model's time it runs
     * @param maxQueued generations accepted and not ended, at most
     */
    EngineLoop(EngineSetup setup, double speed, int maxQueued, ReplicaMetrics metrics) {
        this.setup = setup;
        this.speed = speed;
        this.maxQueued = maxQueued;
        this.metrics = metrics;
        this.live = new LiveGenerations(metrics);
        this.engine =
                new Engine(setup.config(), new ChainInterner(setup.config().blockSize()), live);
        live.of(engine);
        this.thread = new Thread(this::run, "stand-in-engine");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether the engine works; false once it has failed or was closed. */
    boolean healthy() {
        return !dead && !closing;
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
        long delay = (long) (setup.timing().frontend().nanos(g.request().promptTokens()) / speed);
        command(() -> frontend.add(g, g.arrivedNanos() + delay));
    }

    /** Ends a generation whose client is gone; does nothing if it has ended. */
    void abort(Generation g) {
        command(() -> drop(g));
    }

    /** Empties the prefix cache; the answer is false, with nothing done, while any block is in use. */
    CompletableFuture<Boolean> resetPrefixCache() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
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
            metrics.failed();
        } finally {
            dead = true;
            runCommands();
            while (!frontend.isEmpty()) {
                refuse(frontend.take(), ApiError.closing());
            }
            live.removeAll().forEach(g -> refuse(g, ApiError.closing()));
            terminated = true;
            runCommands();
        }
    }

    /** Takes in what came, then does the next thing that is due, or waits for it. */
    private void turn() {
        boolean changed = runCommands();
        long now = System.nanoTime();
        while (frontend.nextDue() <= now) {
            admit(frontend.take());
            changed = true;
        }
        if (changed) {
            if (engine.inFlight() == 0) {
                stuck = false;
                ready = Math.max(ready, now);
            }
            metrics.engineState(engine);
        }
        boolean schedules = !stuck && engine.inFlight() < engine.depth() && engine.hasRequests();
        long due = schedules ? ready : engine.inFlight() > 0 ? ends[0] : now + IDLE_PARK_NANOS;
        if (due > now) {
            LockSupport.parkNanos(this, Math.min(due, frontend.nextDue()) - now);
        } else if (schedules) {
            schedule(now);
        } else {
            settle();
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
        ends[newest] = start + (long) (batch.nanos(setup.timing().law()) / speed);
    }

    private void settle() {
        Batch done = batches[0];
        ready = ends[0];
        batches[0] = batches[1];
        ends[0] = ends[1];
        stuck = false;
        engine.settle();
        live.settled(done).forEach(this::end);
        live.tell();
    }

    private void admit(Generation g) {
        GenerationRequest request = g.request();
        if (g.ended) {
            return;
        }
        if (!engine.fits(request.promptTokens(), request.answerTokens())) {
            refuse(g, ApiError.badRequest("", "The request does not fit in the KV cache."));
            return;
        }
        live.put(engine.add(g.prompt(), request.maxTokens(), request.answerTokens(), g.outputStart()), g);
    }

    private void drop(Generation g) {
        if (live.remove(g) && !dead) {
            engine.abort(g.handle);
        }
        if (!g.ended) {
            end(g);
        }
    }

    private void refuse(Generation g, ApiError error) {
        if (!g.ended) {
            end(g);
            g.listener().failed(error);
        }
    }

    private void end(Generation g) {
        g.ended = true;
        accepted.decrementAndGet();
    }
}
