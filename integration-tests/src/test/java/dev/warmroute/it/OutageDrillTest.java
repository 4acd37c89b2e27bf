package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.recorder.ingest.Recorder;
import dev.warmroute.recorder.ingest.RecorderOptions;
import dev.warmroute.recorder.ingest.Until;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.ControlEvent.RouterStopped;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.live.LiveRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker is away under load, for 2 seconds or for {@code -Dwarmroute.outage.seconds}: no request fails, and every event is
 * either in Kafka or counted as lost.
 */
class OutageDrillTest {
    private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("warmroute.outage.seconds", 2));
    private static final int CLIENTS = 8;
    private static final int BUFFER = 500;
    private static final EventCodec CODEC = new EventCodec();

    @TempDir
    private Path directory;

    @Test
    void noRequestFailsWhileTheBrokerIsAwayAndWhatWasLostIsCountedExactly() throws Exception {
        AtomicLong answered = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        Recording recording;
        try (Drill drill = new Drill(directory)) {
            drill.startBroker();
            try (LiveRouter router = drill.router("a", BUFFER)) {
                List<Thread> clients = new ArrayList<>();
                List<Throwable> failures = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String session = "conversation-" + i;
                    clients.add(Thread.ofVirtual().unstarted(() -> {
                        while (!stop.get()) {
                            drill.turn(router.server().port(), session);
                            answered.incrementAndGet();
                        }
                    }));
                }
                clients.forEach(c -> c.setUncaughtExceptionHandler((t, e) -> {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }));
                clients.forEach(Thread::start);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> router.events().published() > 100);

                drill.stopBroker();
                long before = answered.get();
                await().pollDelay(OUTAGE)
                        .atMost(OUTAGE.plusSeconds(60))
                        .until(() -> router.events().lost() > 0);
                assertThat(answered.get() - before)
                        .as("requests answered without the broker")
                        .isGreaterThan(BUFFER / 2);
                drill.startBroker();
                long lost = router.events().lost();
                long published = router.events().published();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> router.events().published() > published + 100);
                stop.set(true);
                for (Thread client : clients) {
                    client.join();
                }
                assertThat(failures).isEmpty();
                assertThat(lost).isPositive();
            }
            recording = record(drill);
        }
        Told told = Told.by(recording);
        assertThat(told.doubled)
                .as("numbers that were both written and counted as lost, or written twice")
                .isZero();
        assertThat(told.numbers.cardinality())
                .as("numbers written or counted as lost")
                .isEqualTo(told.numbers.length());
        // what was lost last may be announced after the router has said how many events there were
        assertThat(told.numbers.length()).isBetween((int) told.total, (int) told.total + 10);
        assertThat(told.lost).isPositive();
        System.out.printf(
                "outage of %d s: %d requests answered, %d events, %d of them lost and counted%n",
                OUTAGE.toSeconds(), answered.get(), told.total, told.lost);
    }

    private Recording record(Drill drill) {
        Path trace = directory.resolve("trace");
        new Recorder(
                        RecorderOptions.of(drill.bootstrap(), Drill.PREFIX, trace, "test")
                                .withUntil(Until.END),
                        p -> {})
                .run();
        return Recording.open(trace);
    }

    /** Which numbers of the router's sequence are accounted for. */
    private static final class Told {
        private final BitSet numbers = new BitSet();
        private long doubled;
        private long lost;
        private long total;

        static Told by(Recording recording) {
            Told told = new Told();
            try (EventCursor events = recording.merged()) {
                while (events.hasNext()) {
                    told.add(events.next());
                }
            }
            return told;
        }

        private void add(RecordedEvent recorded) {
            mark(recorded.sequence());
            if (recorded.type().equals(EventType.EVENTS_LOST.wireName())) {
                EventsLost e = (EventsLost) recorded.event(CODEC);
                long counted =
                        e.count().values().stream().mapToLong(Long::longValue).sum();
                assertThat(counted).isEqualTo(e.toSequence() - e.fromSequence() + 1);
                lost += counted;
                for (long n = e.fromSequence(); n <= e.toSequence(); n++) {
                    mark(n);
                }
            } else if (recorded.type().equals(EventType.ROUTER_STOPPED.wireName())) {
                total = ((RouterStopped) recorded.event(CODEC)).events();
            }
        }

        private void mark(long number) {
            if (numbers.get((int) number)) {
                doubled++;
            }
            numbers.set((int) number);
        }
    }
}
