package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a trace is without the segments that retention drops.
 *
 * @param kept segments that stay
 * @param positions where each partition now begins
 */
record Expiry(List<Segment> kept, List<Position> positions) {
    /** Works it out, and has the facts forget what goes. */
    static Expiry of(List<Segment> dropped, TraceManifest manifest, SegmentFile files, SegmentFacts facts) {
        Map<Writer, Long> through = new HashMap<>();
        SequenceReader.read(files, dropped, (writer, number) -> through.merge(writer, number, Math::max));
        through.forEach(facts::expire);
        List<Segment> kept = new ArrayList<>(manifest.segments());
        kept.removeAll(dropped);
        List<Position> moved =
                manifest.positions().stream().map(p -> startingWith(p, kept)).toList();
        moved.forEach(p -> facts.expireGaps(p.topic(), p.partition(), p.firstOffset()));
        return new Expiry(kept, moved);
    }

    private static Position startingWith(Position p, List<Segment> kept) {
        OptionalLong first = kept.stream()
                .filter(s -> Place.of(s).equals(Place.of(p)))
                .mapToLong(Segment::firstOffset)
                .min();
        return new Position(p.topic(), p.partition(), first.orElse(p.nextOffset()), p.nextOffset());
    }
}
