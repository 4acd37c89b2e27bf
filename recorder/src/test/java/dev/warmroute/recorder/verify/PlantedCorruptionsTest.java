package dev.warmroute.recorder.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.recorder.Traffic;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceWriter;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.recorder.verify.Verification.Difference;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One change in an otherwise clean recording, and what verify says of it: the event, the field, what is recorded, what is owed. */
class PlantedCorruptionsTest {
    private static final List<RecordedEvent> CLEAN = Traffic.events("warden", 4, 3, 25, 800, 5);

    @TempDir
    Path temp;

    /**
     * A change.
     *
     * @param event {@code ce_id} of the event that is blamed
     * @param recorded what stands there
     * @param derived what should stand there
     */
    private record Corruption(
            String name,
            List<RecordedEvent> events,
            String check,
            String event,
            String field,
            String recorded,
            String derived) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Predicate<ObjectNode> kind(String kind) {
        return j -> kind.equals(j.path("kind").asText());
    }

    private static ObjectNode candidate(ObjectNode decision, int i) {
        return (ObjectNode) decision.get("candidates").get(i);
    }

    private static String other(String replica) {
        return replica.equals("r0") ? "r1" : "r0";
    }

    private static Corruption edit(
            String name,
            Predicate<ObjectNode> which,
            int n,
            Consumer<ObjectNode> edit,
            String check,
            String field,
            Object recorded,
            Object derived) {
        RecordedEvent victim = Edits.nth(CLEAN, which, n);
        return new Corruption(
                name,
                Edits.replaced(CLEAN, victim, Edits.with(victim, edit)),
                check,
                victim.id(),
                field,
                String.valueOf(recorded),
                String.valueOf(derived));
    }

    private static RecordedEvent nth(Topic topic, int partition, int n) {
        return CLEAN.stream()
                .filter(e -> e.topic() == topic && e.partition() == partition)
                .skip(n)
                .findFirst()
                .orElseThrow();
    }

    static Stream<Corruption> corruptions() {
        Predicate<ObjectNode> scored =
                j -> j.path("candidates").path(0).path("score").isNumber();
        double score = candidate(Edits.json(Edits.nth(CLEAN, scored, 3)), 0)
                .get("score")
                .asDouble();
        String sticky =
                Edits.json(Edits.nth(CLEAN, kind("sticky"), 20)).get("chosen").asText();
        int inFlight = candidate(Edits.json(Edits.nth(CLEAN, kind("balanced"), 5)), 2)
                .get("in_flight")
                .asInt();
        Predicate<ObjectNode> scraped = j -> j.path("deltas").has("prompt_tokens");
        ObjectNode scrape = Edits.json(Edits.nth(CLEAN, scraped, 30));
        double delta = scrape.get("deltas").get("prompt_tokens").asDouble();
        double before = scrape.get("totals").get("prompt_tokens").asDouble() - delta;

        RecordedEvent completed = nth(Topic.REQUESTS, 0, 40);
        RecordedEvent next = CLEAN.get(CLEAN.indexOf(completed) + 1);
        RecordedEvent decided = CLEAN.stream()
                .filter(e -> e.topic() == Topic.DECISIONS && e.subject().equals(completed.subject()))
                .findFirst()
                .orElseThrow();
        RecordedEvent first = nth(Topic.DECISIONS, 1, 30);
        RecordedEvent second = nth(Topic.DECISIONS, 1, 31);
        RecordedEvent twice = nth(Topic.REQUESTS, 0, 9);
        List<RecordedEvent> doubled = new ArrayList<>();
        for (RecordedEvent e : CLEAN) {
            boolean behind = e.topic() == Topic.REQUESTS && e.partition() == 0 && e.offset() > twice.offset();
            doubled.add(behind ? Edits.moved(e, e.offset() + 1) : e);
            if (e == twice) {
                doubled.add(Edits.moved(e, e.offset() + 1));
            }
        }
        return Stream.of(
                edit(
                        "changed score",
                        scored,
                        3,
                        j -> candidate(j, 0).put("score", score + 0.001),
                        "decisions",
                        "candidates[r0].score",
                        score + 0.001,
                        score),
                edit(
                        "changed chosen replica",
                        kind("sticky"),
                        20,
                        j -> j.put("chosen", other(sticky)),
                        "decisions",
                        "chosen",
                        other(sticky),
                        sticky),
                edit(
                        "wrong kind",
                        kind("placed"),
                        2,
                        j -> j.put("kind", "moved"),
                        "decisions",
                        "kind",
                        "moved",
                        "placed"),
                edit(
                        "wrong home after",
                        kind("sticky"),
                        20,
                        j -> j.put("home_after", other(sticky)),
                        "decisions",
                        "home_after",
                        other(sticky),
                        sticky),
                edit(
                        "wrong home before, and all that follows from it",
                        kind("sticky"),
                        20,
                        j -> j.put("home_before", other(sticky))
                                .put("home_after", other(sticky))
                                .put("chosen", other(sticky)),
                        "homes",
                        "home_before",
                        other(sticky),
                        sticky),
                edit(
                        "altered policy version",
                        kind("placed"),
                        2,
                        j -> ((ObjectNode) j.get("policy")).put("version", 99),
                        "decisions",
                        "policy.version",
                        99,
                        1),
                edit(
                        "changed threshold",
                        kind("sticky"),
                        2,
                        j -> j.put("threshold", 9.0),
                        "decisions",
                        "threshold",
                        9.0,
                        8.0),
                edit(
                        "changed propensity",
                        kind("sticky"),
                        2,
                        j -> j.put("propensity", 0.5),
                        "decisions",
                        "propensity",
                        0.5,
                        1.0),
                edit(
                        "changed in-flight of a candidate",
                        kind("balanced"),
                        5,
                        j -> candidate(j, 2).put("in_flight", inFlight + 1),
                        "in_flight",
                        "candidates[r2].in_flight",
                        inFlight + 1,
                        inFlight),
                edit(
                        "lowered counter",
                        scraped,
                        30,
                        j -> ((ObjectNode) j.get("totals")).put("prompt_tokens", 10.0),
                        "counters",
                        "totals[prompt_tokens]",
                        10.0,
                        "at least " + before),
                edit(
                        "changed delta",
                        scraped,
                        30,
                        j -> ((ObjectNode) j.get("deltas")).put("prompt_tokens", delta + 1),
                        "counters",
                        "deltas[prompt_tokens]",
                        delta + 1,
                        delta),
                new Corruption(
                        "missing completion",
                        Edits.without(CLEAN, completed),
                        "sequences",
                        next.id(),
                        "ce_sequence",
                        Long.toString(next.sequence()),
                        completed.sequence() + " first, which is missing"),
                new Corruption(
                        "missing completion, the numbers closed up",
                        Edits.withoutTrace(CLEAN, completed),
                        "completions",
                        decided.id(),
                        "completion",
                        "none",
                        "one before the router stopped"),
                new Corruption(
                        "doubled event",
                        doubled,
                        "sequences",
                        twice.id(),
                        "ce_sequence",
                        Long.toString(twice.sequence()),
                        "a number that is not there already"),
                new Corruption(
                        "swapped order",
                        Edits.replaced(
                                Edits.replaced(CLEAN, first, Edits.moved(second, first.offset())),
                                second,
                                Edits.moved(first, second.offset())),
                        "sequences",
                        first.id(),
                        "ce_sequence",
                        Long.toString(first.sequence()),
                        "more than " + second.sequence() + ", which stands before it in the partition"));
    }

    private Path write(List<RecordedEvent> events) {
        try (TraceWriter writer =
                TraceWriter.open(temp.resolve("t"), "0.1.0", "", "", new Limits(100, Long.MAX_VALUE))) {
            events.forEach(writer::append);
        }
        return temp.resolve("t");
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void eachIsFoundWithEventFieldRecordedAndDerivedValue(Corruption c) {
        Verification v = TraceVerifier.verify(Recording.open(write(c.events())), 100);
        assertThat(v.ok()).isFalse();
        assertThat(v.checks())
                .filteredOn(k -> k.name().equals(c.check()))
                .singleElement()
                .satisfies(k -> assertThat(k.ok()).isFalse());
        assertThat(v.differences())
                .extracting(
                        Difference::check,
                        Difference::event,
                        Difference::field,
                        Difference::recorded,
                        Difference::derived)
                .contains(Assertions.tuple(c.check(), c.event(), c.field(), c.recorded(), c.derived()));
        if (c.check().equals("decisions")) {
            assertThat(v.mismatches()).isEqualTo(1);
        }
    }

    @Test
    void cachedTokensThatTheEngineDidNotCountAreFoundAtTheNextIdleMoment() {
        RecordedEvent victim = Edits.nth(CLEAN, j -> j.path("cached_tokens").asInt() > 100, 30);
        List<RecordedEvent> events = Edits.replaced(
                CLEAN,
                victim,
                Edits.with(
                        victim,
                        j -> j.put("cached_tokens", j.get("cached_tokens").asInt() - 16)));
        Verification v = TraceVerifier.verify(Recording.open(write(events)));
        assertThat(v.differences()).singleElement().satisfies(d -> {
            assertThat(d.check()).isEqualTo("tokens");
            assertThat(d.subject()).isEqualTo(Edits.json(victim).get("replica").asText());
            assertThat(d.field()).isEqualTo("prompt_tokens_cached since the replica was idle");
            long counted = Long.parseLong(d.recorded());
            assertThat(d.derived()).isEqualTo(counted - 16 + ", as the requests report");
        });
    }

    @Test
    void aSegmentThatIsMissingIsNamed() throws Exception {
        Path dir = write(CLEAN);
        Segment segment =
                Recording.open(dir).manifest().segments(Topic.DECISIONS).get(1);
        Files.delete(dir.resolve(segment.file()));
        Assertions.assertThatThrownBy(() -> Recording.open(dir))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(
                        segment.file(),
                        "is missing",
                        TraceManifest.FILE + " lists it with " + segment.rows() + " events");
    }

    @Test
    void aSegmentThatWasLeftOutWithItsEntryIsFoundByTheNumbersOfItsEvents() {
        List<RecordedEvent> events = CLEAN.stream()
                .filter(e ->
                        e.topic() != Topic.DECISIONS || e.partition() != 1 || e.offset() < 100 || e.offset() >= 200)
                .toList();
        Verification v = TraceVerifier.verify(Recording.open(write(events)));
        assertThat(v.checks())
                .filteredOn(c -> c.name().equals("sequences"))
                .singleElement()
                .satisfies(c -> {
                    assertThat(c.ok()).isFalse();
                    assertThat(c.detail())
                            .contains("100 missing, the first being "
                                    + nth(Topic.DECISIONS, 1, 100).sequence() + " of router-1");
                });
        assertThat(v.differences()).anySatisfy(d -> {
            assertThat(d.field()).isEqualTo("ce_sequence");
            assertThat(d.derived()).isEqualTo(nth(Topic.DECISIONS, 1, 100).sequence() + " first, which is missing");
        });
    }
}
