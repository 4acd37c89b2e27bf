package dev.warmroute.recorder.format;

import dev.warmroute.recorder.format.FleetRecording.Completion;
import dev.warmroute.recorder.format.FleetRecording.Decision;
import dev.warmroute.recorder.format.FleetRecording.Segment;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests of a recorded fleet. Segment number {@code s}, in order of appearance, is the tokens from {@code s << 24};
 * the answer of turn T of a session is its segment {@code SESSION/aT}, so that what a request generates is what the next
 * prompt contains. The gap before a turn runs from the previous turn's last token to the client's send. What the servers
 * said (replica, cached tokens, times) is kept as recorded.
 */
final class FleetReader implements TraceReader {
    private static final int SEGMENT_BITS = 24;

    private final FleetRecording recording;
    private final Iterator<Decision> decisions;
    private final Map<String, Long> segments = new HashMap<>();
    private final Map<String, Long> ends = new HashMap<>();
    private final String sha256;
    private int rows;

    FleetReader(TraceFile file, OnError onError) {
        this(FleetRecording.read(file, onError));
    }

    FleetReader(FleetRecording recording) {
        this.recording = recording;
        this.decisions = recording.decisions().iterator();
        this.sha256 = recording.file().sha256();
    }

    @Override
    public boolean hasNext() {
        return decisions.hasNext();
    }

    @Override
    public Turn next() {
        Decision d = decisions.next();
        Optional<Completion> completion = recording.completion(d);
        Prompt.Builder prompt = Prompt.builder();
        for (Segment s : d.prompt()) {
            prompt.span(start(s.name()), s.tokens());
        }
        long ended = ends.getOrDefault(d.session(), Turn.UNKNOWN);
        ends.put(d.session(), completion.map(Completion::endNanos).orElse(Turn.UNKNOWN));
        return new Turn(
                rows++,
                d.arrivedNanos(),
                d.session(),
                "",
                d.turn(),
                ended < 0 ? Turn.UNKNOWN : Math.max(0, d.arrivedNanos() - ended),
                prompt.build(),
                (int) Math.max(
                        1,
                        completion
                                .map(Completion::completionTokens)
                                .filter(n -> n > 0)
                                .orElse((long) d.maxTokens())),
                start(d.session() + "/a" + d.turn()),
                recorded(d, completion));
    }

    private static Turn.Recorded recorded(Decision d, Optional<Completion> completion) {
        if (completion.isEmpty()) {
            return new Turn.Recorded(d.replica(), Turn.UNKNOWN, Turn.UNKNOWN, Turn.UNKNOWN);
        }
        Completion c = completion.get();
        return new Turn.Recorded(
                d.replica(),
                c.cachedTokens(),
                c.firstNanos() < 0 ? Turn.UNKNOWN : Math.max(0, c.firstNanos() - d.arrivedNanos()),
                Math.max(0, c.endNanos() - d.arrivedNanos()));
    }

    private long start(String segment) {
        return segments.computeIfAbsent(segment, name -> (long) segments.size() << SEGMENT_BITS);
    }

    @Override
    public TraceDescription description() {
        return new TraceDescription(
                recording.file().name(),
                TraceFormat.FLEET.formatName(),
                0,
                true,
                true,
                true,
                true,
                rows,
                recording.skipped(),
                sha256,
                Prefixes.TOKENS,
                List.of());
    }

    @Override
    public void close() {
        // the file was read whole
    }
}
