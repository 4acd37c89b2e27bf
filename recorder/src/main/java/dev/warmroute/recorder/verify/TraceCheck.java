package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.Event;

/** Looks at all events of a recording, each router's in the order of its sequence. */
interface TraceCheck {
    /**
     * The next event of a router.
     *
     * @param event the recorded event, decoded
     */
    void event(Writer writer, RecordedEvent recorded, Event event);

    /** Numbers of a router's sequence that are not in the recording; what is known from before may no longer hold. */
    default void gap(Writer writer, Range numbers) {}

    /** The result, after the last event. */
    Check result();
}
