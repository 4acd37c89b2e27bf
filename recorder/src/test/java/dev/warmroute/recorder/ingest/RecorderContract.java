package dev.warmroute.recorder.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.PublishedEvents;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recorder owes, whichever broker it reads from. */
abstract class RecorderContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);
    private static final int PARTITIONS = 2;
    private static final Limits SMALL = new Limits(100, Long.MAX_VALUE);

    @TempDir
    Path temp;

    private final String prefix = "t" + PREFIXES.incrementAndGet();
    private Admin admin;

    /** Value for {@code bootstrap.servers}. */
    abstract String bootstrap();

    @BeforeEach
    void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap()));
    }

    @AfterEach
    void disconnect() {
        admin.close();
    }

    private PublishedEvents topics() {
        return new PublishedEvents(bootstrap(), prefix);
    }

    private void createTopics() throws ExecutionException, InterruptedException {
        topics().create(PARTITIONS);
    }

    private void produce(List<RecordedEvent> events) {
        topics().send(events);
    }

    private RecorderOptions options(String directory) {
        return RecorderOptions.of(bootstrap(), prefix, temp.resolve(directory), "0.1.0")
                .withUntil(Until.END);
    }

    private RecordedRun record(RecorderOptions options) {
        return new Recorder(options, p -> {}).run();
    }

    private List<RecordedEvent> recorded(String directory) {
        try (EventCursor cursor = Recording.open(temp.resolve(directory)).merged()) {
            List<RecordedEvent> out = new ArrayList<>();
            cursor.forEachRemaining(out::add);
            return out;
        }
    }

    private static List<RecordedEvent> traffic(int requests) {
        return Traffic.events("warden", 4, PARTITIONS, 20, requests, 11);
    }

    @Test
    void whatWasPublishedIsRecordedOnce() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(600);
        produce(events);
        RecordedRun run = record(options("trace").withRolling(SMALL, Duration.ofMinutes(5)));
        assertThat(recorded("trace")).isEqualTo(events);
        assertThat(run.events()).isEqualTo(events.size());
        assertThat(run.manifest().prefix()).isEqualTo(prefix);
        assertThat(run.manifest().cluster()).isNotEmpty();
        assertThat(run.manifest().missing()).isEmpty();
        assertThat(run.manifest().offsetGaps()).isEmpty();
    }

    @Test
    void theNextRunGoesOnWhereTheTraceEnds() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(300);
        produce(events.subList(0, 400));
        record(options("trace"));
        produce(events.subList(400, events.size()));
        RecordedRun second = record(options("trace"));
        assertThat(second.events()).isEqualTo(events.size() - 400);
        assertThat(record(options("trace")).events()).isZero();
        assertThat(recorded("trace")).isEqualTo(events);
    }

    @Test
    void theManifestWinsOverOffsetsThatWereNotCommitted() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(300);
        produce(events);
        RecorderOptions options = options("trace").withGroup("g-" + prefix);
        RecordedRun run = record(options);
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets("g-" + prefix)
                .partitionsToOffsetAndMetadata()
                .get();
        for (Position p : run.manifest().positions()) {
            assertThat(committed
                            .get(new TopicPartition(prefix + '.' + p.topic(), p.partition()))
                            .offset())
                    .isEqualTo(p.nextOffset());
        }
        // as after a crash between the manifest and the commit
        admin.deleteConsumerGroups(List.of("g-" + prefix)).all().get();
        assertThat(record(options).events()).isZero();
        assertThat(recorded("trace")).isEqualTo(events);
    }

    @Test
    void aRecorderIsStoppedInFullFlightAndNothingIsLostOrDoubled() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(2000);
        CompletableFuture<Void> producing = CompletableFuture.runAsync(() -> produce(events), THREADS);
        int runs = 0;
        while (rows() < events.size()) {
            long before = rows();
            Recorder recorder = new Recorder(
                    options("trace")
                            .withUntil(Until.STOPPED)
                            .withRolling(new Limits(50, Long.MAX_VALUE), Duration.ofMillis(200)),
                    p -> {});
            CompletableFuture<RecordedRun> running = CompletableFuture.supplyAsync(recorder::run, THREADS);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> running.isDone() || rows() > before);
            recorder.stop();
            running.get(60, TimeUnit.SECONDS);
            runs++;
        }
        producing.get(60, TimeUnit.SECONDS);
        assertThat(runs).isPositive();
        assertThat(recorded("trace")).isEqualTo(events);
        assertThat(Recording.open(temp.resolve("trace")).manifest().offsetGaps())
                .isEmpty();
    }

    private long rows() {
        Path dir = temp.resolve("trace");
        return Recording.isRecording(dir) ? TraceManifest.read(dir).rows() : 0;
    }

    @Test
    void recordersOfOneGroupShareThePartitions() throws Exception {
        createTopics();
        String group = "g-" + prefix;
        List<RecordedEvent> events = traffic(400);
        produce(events.subList(0, 500));
        RecorderOptions forever =
                options("a").withGroup(group).withUntil(Until.STOPPED).withRolling(SMALL, Duration.ofMillis(300));
        Recorder a = new Recorder(forever, p -> {});
        CompletableFuture<RecordedRun> runA = CompletableFuture.supplyAsync(a::run, THREADS);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> committedSum(group) == 500);
        Recorder b = new Recorder(forever.withDirectory(temp.resolve("b")), p -> {});
        CompletableFuture<RecordedRun> runB = CompletableFuture.supplyAsync(b::run, THREADS);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
                                .filter(m -> !m.assignment().topicPartitions().isEmpty())
                                .count()
                        == 2);
        produce(events.subList(500, events.size()));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> committedSum(group) == events.size());
        a.stop();
        b.stop();
        assertThat(runA.get(60, TimeUnit.SECONDS).events()
                        + runB.get(60, TimeUnit.SECONDS).events())
                .isEqualTo(events.size());
        List<RecordedEvent> both = new ArrayList<>(recorded("a"));
        assertThat(recorded("b")).isNotEmpty();
        both.addAll(recorded("b"));
        assertThat(both).containsExactlyInAnyOrderElementsOf(events);
    }

    private long committedSum(String group) throws Exception {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().values().stream()
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }

    @Test
    void recordingEndsAtATimeThatHasPassed() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(200);
        produce(events);
        long cut = events.get(events.size() / 2).timestampMs();
        record(options("trace").withUntil(new Until.Time(cut)));
        assertThat(recorded("trace"))
                .isEqualTo(events.stream().filter(e -> e.timestampMs() < cut).toList());
    }

    @Test
    void theTopicsThemselvesAreATraceFromOneTimeToAnother() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(300);
        produce(events);
        KafkaAccess kafka = new KafkaAccess(bootstrap(), Map.of());
        TraceSource.Trace all =
                TraceSource.of("kafka://" + prefix).withKafka(kafka).read();
        assertThat(all.turns()).hasSizeGreaterThan(200);
        assertThat(all.description().name()).isEqualTo("kafka://" + prefix);
        Instant from = Instant.ofEpochMilli(events.get(events.size() / 3).timestampMs());
        Instant to = Instant.ofEpochMilli(events.get(events.size() * 2 / 3).timestampMs());
        TraceSource.Trace part = TraceSource.of("kafka://" + prefix + '@' + from + '/' + to)
                .withKafka(kafka)
                .read();
        assertThat(part.turns().size()).isBetween(50, all.turns().size() / 2);
        assertThatThrownBy(() -> TraceSource.of("kafka://" + prefix + "@noon/")
                        .withKafka(kafka)
                        .read())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'noon' is not a time");
        assertThatThrownBy(() -> TraceSource.read("kafka://" + prefix))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("say where Kafka is");
    }

    @Test
    void recordsThatExpiredAreListedAsAGap() throws Exception {
        createTopics();
        List<RecordedEvent> events = traffic(300);
        List<RecordedEvent> early = events.subList(0, 300);
        produce(early);
        record(options("trace"));
        produce(events.subList(300, events.size()));
        TopicPartition requests = new TopicPartition(Topic.REQUESTS.name(prefix), 0);
        long next = early.stream()
                .filter(e -> e.topic() == Topic.REQUESTS && e.partition() == 0)
                .count();
        admin.deleteRecords(Map.of(requests, RecordsToDelete.beforeOffset(next + 5)))
                .all()
                .get();
        RecordedRun run = record(options("trace"));
        assertThat(run.manifest().offsetGaps())
                .containsExactly(new OffsetGap("requests", 0, next, next + 4, OffsetGap.Reason.GONE));
        assertThat(run.manifest().missing()).isNotEmpty();
        assertThat(recorded("trace")).hasSize(events.size() - 5);
    }

    @Test
    void aTopicThatWasMadeAnewIsNotMixedIn() throws Exception {
        createTopics();
        produce(traffic(100));
        record(options("trace"));
        admin.deleteTopics(List.of(Topic.DECISIONS.name(prefix))).all().get();
        Awaitility.await().until(() -> !admin.listTopics().names().get().contains(Topic.DECISIONS.name(prefix)));
        admin.createTopics(List.of(topics().topic(Topic.DECISIONS, PARTITIONS)))
                .all()
                .get();
        assertThatThrownBy(() -> record(options("trace").withUntil(Until.STOPPED)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(" was made anew since the trace");
    }

    @Test
    void aPrefixWithoutTopicsIsRefused() {
        assertThatThrownBy(() -> record(options("trace")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no topic " + prefix + ".*: check the prefix");
    }
}
