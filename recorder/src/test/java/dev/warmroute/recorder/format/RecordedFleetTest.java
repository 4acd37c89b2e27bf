package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.Talk;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.router.event.ControlEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedFleetTest {
    @TempDir
    Path dir;

    @Test
    void aRecordingNamesItsReplicasAndThePolicyThatDecided() {
        List<RecordedEvent> events = new ArrayList<>();
        Traffic traffic = new Traffic("random", 2, 2, 1, 1, events::add);
        new Talk(traffic).decided("q0", Talk.session("s"), Traffic.START_US + 5_000, 100);
        traffic.publish(id -> new ControlEvent.ReplicaEpoch(Traffic.START_US + 6_000, "r1", 1, 1, id));
        traffic.publish(id -> new ControlEvent.PrefixCacheCleared(Traffic.START_US + 7_000, "r0", "busy", id));
        traffic.publish(id -> new ControlEvent.PrefixCacheCleared(Traffic.START_US + 8_000, "r0", "cleared", id));
        try (TraceWriter writer =
                TraceWriter.open(dir.resolve("t"), "0.1.0", "", "", new TraceWriter.Limits(40, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        RecordedFleet fleet = RecordedFleet.of(dir.resolve("t").toString()).orElseThrow();
        assertThat(fleet.replicas()).isEqualTo(2);
        assertThat(fleet.policies()).containsExactly("random");
        assertThat(fleet.policy().orElseThrow().name()).isEqualTo("random");
        assertThat(fleet.startUs()).isEqualTo(Traffic.START_US + 5_000);
        assertThat(fleet.restarts())
                .containsExactly(new RecordedFleet.Restart(1, 1_000_000), new RecordedFleet.Restart(0, 3_000_000));
    }

    @Test
    void aCellOfARecordedFleetSaysItInItsFirstLine() throws IOException {
        Path file = dir.resolve("f.jsonl");
        Files.writeString(
                file,
                "{\"event\":\"config\",\"policy\":\"warden\",\"sessions\":1,\"replicas\":3,\"seconds\":5,\"overflow_threshold\":8}\n");
        RecordedFleet fleet = RecordedFleet.of("fleet:" + file).orElseThrow();
        assertThat(fleet.replicas()).isEqualTo(3);
        assertThat(fleet.policy().orElseThrow())
                .isEqualTo(new RecordedFleet.Policy("warden", Map.of("overflow_threshold", "8")));
        assertThat(fleet.startUs()).isZero();
    }

    @Test
    void otherTracesHaveNoFleet() {
        assertThat(RecordedFleet.of("mooncake:x.jsonl")).isEmpty();
        assertThat(RecordedFleet.of(dir.toString())).isEmpty();
    }
}
