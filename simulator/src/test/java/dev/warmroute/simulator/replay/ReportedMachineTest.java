package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.EventType;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedMachineTest {
    private static final EventCodec CODEC = new EventCodec();

    @TempDir
    private Path directory;

    private int events;

    private Recording recording(CountersDelta... counters) {
        try (TraceWriter writer = TraceWriter.open(directory, "test", "", "", TraceWriter.Limits.DEFAULT)) {
            for (CountersDelta c : counters) {
                writer.append(new RecordedEvent(
                        Topic.COUNTERS,
                        0,
                        events,
                        events,
                        c.replica(),
                        "a-1-" + events,
                        EventType.COUNTERS_DELTA.wireName(),
                        "/router/a",
                        c.replica(),
                        "",
                        events++,
                        "",
                        CODEC.encode(c)));
            }
        }
        return Recording.open(directory);
    }

    private static CountersDelta scrape(String replica, OptionalInt blocks) {
        return new CountersDelta(
                replica,
                0,
                1,
                1000,
                0,
                false,
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                blocks.isPresent() ? OptionalInt.of(32) : OptionalInt.empty(),
                blocks,
                Optional.empty(),
                new RouterIdentity("a", 1, 1));
    }

    @Test
    void everyReplicaIsCountedAndTheSmallestCacheIsTheOneThatHasToDo() {
        assertThat(ReportedMachine.of(recording(
                        scrape("r0", OptionalInt.of(300)),
                        scrape("r1", OptionalInt.of(280)),
                        scrape("r0", OptionalInt.of(300)))))
                .hasValueSatisfying(m -> {
                    assertThat(m).isEqualTo(new ReportedMachine(2, 32, 280, false));
                    assertThat(m.explanation()).isEqualTo("280 blocks of 32 tokens, reported by the smallest engine");
                });
    }

    @Test
    void enginesThatSayNothingReportNothing() {
        assertThat(ReportedMachine.of(recording(scrape("r0", OptionalInt.empty()), scrape("r1", OptionalInt.empty()))))
                .isEmpty();
    }
}
