package dev.warmroute.cli;

import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.RecordedTurns;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.List;

/** The demo's requests, arm by arm, in model time: the stand-ins ran at a multiple of real time. */
final class DemoTurns {
    private final List<Turn> all;
    private final long firstArrivalUs;
    private final double speed;

    DemoTurns(Recording recording, long firstArrivalUs, double speed) {
        List<Turn> turns = new ArrayList<>();
        try (RecordedTurns recorded = RecordedTurns.open(recording)) {
            recorded.forEachRemaining(turns::add);
        }
        this.all = List.copyOf(turns);
        this.firstArrivalUs = firstArrivalUs;
        this.speed = speed;
    }

    /** The requests that arrived from one moment until before another, as a trace of their own that begins at 0. */
    TraceSource.Trace between(String name, long fromUs, long untilUs) {
        List<Turn> turns = new ArrayList<>();
        long origin = -1;
        for (Turn t : all) {
            long arrivalUs = firstArrivalUs + t.arrivalNanos() / 1000;
            if (arrivalUs >= fromUs && arrivalUs < untilUs) {
                origin = origin < 0 ? t.arrivalNanos() : origin;
                turns.add(inModelTime(t, turns.size(), t.arrivalNanos() - origin));
            }
        }
        return new TraceSource.Trace(
                new TraceDescription(
                        name, "recording", 0, true, true, true, true, turns.size(), 0, "", Prefixes.TOKENS, List.of()),
                turns);
    }

    private Turn inModelTime(Turn t, int index, long arrivalNanos) {
        return new Turn(
                index,
                modelTime(arrivalNanos),
                t.session(),
                t.agent(),
                t.turn(),
                modelTime(t.gapNanos()),
                t.prompt(),
                t.outputTokens(),
                t.outputStart(),
                new Turn.Recorded(
                        t.recorded().replica(),
                        t.recorded().cachedTokens(),
                        modelTime(t.recorded().ttftNanos()),
                        modelTime(t.recorded().durationNanos())));
    }

    private long modelTime(long nanos) {
        return nanos == Turn.UNKNOWN ? Turn.UNKNOWN : Math.round(nanos * speed);
    }
}
