package dev.warmroute.simulator.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Independent computations on several threads. */
public final class Parallel {
    private Parallel() {}

    /**
     * Runs all tasks; an exception of one is thrown here, and the others are given up.
     *
     * @param threads tasks at the same time, at least 1
     * @return the results in the order of the tasks, whatever the threads
     */
    public static <T> List<T> all(List<Callable<T>> tasks, int threads) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(pool.submit(task)));
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(WhatIf.get(future));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }
}
