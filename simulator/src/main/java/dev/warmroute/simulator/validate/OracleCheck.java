package dev.warmroute.simulator.validate;

import dev.warmroute.router.UserError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;

/**
 * Runs the simulated engine through recordings of vLLM's own scheduler and KV cache manager and compares every field of
 * every step. Files are read as streams, several at a time; results come in the order of the files.
 */
public final class OracleCheck {
    private OracleCheck() {}

    /** Compares all files on all processors. */
    public static OracleResult run(List<Path> files) {
        return run(files, Runtime.getRuntime().availableProcessors(), (file, result) -> {});
    }

    /**
     * Compares files.
     *
     * @param files recordings, JSON Lines, gzipped when the name ends in {@code .gz}
     * @param threads files compared at a time, at least 1
     * @param perFile told the result of each file, in the order given
     * @throws UserError if a file cannot be read or is not a recording
     */
    public static OracleResult run(List<Path> files, int threads, BiConsumer<Path, OracleResult> perFile) {
        List<OracleResult> results = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, Math.min(threads, files.size())))) {
            List<Future<OracleResult>> running = new ArrayList<>();
            for (Path file : files) {
                running.add(pool.submit(() -> OracleReplay.run(file)));
            }
            try {
                for (int i = 0; i < files.size(); i++) {
                    OracleResult result = running.get(i).get();
                    perFile.accept(files.get(i), result);
                    results.add(result);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                pool.shutdownNow();
                throw new UserError("interrupted while comparing recordings");
            } catch (ExecutionException e) {
                pool.shutdownNow();
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
        return OracleResult.sum(results);
    }
}
