package dev.warmroute.recorder.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.PublishedEvents;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.UserError;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills recorders with SIGKILL at random moments while events flow. How hard is {@code -Dwarmroute.drill.kills} and
 * {@code -Dwarmroute.drill.events}.
 */
class KillDrillTest {
    private static final int KILLS = Integer.getInteger("warmroute.drill.kills", 2);
    private static final int EVENTS = Integer.getInteger("warmroute.drill.events", 3000);
    private static final int PARTITIONS = 3;
    private static final int LIFE_MILLIS = 1000;
    private static final long SEED = 20;
    private static EmbeddedBroker broker;

    @TempDir
    Path temp;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.temporary();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void aRecorderKilledAtRandomMomentsRecordsEveryEventOnceAndInOrder() throws Exception {
        PublishedEvents topics = new PublishedEvents(broker.bootstrap(), "drill");
        topics.create(PARTITIONS);
        Path trace = temp.resolve("trace");
        SplittableRandom random = new SplittableRandom(SEED);
        AtomicLong due = new AtomicLong();
        CompletableFuture<Void> flow = CompletableFuture.runAsync(
                () -> publish(topics, due), t -> Thread.ofPlatform().daemon().start(t));
        int midway = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            try (RecorderProcess recorder = RecorderProcess.start(broker.bootstrap(), "drill", trace, "")) {
                due.set((long) EVENTS * (kill + 1) / KILLS);
                awaitProgress(recorder, trace);
                assertThat(recorder.run(random.nextInt(LIFE_MILLIS)))
                        .as("it records until it is killed")
                        .isTrue();
                recorder.kill();
            }
            midway += requireWholeOrRefused(trace) ? 0 : 1;
        }
        due.set(Long.MAX_VALUE);
        flow.get(10, TimeUnit.MINUTES);
        new Recorder(
                        RecorderOptions.of(broker.bootstrap(), "drill", trace, "drill")
                                .withUntil(Until.END),
                        p -> {})
                .run();
        System.out.printf(
                "%d kills, %d of them between a segment and its listing, %,d events%n", KILLS, midway, EVENTS);
        requireEverything(Recording.open(trace));
    }

    /** Waits until the recorder has listed something, so that every life of it adds to the trace. */
    private static void awaitProgress(RecorderProcess recorder, Path trace) throws InterruptedException {
        long before = rows(trace);
        for (int i = 0; i < 1000 && rows(trace) == before; i++) {
            assertThat(recorder.run(20)).as("the recorder runs").isTrue();
        }
    }

    private static long rows(Path trace) {
        try {
            return Recording.isRecording(trace)
                    ? Recording.open(trace).manifest().rows()
                    : 0;
        } catch (UserError e) {
            return -1; // between a segment and its listing: not yet
        }
    }

    /** Publishes events while the recorders live: each life's share of them over about the length of a life. */
    private static void publish(PublishedEvents topics, AtomicLong due) {
        long pause = TimeUnit.MILLISECONDS.toNanos(LIFE_MILLIS) * KILLS / EVENTS;
        try (PublishedEvents.Sender sender = topics.sender()) {
            long[] sent = {0};
            long[] next = {System.nanoTime()};
            traffic(e -> {
                while (sent[0] >= due.get()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                    next[0] = System.nanoTime();
                }
                while (System.nanoTime() < next[0]) {
                    LockSupport.parkNanos(next[0] - System.nanoTime());
                }
                next[0] += pause;
                sender.send(e);
                sent[0]++;
            });
        }
    }

    /** As many events as asked for, the same every time. */
    private static void traffic(java.util.function.Consumer<RecordedEvent> sink) {
        long[] sent = {0};
        Traffic traffic = new Traffic("warden", 4, PARTITIONS, 200, SEED, e -> {
            sent[0]++;
            sink.accept(e);
        });
        traffic.started();
        while (sent[0] < EVENTS) {
            traffic.decide();
            if (sent[0] % 5 == 4) {
                traffic.scrape();
            }
            traffic.completeSome();
        }
    }

    /** What a killed recorder leaves is refused, or read as a beginning of what was sent; says whether it was read. */
    private static boolean requireWholeOrRefused(Path trace) {
        Recording recording;
        try {
            recording = Recording.open(trace);
        } catch (UserError e) {
            assertThat(e).hasMessageContaining("is not listed in trace.json");
            return false;
        }
        recording.verifyHashes();
        return true;
    }

    private static void requireEverything(Recording recording) {
        assertThat(recording.manifest().offsetGaps()).isEmpty();
        assertThat(recording.manifest().missing()).isEmpty();
        Map<Topic, List<List<String>>> sent = new EnumMap<>(Topic.class);
        for (Topic topic : Topic.values()) {
            List<List<String>> partitions = new ArrayList<>();
            for (int p = 0; p < PARTITIONS; p++) {
                partitions.add(new ArrayList<>());
            }
            sent.put(topic, partitions);
        }
        traffic(e -> sent.get(e.topic()).get(e.partition()).add(e.id()));
        for (Topic topic : Topic.values()) {
            List<List<String>> read = new ArrayList<>();
            for (int p = 0; p < PARTITIONS; p++) {
                read.add(new ArrayList<>());
            }
            try (EventCursor events = recording.events(topic)) {
                events.forEachRemaining(e -> read.get(e.partition()).add(e.id()));
            }
            assertThat(read).as("%s, each event once and in order", topic).isEqualTo(sent.get(topic));
        }
        Verification proof = TraceVerifier.verify(recording);
        assertThat(proof.ok()).as("%s %s", proof.checks(), proof.differences()).isTrue();
    }
}
