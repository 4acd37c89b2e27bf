package dev.warmroute.simulator.sweep;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Has scenarios computed by {@link SweepWorker}s. Tasks go to a share group; a worker publishes its result before it
 * acknowledges the task, so a task that is done with has its result in the topic. Results are told apart by their ids: one that
 * was computed twice counts once. What an earlier coordinator of the same grid handed in, or got, is found again.
 */
public final class KafkaRunner implements SweepRunner {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long LOOK_NANOS = Duration.ofSeconds(2).toNanos();

    private final KafkaAccess access;
    private final SweepTopics topics;
    private final Consumer<String> notes;
    private final String howToHelp;
    private final SortedMap<String, Integer> byWorker = new TreeMap<>();
    private volatile boolean stopped;

    /**
     * @param notes takes what a person should know while it runs, a line each
     * @param howToHelp what is said when there is no worker; may be empty
     */
    public KafkaRunner(KafkaAccess access, SweepTopics topics, Consumer<String> notes, String howToHelp) {
        this.access = access;
        this.howToHelp = howToHelp;
        this.topics = topics;
        this.notes = notes;
    }

    @Override
    public void run(Sweep sweep, List<String> missing, Consumer<ScenarioResult> results) {
        if (missing.isEmpty()) {
            return;
        }
        Collecting collecting = new Collecting(new LinkedHashSet<>(missing), results);
        try (Admin admin = Admin.create(SweepTopics.client(access))) {
            topics.prepare(admin);
            TaskQueue queue = new TaskQueue(access, topics, admin);
            try (ResultStream stream = new ResultStream(access, topics, collecting)) {
                stream.readToEnd(POLL);
                Set<String> handedIn = queue.pending();
                List<String> rest = new ArrayList<>(collecting.wanted);
                rest.removeIf(handedIn::contains);
                collecting.began = true;
                queue.publish(sweep, rest);
                collect(sweep, queue, stream, collecting.wanted);
            }
        } catch (KafkaException e) {
            throw new UserError("Kafka at " + access.bootstrap() + ": " + e.getMessage(), e);
        }
    }

    private void collect(Sweep sweep, TaskQueue queue, ResultStream stream, Set<String> wanted) {
        long lookAt = System.nanoTime() + LOOK_NANOS;
        boolean helpAsked = howToHelp.isEmpty();
        while (!wanted.isEmpty() && !stopped) {
            boolean any = stream.poll(POLL);
            if (any) {
                lookAt = System.nanoTime() + LOOK_NANOS;
            } else if (System.nanoTime() - lookAt >= 0) {
                if (queue.drained()) {
                    handInAgain(sweep, queue, stream, wanted);
                } else if (!helpAsked && queue.workerThreads() == 0) {
                    helpAsked = true;
                    notes.accept(howToHelp);
                }
                lookAt = System.nanoTime() + LOOK_NANOS;
            }
        }
    }

    /** A task that too many workers died with or gave back is done with, and has no result. */
    private void handInAgain(Sweep sweep, TaskQueue queue, ResultStream stream, Set<String> wanted) {
        stream.readToEnd(POLL);
        if (!wanted.isEmpty()) {
            notes.accept(
                    wanted.size() + " tasks were given up by the share group, after too many workers: handed in again");
            queue.publish(sweep, wanted);
        }
    }

    /** Results taken in this run, by the worker that computed them. */
    public SortedMap<String, Integer> byWorker() {
        return Collections.unmodifiableSortedMap(byWorker);
    }

    @Override
    public void stop() {
        stopped = true;
    }

    /** Takes each wanted result once; of those that an earlier run left, not the faults. */
    private final class Collecting implements ResultStream.Listener {
        private final Set<String> wanted;
        private final Consumer<ScenarioResult> results;
        private final Set<String> said = new HashSet<>();
        /** Whether what is read was written in this run. */
        private boolean began;

        Collecting(Set<String> wanted, Consumer<ScenarioResult> results) {
            this.wanted = wanted;
            this.results = results;
        }

        @Override
        public void result(String id, byte[] json, String worker) {
            if (!wanted.contains(id)) {
                return;
            }
            ScenarioResult result = ScenarioResult.parse(json);
            if (began || !result.isFault()) {
                wanted.remove(id);
                byWorker.merge(worker, 1, Integer::sum);
                results.accept(result);
            }
        }

        @Override
        public void refused(String worker, String why) {
            String line = "worker " + worker + " cannot: " + why;
            if (began && said.add(line)) {
                notes.accept(line);
            }
        }
    }
}
