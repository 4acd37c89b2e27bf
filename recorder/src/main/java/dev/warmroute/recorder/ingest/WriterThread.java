package dev.warmroute.recorder.ingest;

import dev.warmroute.recorder.trace.PreparedEvent;
import dev.warmroute.recorder.trace.Retention;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.router.event.Topic;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A trace writer with a thread of its own, one batch behind: while it writes a batch the next one is fetched and prepared.
 * Everything but {@link #append} first waits until what was appended is written. Used by one thread.
 */
final class WriterThread implements AutoCloseable {
    private static final Future<Boolean> NOTHING = CompletableFuture.completedFuture(false);

    private final TraceWriter writer;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().daemon().name("trace-writer").unstarted(task));
    private Future<Boolean> behind = NOTHING;
    private boolean listed;

    WriterThread(TraceWriter writer) {
        this.writer = writer;
    }

    /**
     * Hands a batch over.
     *
     * @return whether segments were listed since this last was true, and offsets may be committed
     */
    boolean append(List<PreparedEvent> batch) {
        settle();
        if (!batch.isEmpty()) {
            behind = thread.submit(() -> {
                boolean any = false;
                for (PreparedEvent event : batch) {
                    any |= writer.append(event);
                }
                return any;
            });
        }
        boolean news = listed;
        listed = false;
        return news;
    }

    /** Waits until everything handed over is written; throws what the writing threw. */
    private void settle() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    listed |= behind.get();
                    behind = NOTHING;
                    return;
                } catch (InterruptedException e) {
                    interrupted = true; // a batch is never left half written
                }
            }
        } catch (ExecutionException e) {
            behind = NOTHING;
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Drops what is no longer to be kept and merges small segments, while the next batch is fetched. */
    void tidy(Retention keep) {
        settle();
        behind = thread.submit(() -> {
            writer.expire(keep, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
            writer.compact(keep);
            return false;
        });
    }

    void topics(Map<Topic, String> ids) {
        settle();
        writer.topics(ids);
    }

    void resume(Topic topic, int partition, long offset) {
        settle();
        writer.resume(topic, partition, offset);
    }

    boolean roll() {
        settle();
        return writer.roll();
    }

    void roll(Topic topic, int partition) {
        settle();
        writer.roll(topic, partition);
    }

    void forget(Topic topic, int partition) {
        settle();
        writer.forget(topic, partition);
    }

    long nextOffset(Topic topic, int partition) {
        settle();
        return writer.nextOffset(topic, partition);
    }

    List<Position> listed() {
        settle();
        return writer.listed();
    }

    /** Closes the trace and returns what it holds. */
    TraceManifest end() {
        close();
        return writer.manifest();
    }

    @Override
    public void close() {
        try {
            settle();
        } finally {
            thread.shutdown();
            writer.close();
        }
    }
}
