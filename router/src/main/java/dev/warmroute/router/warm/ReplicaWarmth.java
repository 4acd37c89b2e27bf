package dev.warmroute.router.warm;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warms one replica, one warm-up at a time, each on a thread of its own. Asked for another one meanwhile, it begins that when the
 * present one has ended: what that had done may be lost with the cache. Thread-safe.
 */
final class ReplicaWarmth {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaWarmth.class);

    /** What is to be warmed next. */
    private record Next(String reason, int prompts) {}

    private final String replica;
    private final BiConsumer<ReplicaWarmth, String> warmUp;
    private WarmState state = WarmState.COLD;
    private Optional<Next> next = Optional.empty();
    private Optional<Thread> runner = Optional.empty();
    /** Those who wait for the end of a warm-up; none is begun before they have seen it. */
    private int stopping;

    private boolean closed;

    /** @param warmUp does a warm-up for a reason and returns when it has ended, soon when it is interrupted */
    ReplicaWarmth(String replica, BiConsumer<ReplicaWarmth, String> warmUp) {
        this.replica = replica;
        this.warmUp = warmUp;
    }

    /** Begins a warm-up in the background, as soon as there is no other. */
    synchronized void begin(String reason, int prompts) {
        if (!closed) {
            next = Optional.of(new Next(reason, prompts));
            beginNext();
        }
    }

    private void beginNext() {
        if (next.isEmpty() || runner.isPresent() || stopping > 0) {
            return;
        }
        Next now = next.get();
        next = Optional.empty();
        state = state.warming(now.reason, now.prompts);
        runner =
                Optional.of(Thread.ofVirtual().name("warmroute-warm-" + replica).start(() -> run(now.reason)));
    }

    private void run(String reason) {
        try {
            warmUp.accept(this, reason);
        } catch (RuntimeException e) {
            LOG.error("the warm-up of replica {} ({}) failed", replica, reason, e);
        } finally {
            ended();
        }
    }

    private synchronized void ended() {
        runner = Optional.empty();
        state = state.brokenOff();
        beginNext();
    }

    /** Ends what is under way, without waiting for its end; returns whether there was anything. */
    synchronized boolean interrupt() {
        next = Optional.empty();
        runner.ifPresent(Thread::interrupt);
        return runner.isPresent();
    }

    /**
     * Ends what is under way, and returns when that one has ended whether there was anything. What is asked for meanwhile begins
     * afterwards.
     *
     * @param atMost how long this may take
     */
    boolean stop(Duration atMost) throws InterruptedException {
        Optional<Thread> under;
        synchronized (this) {
            under = runner;
            interrupt();
            stopping++;
        }
        try {
            if (under.isPresent()) {
                under.get().join(atMost);
            }
        } finally {
            synchronized (this) {
                stopping--;
                beginNext();
            }
        }
        return under.isPresent();
    }

    /** Stops for good. */
    void close(Duration atMost) throws InterruptedException {
        synchronized (this) {
            closed = true;
        }
        stop(atMost);
    }

    String replica() {
        return replica;
    }

    synchronized void change(UnaryOperator<WarmState> to) {
        state = to.apply(state);
    }

    synchronized WarmState state() {
        return state;
    }
}
