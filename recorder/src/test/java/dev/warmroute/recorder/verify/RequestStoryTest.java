package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestStoryTest {
    private static final EventCodec CODEC = new EventCodec();
    private static final List<RecordedEvent> EVENTS = Traffic.events("warden", 4, 3, 25, 1500, 5);

    @TempDir
    Path temp;

    private Recording recording;

    @BeforeEach
    void record() {
        try (TraceWriter writer = TraceWriter.open(temp, "0.1.0", "", "", new Limits(200, Long.MAX_VALUE))) {
            EVENTS.forEach(writer::append);
        }
        recording = Recording.open(temp);
    }

    private static RoutingDecision first(Kind kind) {
        return EVENTS.stream()
                .filter(e -> e.topic() == Topic.DECISIONS)
                .map(e -> (RoutingDecision) e.event(CODEC))
                .filter(d -> d.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDecisionIsToldWithWhatEveryCandidateLackedAndItsEnd() {
        RoutingDecision d = first(Kind.STICKY);
        RequestStory story = RequestStory.of(recording, d.requestId());
        assertThat(story.decisions()).singleElement().satisfies(told -> {
            assertThat(told.decision()).isEqualTo(d);
            assertThat(told.why()).startsWith("at home on " + d.chosen().orElseThrow());
            assertThat(told.differences()).isEmpty();
            assertThat(told.candidates()).hasSize(4).allSatisfy(c -> {
                if (c.candidate().replica().equals(d.chosen().orElseThrow())) {
                    assertThat(c.lacked()).isEqualTo("chosen");
                } else if (!c.candidate().eligible()) {
                    assertThat(c.lacked()).isEqualTo("could not be chosen: no answer");
                } else {
                    assertThat(c.lacked()).startsWith("not the conversation's home");
                }
            });
        });
        assertThat(story.end())
                .hasValueSatisfying(c -> assertThat(c.requestId()).isEqualTo(d.requestId()));
    }

    @Test
    void aBusyHomeSaysHowBusyItWas() {
        RoutingDecision d = first(Kind.OVERFLOW);
        assertThat(RequestStory.of(recording, d.requestId())
                        .decisions()
                        .getFirst()
                        .candidates())
                .filteredOn(c -> c.candidate().replica().equals(d.homeBefore().orElseThrow()))
                .singleElement()
                .satisfies(
                        c -> assertThat(c.lacked()).matches("the home, but too busy: \\d+ in flight, threshold \\d+"));
    }

    @Test
    void aPlacementIsToldByTheScores() {
        RoutingDecision d = first(Kind.PLACED);
        assertThat(RequestStory.of(recording, d.requestId())
                        .decisions()
                        .getFirst()
                        .candidates())
                .filteredOn(c -> c.candidate().eligible()
                        && !c.candidate().replica().equals(d.chosen().orElseThrow()))
                .allSatisfy(c -> assertThat(c.lacked()).matches("its score is .*"));
    }

    @Test
    void theBeginningOfAnIdIsEnoughWhenOnlyOneBeginsSo() {
        // ids are req-router-1-000000 to 001499: this one stands for 001490 to 001499, and the next for one
        assertThatThrownBy(() -> RequestStory.of(recording, "req-router-1-00149"))
                .hasMessageContaining("several requests");
        assertThat(RequestStory.of(recording, "req-router-1-000777").request()).isEqualTo("req-router-1-000777");
    }

    @Test
    void aWholeIdIsFoundHoweverManyLongerOnesBeginWithItAndComeBefore(@TempDir Path other) {
        RecordedEvent one = EVENTS.stream()
                .filter(e -> e.topic() == Topic.DECISIONS)
                .findFirst()
                .orElseThrow();
        try (TraceWriter writer = TraceWriter.open(other, "0.1.0", "", "", Limits.DEFAULT)) {
            for (int i = 0; i < 9; i++) {
                String id = i < 8 ? "q-1" + i : "q-1";
                RecordedEvent named = Edits.with(one, json -> json.put("request_id", id));
                writer.append(new RecordedEvent(
                        named.topic(),
                        named.partition(),
                        i,
                        named.timestampMs(),
                        named.key(),
                        named.id() + i,
                        named.type(),
                        named.source(),
                        id,
                        named.time(),
                        named.sequence() + i,
                        named.saltId(),
                        named.data()));
            }
        }
        assertThat(RequestStory.of(Recording.open(other), "q-1").request()).isEqualTo("q-1");
    }

    @Test
    void aRequestThatIsNotThereOrNotAloneIsRefusedInWords() {
        assertThatThrownBy(() -> RequestStory.of(recording, "nobody"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no request nobody");
        assertThatThrownBy(() -> RequestStory.of(recording, "req-"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("several requests begin with req-: req-router-1-000000, ")
                .hasMessageContaining("and more");
    }
}
