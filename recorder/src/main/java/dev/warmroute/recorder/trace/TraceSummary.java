package dev.warmroute.recorder.trace;

import dev.warmroute.recorder.trace.TraceManifest.Expired;
import dev.warmroute.recorder.trace.TraceManifest.Lost;
import dev.warmroute.recorder.trace.TraceManifest.Missing;
import dev.warmroute.recorder.trace.TraceManifest.OffsetGap;
import dev.warmroute.recorder.trace.TraceManifest.Policy;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.recorder.trace.TraceManifest.Segment;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a recording is, at a glance; taken from its manifest, without reading a segment.
 *
 * @param sha256 SHA-256 of the manifest, which holds the hash of every segment: it names the whole recording
 * @param closed whether its recorder ended in order; while it has not, missing sequence numbers are not known
 * @param events events of each type
 * @param firstTime time of the first event, RFC 3339; empty when there is none
 * @param lastTime time of the last event, RFC 3339; empty when there is none
 * @param seconds from the first event to the last
 * @param bytes size of all segments
 * @param missing sequence numbers that nobody accounts for
 * @param lost what routers said they could not write
 * @param offsetGaps offsets that are not in the trace, though events before and behind them are
 * @param expired how far each router process's sequence was dropped by retention
 * @param history what was done to make this trace out of others
 */
public record TraceSummary(
        String directory,
        String sha256,
        String writtenBy,
        String cluster,
        String prefix,
        boolean closed,
        Map<String, Long> events,
        Optional<String> firstTime,
        Optional<String> lastTime,
        double seconds,
        int segments,
        long bytes,
        List<Policy> policies,
        List<String> models,
        List<String> replicas,
        List<String> routers,
        List<String> routerVersions,
        List<String> engineVersions,
        List<String> saltIds,
        List<Position> positions,
        List<Missing> missing,
        List<Lost> lost,
        List<OffsetGap> offsetGaps,
        List<Expired> expired,
        List<TraceStep> history,
        long unreadable) {

    public static TraceSummary of(Recording recording) {
        TraceManifest m = recording.manifest();
        OptionalLong first = m.firstTimeUs();
        OptionalLong last = m.lastTimeUs();
        return new TraceSummary(
                recording.directory().toString(),
                recording.sha256(),
                m.writtenBy(),
                m.cluster(),
                m.prefix(),
                m.closed(),
                m.events(),
                time(first),
                time(last),
                first.isPresent() ? (last.orElseThrow() - first.getAsLong()) / 1e6 : 0,
                m.segments().size(),
                m.segments().stream().mapToLong(Segment::bytes).sum(),
                m.facts().policies(),
                m.facts().models(),
                m.facts().replicas(),
                m.writers().stream()
                        .map(TraceManifest.WriterSequences::instance)
                        .distinct()
                        .sorted()
                        .toList(),
                m.facts().routerVersions(),
                m.facts().engineVersions(),
                m.facts().saltIds(),
                m.positions(),
                m.missing(),
                m.lost(),
                m.offsetGaps(),
                m.expired(),
                m.history(),
                m.facts().unreadable());
    }

    /** Number of events of all types. */
    public long totalEvents() {
        return events.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether its recorder has ended and nothing is missing. */
    public boolean whole() {
        return closed && missing.isEmpty() && lost.isEmpty() && offsetGaps.isEmpty() && unreadable == 0;
    }

    private static Optional<String> time(OptionalLong micros) {
        return micros.isPresent()
                ? Optional.of(Instant.ofEpochSecond(
                                Math.floorDiv(micros.getAsLong(), 1_000_000L),
                                Math.floorMod(micros.getAsLong(), 1_000_000L) * 1000)
                        .toString())
                : Optional.empty();
    }
}
