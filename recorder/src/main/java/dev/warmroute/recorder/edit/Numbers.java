package dev.warmroute.recorder.edit;

import dev.warmroute.recorder.trace.DerivedTrace.Absent;
import dev.warmroute.recorder.trace.SequenceRanges;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Lost;
import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceManifest.WriterSequences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Numbers of routers' sequences that a new trace has, of those that its source had. */
final class Numbers {
    private Numbers() {}

    /** Numbers that the source has and the new trace has not, between the first and the last of each router that it has. */
    static List<WriterSequences> leftOut(List<WriterSequences> source, List<WriterSequences> kept) {
        List<WriterSequences> out = new ArrayList<>();
        for (WriterSequences k : kept) {
            List<Range> holes = new SequenceRanges(k.ranges()).holes();
            List<Range> left = new ArrayList<>();
            of(source, k.instance(), k.epoch()).ifPresent(s -> {
                for (Range hole : holes) {
                    for (Range there : s.ranges()) {
                        within(there, hole).ifPresent(left::add);
                    }
                }
            });
            if (!left.isEmpty()) {
                out.add(new WriterSequences(k.instance(), k.epoch(), left));
            }
        }
        return out;
    }

    /** From the first to the last number of each router. */
    static List<WriterSequences> ends(List<WriterSequences> kept) {
        return kept.stream()
                .filter(w -> !w.ranges().isEmpty())
                .map(w -> new WriterSequences(
                        w.instance(),
                        w.epoch(),
                        List.of(new Range(
                                w.ranges().getFirst().from(),
                                w.ranges().getLast().to()))))
                .toList();
    }

    /** What the source says of absent events, as far as it is about the part between these ends. */
    static Absent absent(TraceManifest source, List<Missing> missing, List<WriterSequences> ends) {
        List<Lost> lost = source.lost().stream()
                .filter(l -> of(ends, l.instance(), l.epoch())
                        .flatMap(e ->
                                within(new Range(l.from(), l.to()), e.ranges().getFirst()))
                        .isPresent())
                .toList();
        List<Missing> stillMissing = new ArrayList<>();
        for (Missing m : missing) {
            of(ends, m.instance(), m.epoch())
                    .flatMap(e -> within(new Range(m.from(), m.to()), e.ranges().getFirst()))
                    .ifPresent(r -> stillMissing.add(new Missing(m.instance(), m.epoch(), r.from(), r.to())));
        }
        return new Absent(lost, stillMissing, source.offsetGaps(), source.expired());
    }

    private static Optional<WriterSequences> of(List<WriterSequences> all, String instance, long epoch) {
        return all.stream()
                .filter(w -> w.instance().equals(instance) && w.epoch() == epoch)
                .findFirst();
    }

    private static Optional<Range> within(Range range, Range bounds) {
        long from = Math.max(range.from(), bounds.from());
        long to = Math.min(range.to(), bounds.to());
        return from <= to ? Optional.of(new Range(from, to)) : Optional.empty();
    }
}
