package dev.warmroute.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.live.LiveRouter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine is started again behind its address: its counters begin at 0, and its cache is empty. */
class EngineRestartDrillTest {
    private static final EventCodec CODEC = new EventCodec();

    @TempDir
    private Path directory;

    @Test
    void noDeltaIsNegativeTheEpochIsToldAndTheHomesThereAreDropped() {
        Recording recording;
        try (Machine machine = new Machine(directory)) {
            try (LiveRouter router = machine.router("warden", 100_000)) {
                Machine.drive(router, "before");
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> router.server()
                                        .status()
                                        .models()
                                        .get(0)
                                        .replicas()
                                        .get(1)
                                        .totals()
                                        .finished()
                                > 0);
                machine.restartReplica(1);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> router.server()
                                        .status()
                                        .models()
                                        .get(0)
                                        .replicas()
                                        .get(1)
                                        .liveSessions()
                                == 0);
                Machine.drive(router, "after");
            }
            recording = machine.record(directory.resolve("trace"));
        }
        List<CountersDelta> counters = all(recording, Topic.COUNTERS, CountersDelta.class);
        assertThat(counters)
                .isNotEmpty()
                .allSatisfy(c -> assertThat(c.deltas().values()).allMatch(delta -> delta >= 0));
        List<ReplicaEpoch> epochs = all(recording, Topic.CONTROL, ReplicaEpoch.class);
        assertThat(epochs).singleElement().satisfies(e -> {
            assertThat(e.replica()).isEqualTo("r1");
            assertThat(e.epoch()).isEqualTo(1);
            assertThat(e.homesDropped()).isPositive();
        });
        for (int i = 0; i < Machine.REPLICAS; i++) {
            String replica = "r" + i;
            requireSumOfDeltas(
                    counters.stream().filter(c -> c.replica().equals(replica)).toList());
        }
    }

    /** In each epoch the deltas add up to the last value less the first; an epoch that began under our eyes began at 0. */
    private static void requireSumOfDeltas(List<CountersDelta> counters) {
        for (int epoch : counters.stream().map(CountersDelta::epoch).distinct().toList()) {
            List<CountersDelta> own =
                    counters.stream().filter(c -> c.epoch() == epoch).toList();
            double first = epoch == 0 ? own.get(0).totals().get("prompt_tokens") : 0;
            double last = own.get(own.size() - 1).totals().get("prompt_tokens");
            double sum = own.stream()
                    .mapToDouble(c -> c.deltas().getOrDefault("prompt_tokens", 0.0))
                    .sum();
            assertThat(sum).isEqualTo(last - first);
        }
    }

    private static <T extends Event> List<T> all(Recording recording, Topic topic, Class<T> type) {
        List<T> all = new ArrayList<>();
        try (EventCursor events = recording.events(topic)) {
            while (events.hasNext()) {
                Event event = events.next().event(CODEC);
                if (type.isInstance(event)) {
                    all.add(type.cast(event));
                }
            }
        }
        return all;
    }
}
