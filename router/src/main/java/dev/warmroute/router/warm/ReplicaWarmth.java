package dev.warmroute.router.warm;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * Warms one replica, one warm-up at a time. Asked for another one meanwhile, it begins again when the present one has ended:
 * what that had done may be lost with the cache. Thread-safe.
 */
final class ReplicaWarmth {
    private final String replica;
    private final BiConsumer<ReplicaWarmth, String> warmUp;
    private WarmState state = WarmState.COLD;
    private Optional<String> next = Optional.empty();
    private Optional<Thread> runner = Optional.empty();
    private boolean closed;

    /** @param warmUp does a warm-up for a reason and returns when it has ended, soon when it is interrupted */
    ReplicaWarmth(String replica, BiConsumer<ReplicaWarmth, String> warmUp) {
        this.replica = replica;
        this.warmUp = warmUp;
    }

    /** Begins a warm-up in the background. */
    synchronized void begin(String reason, int prompts) {
        if (closed) {
            return;
        }
        next = Optional.of(reason);
        if (runner.isEmpty()) {
            state = state.warming(reason, prompts);
            runner = Optional.of(Thread.ofVirtual().name("warmroute-warm-" + replica).start(this::run));
        }
    }

    private void run() {
        for (Optional<String> reason = take(); reason.isPresent(); reason = take()) {
            warmUp.accept(this, reason.get());
        }
    }

    /** The reason for the next warm-up, if there is one. An interruption was meant for the one before. */
    private synchronized Optional<String> take() {
        Optional<String> reason = next;
        next = Optional.empty();
        Thread.interrupted();
        if (reason.isEmpty()) {
            runner = Optional.empty();
        }
        return reason;
    }

    /** Ends what is under way, without waiting for its end; returns whether there was anything. */
    synchronized boolean interrupt() {
        next = Optional.empty();
        runner.ifPresent(Thread::interrupt);
        return runner.isPresent();
    }

    /** Ends what is under way, and returns when it has ended whether there was anything. */
    boolean stop() throws InterruptedException {
        Optional<Thread> under;
        synchronized (this) {
            under = runner;
            interrupt();
        }
        if (under.isPresent()) {
            under.get().join();
        }
        return under.isPresent();
    }

    /** Stops for good. */
    void close() throws InterruptedException {
        synchronized (this) {
            closed = true;
        }
        stop();
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
