package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.cli.BuildVersion;
import dev.warmroute.export.table.ScenarioTable;
import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.simulator.sweep.GridReader;
import dev.warmroute.simulator.sweep.KafkaRunner;
import dev.warmroute.simulator.sweep.LocalRunner;
import dev.warmroute.simulator.sweep.Sweep;
import dev.warmroute.simulator.sweep.SweepDirectory;
import dev.warmroute.simulator.sweep.SweepExecution;
import dev.warmroute.simulator.sweep.SweepProgress;
import dev.warmroute.simulator.sweep.SweepRunner;
import dev.warmroute.simulator.sweep.SweepTopics;
import dev.warmroute.simulator.sweep.SweepWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps over a share group: workers are killed and do not have what they need, the sweep itself is started again. */
class SweepWorkersTest {
    private static final Pattern READY = Pattern.compile("takes tasks from");
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** The common pool is for short work, such as the hash of a trace. */
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private static EmbeddedBroker broker;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.temporary();
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
        broker.close();
    }

    @Test
    void eachResultIsThereOnceAndAsInALocalRunHoweverWorkersAndTheSweepDie() throws Exception {
        Sweep sweep = read("""
                workload: lm-warden
                seconds: 40
                policies: [random, round_robin, least_in_flight, warden]
                sessions: [4, 8]
                capacities: [1000, 2095, unlimited]
                seeds: 1..5
                """);
        assertThat(sweep.size()).isEqualTo(120);
        SweepTopics topics = new SweepTopics("killed");
        Path far = directory.resolve("far");

        try (Workers workers = new Workers(topics)) {
            CliProcess a = workers.started(0);
            CliProcess b = workers.started(1);
            CliProcess c = workers.started(2);
            // One works at a time, so that each dies with work in hand and work left.
            b.pause();
            c.pause();
            try (Run run = new Run(sweep, far, topics)) {
                await().atMost(PATIENCE).until(() -> run.done() >= 20);
                a.kill();
                b.goOn();
                await().atMost(PATIENCE).until(() -> run.done() >= 40);
                b.kill();
            }
            c.goOn();
            try (Run again = new Run(sweep, far, topics)) {
                assertThat(again.before).isGreaterThanOrEqualTo(40);
                assertThat(again.end().done()).isEqualTo(120);
                ScenarioTable.write(again.execution.rows(), far);
            }
        }
        assertThat(tasks(topics))
                .as("tasks handed in, over both runs of the sweep")
                .isEqualTo(120);

        Path near = directory.resolve("near");
        try (SweepDirectory opened = SweepDirectory.open(near, sweep, false)) {
            SweepExecution execution = new SweepExecution(sweep, opened, new LocalRunner(2));
            execution.run(p -> {});
            ScenarioTable.write(execution.rows(), near);
        }
        for (String file : List.of("results.jsonl", "sweep.json", "scenarios.csv", "scenarios.parquet")) {
            assertThat(far.resolve(file)).hasSameBinaryContentAs(near.resolve(file));
        }
        assertThat(Files.readAllLines(far.resolve("results.jsonl")))
                .hasSize(120)
                .doesNotHaveDuplicates();
    }

    @Test
    void aWorkerWithoutTheTraceSaysSoAndLeavesTheTaskToOneThatHasIt() throws Exception {
        String row = "{\"timestamp\":0,\"input_length\":1100,\"output_length\":9,\"hash_ids\":[0,1,2]}\n";
        Path trace = Files.writeString(directory.resolve("trace.jsonl"), row);
        Path copy = Files.writeString(directory.resolve("copy.jsonl"), row);
        Sweep sweep = read("{trace: 'mooncake:" + trace + "', policies: [round_robin]}");
        Files.writeString(trace, row + row);
        SweepTopics topics = new SweepTopics("refused");
        List<String> notes = new CopyOnWriteArrayList<>();
        try (Run run = new Run(sweep, directory.resolve("out"), topics, notes)) {
            List<String> said = new CopyOnWriteArrayList<>();
            SweepWorker lacking = new SweepWorker(settings(topics, "lacking", List.of()), listener(said));
            CompletableFuture<Integer> working = CompletableFuture.supplyAsync(lacking::run, THREADS);
            await().atMost(PATIENCE).until(() -> notes.stream().anyMatch(n -> n.contains("worker lacking cannot")));
            assertThat(said)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("tasks given back: the trace mooncake:" + trace + " is another one here")
                            .contains("with --trace"));
            SweepWorker having = new SweepWorker(
                    settings(topics, "having", List.of("mooncake:" + copy)), listener(new ArrayList<>()));
            CompletableFuture<Integer> helping = CompletableFuture.supplyAsync(having::run, THREADS);
            assertThat(run.end().done()).isEqualTo(1);
            lacking.stop();
            having.stop();
            assertThat(working.join()).isZero();
            assertThat(helping.join()).isEqualTo(1);
        }
    }

    /** A sweep that runs beside the test. */
    private static final class Run implements AutoCloseable {
        private final SweepDirectory opened;
        private final SweepRunner runner;
        private final SweepExecution execution;
        private final int before;
        private final AtomicInteger done = new AtomicInteger();
        private final CompletableFuture<SweepProgress> running;

        Run(Sweep sweep, Path into, SweepTopics topics) {
            this(sweep, into, topics, new ArrayList<>());
        }

        Run(Sweep sweep, Path into, SweepTopics topics, List<String> notes) {
            opened = SweepDirectory.open(into, sweep, true);
            before = opened.results().size();
            runner = new KafkaRunner(access(), topics, notes::add, "");
            execution = new SweepExecution(sweep, opened, runner);
            running = CompletableFuture.supplyAsync(() -> execution.run(p -> done.set(p.done())), THREADS);
        }

        int done() {
            return done.get();
        }

        SweepProgress end() {
            return running.join();
        }

        @Override
        public void close() {
            runner.stop();
            running.join();
            opened.close();
        }
    }

    private Sweep read(String grid) throws IOException {
        return GridReader.read(Files.writeString(directory.resolve("grid.yaml"), grid), version());
    }

    /** What the workers, which run from the same classes, say of themselves. */
    private static String version() {
        return BuildVersion.program();
    }

    private static KafkaAccess access() {
        return new KafkaAccess(broker.bootstrap(), Map.of());
    }

    /** Three worker processes that start at the same time; closed are those that did, whatever became of the others. */
    private static final class Workers implements AutoCloseable {
        private final List<CompletableFuture<CliProcess>> starting;

        Workers(SweepTopics topics) {
            Supplier<CliProcess> start = () -> CliProcess.start(
                    READY, "worker", "--bootstrap", broker.bootstrap(), "--prefix", topics.prefix(), "--threads", "1");
            starting = Stream.generate(() -> CompletableFuture.supplyAsync(start, THREADS))
                    .limit(3)
                    .toList();
        }

        CliProcess started(int i) {
            return starting.get(i).join();
        }

        @Override
        public void close() {
            starting.forEach(s -> s.handle((worker, failure) -> Optional.ofNullable(worker))
                    .join()
                    .ifPresent(CliProcess::close));
        }
    }

    private static SweepWorker.Settings settings(SweepTopics topics, String name, List<String> traces) {
        return new SweepWorker.Settings(access(), topics, name, version(), 1, traces);
    }

    private static SweepWorker.Listener listener(List<String> said) {
        return new SweepWorker.Listener() {
            @Override
            public void ready() {}

            @Override
            public void computed(int scenarios) {}

            @Override
            public void said(String line) {
                said.add(line);
            }
        };
    }

    private static long tasks(SweepTopics topics) throws Exception {
        TopicPartition partition = new TopicPartition(topics.tasks(), 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        }
    }
}
