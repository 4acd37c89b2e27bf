package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MomentTest {
    @TempDir
    Path temp;

    private Recording recording(List<RecordedEvent> events) {
        try (TraceWriter writer = TraceWriter.open(temp, "0.1.0", "", "", Limits.DEFAULT)) {
            events.forEach(writer::append);
        }
        return Recording.open(temp);
    }

    @Test
    void everyFormIsReadAsTheTimeItMeans() {
        List<RecordedEvent> events = Traffic.events("random", 2, 2, 5, 60, 1);
        Recording recording = recording(events);
        assertThat(Moment.parse("2026-11-30T08:00:00.25Z").us(recording))
                .isEqualTo(Instant.parse("2026-11-30T08:00:00.25Z").toEpochMilli() * 1000);
        assertThat(Moment.parse("2026-11-30T09:00:00+01:00")).isEqualTo(Moment.parse("2026-11-30T08:00:00Z"));
        assertThat(Moment.parse("+90s").us(recording)).isEqualTo(Traffic.START_US + 90_000_000);
        assertThat(Moment.parse("+5m").us(recording)).isEqualTo(Traffic.START_US + 300_000_000);
        RecordedEvent e = events.stream()
                .filter(x -> x.topic() == Topic.REQUESTS && x.partition() == 1)
                .skip(7)
                .findFirst()
                .orElseThrow();
        assertThat(Moment.parse("requests/1:" + e.offset()).us(recording)).isEqualTo(e.timeUs());
    }

    @Test
    void anOffsetAloneIsOneOfTheDecisionsOfTheirOnlyPartition() {
        List<RecordedEvent> events = Traffic.events("random", 2, 1, 5, 60, 1);
        RecordedEvent e = events.stream()
                .filter(x -> x.topic() == Topic.DECISIONS)
                .skip(12)
                .findFirst()
                .orElseThrow();
        assertThat(Moment.parse("12").us(recording(events))).isEqualTo(e.timeUs());
    }

    @Test
    void whatIsNoMomentIsRefusedInWords() {
        Recording recording = recording(Traffic.events("random", 2, 2, 5, 60, 1));
        assertThatThrownBy(() -> Moment.parse("noon"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'noon' is no moment; write a time");
        assertThatThrownBy(() -> Moment.parse("+soon"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no moment");
        assertThatThrownBy(() -> Moment.parse("answers/0:1"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("topics are decisions, requests");
        assertThatThrownBy(() -> Moment.parse("3").us(recording))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("offset 3 needs its partition, as in decisions/0:3")
                .hasMessageContaining("decisions/1:0 to ");
        assertThatThrownBy(() -> Moment.parse("decisions/1:9999").us(recording))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no event at decisions/1:9999");
    }
}
