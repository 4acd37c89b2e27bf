package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Computes scenarios in threads of this process. */
public final class LocalRunner implements SweepRunner {
    private final int threads;
    private final Object delivery = new Object();
    private volatile boolean stopped;

    /** @param threads scenarios at the same time */
    public LocalRunner(int threads) {
        if (threads < 1) {
            throw new UserError("threads must be at least 1, not " + threads);
        }
        this.threads = threads;
    }

    @Override
    public void run(Sweep sweep, List<String> missing, Consumer<ScenarioResult> results) {
        if (missing.isEmpty()) {
            return;
        }
        LoadedSubject subject = switch (sweep.subject()) {
            case SweepSubject.OfTrace trace -> LoadedSubject.of(trace, trace.trace());
            case SweepSubject.OfWorkload workload -> LoadedSubject.of(workload);
        };
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> working = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                working.add(pool.submit(() -> work(sweep, missing, next, subject, results)));
            }
            working.forEach(this::await);
        } finally {
            stop();
            pool.shutdownNow();
        }
    }

    private void work(
            Sweep sweep,
            List<String> missing,
            AtomicInteger next,
            LoadedSubject subject,
            Consumer<ScenarioResult> results) {
        boolean ended = false;
        try {
            for (int i = next.getAndIncrement(); i < missing.size() && !stopped; i = next.getAndIncrement()) {
                Scenario scenario = sweep.scenarios().get(missing.get(i));
                ScenarioResult result = ScenarioRun.run(missing.get(i), scenario, subject, share -> goOn());
                synchronized (delivery) {
                    results.accept(result);
                }
            }
            ended = true;
        } finally {
            if (!ended) {
                stop(); // the other threads too: the sweep has failed
            }
        }
    }

    private void goOn() {
        if (stopped) {
            throw new CancellationException("stopped");
        }
    }

    private void await(Future<?> working) {
        try {
            working.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CancellationException) {
                return;
            }
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            if (e.getCause() instanceof Error grave) {
                throw grave;
            }
            throw new IllegalStateException("a scenario failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted before the sweep was complete; go on with --resume", e);
        }
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
