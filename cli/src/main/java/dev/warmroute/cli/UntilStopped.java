package dev.warmroute.cli;

import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Waits for Ctrl-C or SIGTERM and lets the command close what it opened before the process ends: the shutdown hook wakes the
 * waiting thread and then waits for it.
 */
final class UntilStopped {
    private static final long CLOSING_MILLIS = 30_000;

    private UntilStopped() {}

    static void await() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Thread command = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopped.countDown();
            try {
                command.join(CLOSING_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        stopped.await();
    }

    /** Does work that ends by itself or, on Ctrl-C and SIGTERM, after it was asked to stop. */
    static <T> T run(Supplier<T> work, Runnable stop) {
        Thread command = Thread.currentThread();
        Thread hook = new Thread(() -> {
            stop.run();
            try {
                command.join(CLOSING_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        return work.get();
    }
}
