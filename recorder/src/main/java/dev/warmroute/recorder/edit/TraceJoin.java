package dev.warmroute.recorder.edit;

import dev.warmroute.recorder.trace.DerivedTrace;
import dev.warmroute.recorder.trace.DerivedTrace.Absent;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.EventPreparer;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.SequenceRanges;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Expired;
import dev.warmroute.recorder.trace.TraceManifest.Lost;
import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import dev.warmroute.recorder.trace.TraceStep;
import dev.warmroute.recorder.trace.TraceStep.LeftOut;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One trace of several of the same topics: of recorders that shared the partitions, or that recorded one after the other.
 * Events that several have are taken once, and must be the same in all. Segments of partitions in which nothing overlaps are
 * copied byte for byte. Streams, in constant memory.
 */
public final class TraceJoin {
    private static final List<String> ACCOUNTING = List.of(
            "sequences: a number that is in none of the traces and was not left out of one on purpose is missing",
            "all others: as if one recorder had recorded it");

    private final List<Recording> sources;

    private TraceJoin(List<Recording> sources) {
        this.sources = List.copyOf(sources);
    }

    /**
     * Joins traces.
     *
     * @param out directory of the new trace; not there yet, or empty
     * @return the manifest of the new trace
     * @throws UserError if they are not of the same topics, or do not agree about an event
     */
    public static TraceManifest run(List<Recording> sources, Path out, String writtenBy) {
        if (sources.size() < 2) {
            throw new UserError("there is nothing to join: name at least two traces");
        }
        for (Recording other : sources) {
            requireSameTopics(sources.getFirst(), other);
        }
        return new TraceJoin(sources).run(out, writtenBy);
    }

    private static void requireSameTopics(Recording first, Recording other) {
        TraceManifest a = first.manifest();
        TraceManifest b = other.manifest();
        if (!a.cluster().equals(b.cluster()) || !a.prefix().equals(b.prefix())) {
            throw new UserError(
                    first.directory() + " is of the topics " + a.prefix() + ".* of cluster '" + a.cluster() + "', "
                            + other.directory() + " of " + b.prefix() + ".* of cluster '" + b.cluster()
                            + "': offsets of different topics do not make one trace");
        }
        a.topicIds().forEach((topic, id) -> {
            if (!b.topicIds().getOrDefault(topic, id).equals(id)) {
                throw new UserError("topic " + topic + " was made anew between " + first.directory() + " and "
                        + other.directory() + ": its offsets begin again, which does not make one trace");
            }
        });
        if (!salt(a).equals(salt(b))) {
            throw new UserError(
                    first.directory() + " and " + other.directory()
                            + " are under different salts, so that a conversation has two names; anonymise both with one salt first");
        }
    }

    /** Salt of a trace that was anonymised; empty for one that was not. */
    private static String salt(TraceManifest m) {
        return m.history().stream().anyMatch(s -> s.action().equals(Anonymiser.ACTION))
                ? m.facts().saltIds().toString()
                : "";
    }

    private TraceManifest run(Path out, String writtenBy) {
        TraceManifest like = sources.stream()
                .map(Recording::manifest)
                .max(Comparator.comparingInt(m -> m.topicIds().size()))
                .orElseThrow();
        try (DerivedTrace joined = DerivedTrace.create(out, writtenBy, like)) {
            for (Topic topic : Topic.values()) {
                TreeSet<Integer> partitions = new TreeSet<>();
                sources.forEach(s -> s.manifest().segments(topic).forEach(g -> partitions.add(g.partition())));
                partitions.forEach(p -> join(topic, p, joined));
            }
            sources.forEach(joined::include);
            return finish(joined);
        }
    }

    private record Part(Recording source, Segment segment) {}

    private void join(Topic topic, int partition, DerivedTrace joined) {
        List<Part> parts = new ArrayList<>();
        for (Recording source : sources) {
            source.manifest().segments(topic).stream()
                    .filter(s -> s.partition() == partition)
                    .forEach(s -> parts.add(new Part(source, s)));
        }
        parts.sort(Comparator.comparingLong(p -> p.segment().firstOffset()));
        boolean apart = true;
        for (int i = 1; i < parts.size(); i++) {
            apart &= parts.get(i - 1).segment().lastOffset()
                    < parts.get(i).segment().firstOffset();
        }
        if (apart) {
            parts.forEach(p -> joined.copy(p.source(), p.segment()));
        } else {
            merge(topic, partition, joined);
        }
    }

    private void merge(Topic topic, int partition, DerivedTrace joined) {
        EventPreparer preparer = new EventPreparer();
        List<EventCursor> cursors = new ArrayList<>();
        try {
            sources.forEach(s -> cursors.add(s.events(topic, g -> g.partition() == partition)));
            List<RecordedEvent> heads = new ArrayList<>();
            cursors.forEach(c -> heads.add(c.hasNext() ? c.next() : null));
            while (true) {
                int first = -1;
                for (int i = 0; i < heads.size(); i++) {
                    if (heads.get(i) != null
                            && (first < 0
                                    || heads.get(i).offset() < heads.get(first).offset())) {
                        first = i;
                    }
                }
                if (first < 0) {
                    return;
                }
                RecordedEvent event = heads.get(first);
                for (int i = 0; i < heads.size(); i++) {
                    if (heads.get(i) != null && heads.get(i).offset() == event.offset()) {
                        requireSame(event, first, heads.get(i), i);
                        heads.set(i, cursors.get(i).hasNext() ? cursors.get(i).next() : null);
                    }
                }
                joined.append(preparer.prepare(event));
            }
        } finally {
            cursors.forEach(EventCursor::close);
        }
    }

    private void requireSame(RecordedEvent a, int ofA, RecordedEvent b, int ofB) {
        if (!a.equals(b)) {
            throw new UserError(
                    "at " + a.place() + " " + sources.get(ofA).directory() + " has event " + a.id() + " and "
                            + sources.get(ofB).directory() + " has "
                            + (a.id().equals(b.id()) ? "the same with other content" : b.id())
                            + ": one of them was changed; trace verify tells which");
        }
    }

    private TraceManifest finish(DerivedTrace joined) {
        List<TraceStep> history = new ArrayList<>();
        sources.forEach(s -> s.manifest().history().stream()
                .filter(h -> !history.contains(h))
                .forEach(history::add));
        history.add(new TraceStep(
                "join",
                sources.size() + " traces",
                sources.stream().map(Recording::sha256).toList(),
                LeftOut.NOTHING,
                List.of(),
                List.of(),
                ACCOUNTING));
        boolean ofSome = history.stream().anyMatch(h -> h.leftOut() == LeftOut.OTHERS);
        List<WriterSequences> here = joined.writers();
        List<Lost> lost = sources.stream()
                .flatMap(s -> s.manifest().lost().stream())
                .distinct()
                .toList();
        List<Missing> missing = ofSome
                ? sources.stream()
                        .flatMap(s -> s.manifest().missing().stream())
                        .distinct()
                        .toList()
                : missing(here, lost, history);
        return joined.finish(history, new Absent(lost, missing, gaps(), expired()), ofSome ? Numbers.ends(here) : here);
    }

    /** Numbers that are in no trace, that nobody announced as lost and nobody left out. */
    private static List<Missing> missing(List<WriterSequences> here, List<Lost> lost, List<TraceStep> history) {
        List<Missing> out = new ArrayList<>();
        for (WriterSequences w : here) {
            SequenceRanges known = new SequenceRanges(w.ranges());
            if (known.isEmpty()) {
                continue;
            }
            Range bounds =
                    new Range(w.ranges().getFirst().from(), w.ranges().getLast().to());
            List<Range> explained = new ArrayList<>();
            lost.stream()
                    .filter(l -> l.instance().equals(w.instance()) && l.epoch() == w.epoch())
                    .forEach(l -> explained.add(new Range(l.from(), l.to())));
            history.stream()
                    .flatMap(h -> h.numbersLeftOut().stream())
                    .filter(l -> l.instance().equals(w.instance()) && l.epoch() == w.epoch())
                    .forEach(l -> explained.addAll(l.ranges()));
            for (Range r : explained) {
                if (r.to() >= bounds.from() && r.from() <= bounds.to()) {
                    known.add(Math.max(r.from(), bounds.from()), Math.min(r.to(), bounds.to()));
                }
            }
            known.holes().forEach(h -> out.add(new Missing(w.instance(), w.epoch(), h.from(), h.to())));
        }
        return out;
    }

    /** Offsets that none of the traces has, between others that one has. */
    private List<OffsetGap> gaps() {
        Map<String, Map<Integer, SequenceRanges>> had = new TreeMap<>();
        List<OffsetGap> known = new ArrayList<>();
        for (Recording source : sources) {
            TraceManifest m = source.manifest();
            known.addAll(m.offsetGaps());
            for (TraceManifest.Position p : m.positions()) {
                SequenceRanges covered = new SequenceRanges();
                if (p.nextOffset() > p.firstOffset()) {
                    covered.add(p.firstOffset() - 1, p.firstOffset() - 1);
                    covered.add(p.nextOffset(), p.nextOffset());
                    m.offsetGaps().stream()
                            .filter(g -> g.topic().equals(p.topic()) && g.partition() == p.partition())
                            .forEach(g -> covered.add(g.from(), g.to()));
                    covered.holes()
                            .forEach(h -> had.computeIfAbsent(p.topic(), t -> new TreeMap<>())
                                    .computeIfAbsent(p.partition(), n -> new SequenceRanges())
                                    .add(h.from(), h.to()));
                }
            }
        }
        List<OffsetGap> out = new ArrayList<>();
        had.forEach((topic, partitions) ->
                partitions.forEach((partition, offsets) -> offsets.holes().forEach(h -> {
                    boolean gone = known.stream()
                            .anyMatch(g -> g.topic().equals(topic)
                                    && g.partition() == partition
                                    && g.reason() == OffsetGap.Reason.GONE
                                    && g.from() <= h.to()
                                    && g.to() >= h.from());
                    out.add(new OffsetGap(
                            topic,
                            partition,
                            h.from(),
                            h.to(),
                            gone ? OffsetGap.Reason.GONE : OffsetGap.Reason.ELSEWHERE));
                })));
        return out;
    }

    private List<Expired> expired() {
        Map<String, Expired> last = new TreeMap<>();
        sources.forEach(s -> s.manifest()
                .expired()
                .forEach(e ->
                        last.merge(e.instance() + '-' + e.epoch(), e, (a, b) -> a.through() >= b.through() ? a : b)));
        return List.copyOf(last.values());
    }
}
