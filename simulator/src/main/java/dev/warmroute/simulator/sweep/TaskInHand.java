package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A task that is being computed, and the record that it came in. */
final class TaskInHand {
    private static final long STEP_MS = 50;

    private final int partition;
    private final long offset;
    private final Future<ScenarioResult> result;
    private final AtomicBoolean cancelled;

    private TaskInHand(int partition, long offset, Future<ScenarioResult> result, AtomicBoolean cancelled) {
        this.partition = partition;
        this.offset = offset;
        this.result = result;
        this.cancelled = cancelled;
    }

    /** Begins with a task: what it replays may have to be read first, which can take longer than its lock lasts. */
    static TaskInHand begin(ConsumerRecord<String, byte[]> record, WorkerSubjects subjects, ExecutorService computing) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Future<ScenarioResult> result = computing.submit(() -> {
            SweepTask task = SweepTask.parse(record.value());
            LoadedSubject subject = subjects.of(task);
            if (!task.id().equals(record.key())) {
                throw new UserError("a task is not what its key says: it comes from another version of warmroute");
            }
            return ScenarioRun.run(task.id(), task.scenario(), subject, share -> {
                if (cancelled.get()) {
                    throw new CancellationException("cancelled");
                }
            });
        });
        return new TaskInHand(record.partition(), record.offset(), result, cancelled);
    }

    boolean isOf(ConsumerRecord<String, byte[]> record) {
        return record.partition() == partition && record.offset() == offset;
    }

    /**
     * Waits for the result so long, or until the worker is stopped; empty when it is not there yet.
     *
     * @throws UserError if this worker cannot compute it
     */
    Optional<ScenarioResult> await(long millis, CountDownLatch stopping) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        do {
            try {
                return Optional.of(result.get(STEP_MS, TimeUnit.MILLISECONDS));
            } catch (TimeoutException goesOn) {
                // looked at again
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UserError known) {
                    throw known;
                }
                if (e.getCause() instanceof Error grave) {
                    throw grave;
                }
                throw new IllegalStateException("a scenario failed", e.getCause());
            }
        } while (stopping.getCount() > 0 && System.nanoTime() - end < 0);
        return Optional.empty();
    }

    void cancel() {
        cancelled.set(true);
    }
}
