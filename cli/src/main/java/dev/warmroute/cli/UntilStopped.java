package dev.warmroute.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits for Ctrl-C or SIGTERM and lets the command close what it opened before the process ends: the shutdown hook wakes the
 * command and then waits until it has ended, {@link #ended}, or does not seem to.
 */
final class UntilStopped {
    private static final long CLOSING_SECONDS = 30;
    private static final CountDownLatch ENDED = new CountDownLatch(1);

    private UntilStopped() {}

    static void await() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        atShutdown(stopped::countDown);
        stopped.await();
    }

    /** Does work that ends by itself or, on Ctrl-C and SIGTERM, after it was asked to stop. */
    static <T> T run(Supplier<T> work, Runnable stop) {
        Thread hook = atShutdown(stop);
        try {
            return work.get();
        } finally {
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // it runs already, and waits for the command
        }
    }

    /** Says that the command has ended and everything is printed: the process may go. */
    static void ended() {
        ENDED.countDown();
    }

    private static Thread atShutdown(Runnable stop) {
        Thread hook = new Thread(() -> {
            stop.run();
            try {
                ENDED.await(CLOSING_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        return hook;
    }
}
