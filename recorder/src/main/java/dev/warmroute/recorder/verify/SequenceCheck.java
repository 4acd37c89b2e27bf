package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every number of a router's sequence is here once, in order of offset within a partition, or was announced as lost. Numbers
 * of homes that were compacted away before the recorder came cannot be told from missing ones; as many as the homes topic
 * lacks offsets are excused. What retention dropped or a cut left out is not missing, and of a trace of some conversations only
 * the order is asked.
 */
final class SequenceCheck implements TraceCheck {
    static final String NAME = "sequences";

    private final Differences differences;
    /** Homes that the topic no longer had. */
    private final long compacted;

    private final boolean others;
    /** Numbers that were left out of this trace on purpose. */
    private final Map<Writer, SequenceRanges> leftOut = new HashMap<>();
    /** How far each router's numbers were dropped by retention. */
    private final Map<Writer, Long> expired = new HashMap<>();

    private static final int TOLD = 100;

    private final Map<Writer, SequenceRanges> holes = new TreeMap<>();
    /** First events behind holes, to name them by. */
    private final Map<Hole, RecordedEvent> behind = new HashMap<>();

    private final Map<Writer, Range> before = new HashMap<>();
    private final Map<Writer, SequenceRanges> lost = new TreeMap<>();
    private final Map<Lane, Long> last = new HashMap<>();
    private long events;
    private long faults;
    private long foreign;

    private record Hole(Writer writer, long last) {}

    private record Lane(Writer writer, Topic topic, int partition) {}

    /** @param manifest of the recording, which knows what was compacted away */
    SequenceCheck(Differences differences, TraceManifest manifest) {
        this.differences = differences;
        this.compacted = manifest.offsetGaps().stream()
                .filter(g -> g.topic().equals("homes") && g.reason() == OffsetGap.Reason.GONE)
                .mapToLong(g -> g.to() - g.from() + 1)
                .sum();
        this.others = manifest.leftOut() == LeftOut.OTHERS;
        manifest.history()
                .forEach(step -> step.numbersLeftOut()
                        .forEach(w -> leftOut.computeIfAbsent(
                                        new Writer(w.instance(), w.epoch()), k -> new SequenceRanges())
                                .addAll(new SequenceRanges(w.ranges()))));
        if (!manifest.history().isEmpty()) { // the event that announces a loss may be among what was left out
            manifest.lost()
                    .forEach(l -> lost.computeIfAbsent(new Writer(l.instance(), l.epoch()), w -> new SequenceRanges())
                            .add(l.from(), l.to()));
        }
        manifest.expired().forEach(e -> expired.put(new Writer(e.instance(), e.epoch()), e.through()));
    }

    /** An event as it lies in its partition, before it is brought into order. */
    void inPartition(RecordedEvent recorded) {
        Optional<Writer> writer = recorded.writer();
        if (writer.isEmpty()) {
            foreign++;
            return;
        }
        Long before = last.put(new Lane(writer.get(), recorded.topic(), recorded.partition()), recorded.sequence());
        if (before != null && recorded.sequence() < before) {
            fault(
                    recorded,
                    "ce_sequence",
                    recorded.sequence(),
                    "more than " + before + ", which stands before it in the partition");
        }
    }

    void repeated(RecordedEvent recorded) {
        fault(recorded, "ce_sequence", recorded.sequence(), "a number that is not there already");
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        events++;
        Range hole = before.remove(writer);
        if (hole != null && behind.size() < TOLD) {
            behind.put(new Hole(writer, hole.to()), recorded);
        }
        if (event instanceof ControlEvent.EventsLost l) {
            lost.computeIfAbsent(writer, w -> new SequenceRanges()).add(l.fromSequence(), l.toSequence());
        }
    }

    @Override
    public void gap(Writer writer, Range numbers) {
        long from = Math.max(numbers.from(), expired.getOrDefault(writer, -1L) + 1);
        if (from <= numbers.to()) {
            holes.computeIfAbsent(writer, w -> new SequenceRanges()).add(from, numbers.to());
            before.put(writer, numbers);
        }
    }

    private void fault(RecordedEvent recorded, String field, Object is, Object shouldBe) {
        faults++;
        differences.add(NAME, recorded, field, is, shouldBe);
    }

    @Override
    public Check result() {
        long missing = 0;
        long announced = 0;
        long cutAway = 0;
        StringBuilder where = new StringBuilder();
        for (Map.Entry<Writer, SequenceRanges> ofWriter : holes.entrySet()) {
            for (Range hole : ofWriter.getValue().ranges()) {
                List<Range> notAnnounced = without(hole, lost.getOrDefault(ofWriter.getKey(), new SequenceRanges()));
                SequenceRanges onPurpose = leftOut.getOrDefault(ofWriter.getKey(), new SequenceRanges());
                List<Range> unexplained = notAnnounced.stream()
                        .flatMap(r -> without(r, onPurpose).stream())
                        .toList();
                long open = unexplained.stream().mapToLong(Range::size).sum();
                long away = notAnnounced.stream().mapToLong(Range::size).sum() - open;
                announced += hole.size() - open - away;
                cutAway += away;
                missing += open;
                if (open > 0 && !others) {
                    tell(ofWriter.getKey(), hole, unexplained.getFirst());
                }
                if (open > 0 && where.isEmpty()) {
                    where.append(", the first being ")
                            .append(unexplained.getFirst().from())
                            .append(" of ")
                            .append(ofWriter.getKey());
                }
            }
        }
        boolean excused = others || missing <= compacted;
        StringBuilder detail = new StringBuilder();
        detail.append(events)
                .append(" numbers in order, ")
                .append(missing)
                .append(" missing")
                .append(where);
        if (missing > 0 && others) {
            detail.append(" (events of others were left out of this trace on purpose)");
        } else if (missing > 0 && excused) {
            detail.append(" (as many as homes were compacted away: ")
                    .append(compacted)
                    .append(')');
        }
        if (announced > 0) {
            detail.append(", ").append(announced).append(" announced as lost");
        }
        if (cutAway > 0) {
            detail.append(", ").append(cutAway).append(" cut away at the edges");
        }
        if (faults > 0) {
            detail.append(", ").append(faults).append(" repeated or out of order");
        }
        if (foreign > 0) {
            detail.append(", ").append(foreign).append(" events of no router");
        }
        return new Check(NAME, faults == 0 && excused, others ? "only their order" : Check.EXACT, detail.toString());
    }

    /** Names a hole by the event behind it. */
    private void tell(Writer writer, Range hole, Range unexplained) {
        RecordedEvent next = behind.get(new Hole(writer, hole.to()));
        if (next != null) {
            differences.add(
                    NAME, next, "ce_sequence", next.sequence(), unexplained.from() + " first, which is missing");
        }
    }

    private static List<Range> without(Range hole, SequenceRanges announced) {
        SequenceRanges covered = new SequenceRanges();
        covered.add(hole.from() - 1, hole.from() - 1);
        covered.add(hole.to() + 1, hole.to() + 1);
        for (Range r : announced.ranges()) {
            long from = Math.max(r.from(), hole.from());
            long to = Math.min(r.to(), hole.to());
            if (from <= to) {
                covered.add(from, to);
            }
        }
        return covered.holes();
    }
}
