package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Every counter's deltas add up to its last value minus its first, in every epoch: each delta is this value minus the one
 * before, exactly, and a value never falls within an epoch. A later epoch starts at 0. Where events are missing the next
 * scrape's delta reaches further back than what is here, so it is only a new start.
 */
final class CountersCheck implements TraceCheck {
    static final String NAME = "counters";

    private static final String TOLERANCE = "0; 1e-9 of the value before a sum of seconds counts as fallen";

    /** Same bound as the tracker's: sums of seconds may fall by rounding. */
    private static final double ROUNDING = 1e-9;

    private final Differences differences;
    private final Map<Source, State> sources = new HashMap<>();
    private final Scope scope;
    private long deltas;
    private long faults;

    private record Source(Writer writer, String replica, int engine) {}

    private static final class State {
        private final Map<String, Double> last = new HashMap<>();
        private int epoch;
        private boolean known;
        /** Whether the epoch's first scrape is in the recording. */
        private boolean whole;
    }

    CountersCheck(Differences differences, Scope scope) {
        this.differences = differences;
        this.scope = scope;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        if (!(event instanceof CountersDelta c) || scope.unaccountable()) {
            return;
        }
        Source source = new Source(writer, c.replica(), c.engine());
        State state = sources.computeIfAbsent(source, s -> new State());
        boolean continues = state.known && state.epoch == c.epoch();
        if (state.known) {
            requireEpoch(recorded, c, state, continues);
        }
        if (!continues) {
            state.last.clear();
            state.whole = state.known || c.intervalMs() == 0;
        }
        compare(recorded, c, state);
        c.totals().forEach((name, value) -> state.last.merge(name, value, Math::max));
        state.epoch = c.epoch();
        state.known = true;
    }

    private void requireEpoch(RecordedEvent recorded, CountersDelta c, State state, boolean continues) {
        if (continues && c.reset()) {
            fault(recorded, "reset", true, "a new epoch");
        } else if (!continues && (c.epoch() != state.epoch + 1 || !c.reset())) {
            fault(
                    recorded,
                    "epoch",
                    c.epoch() + (c.reset() ? " (reset)" : ""),
                    state.epoch + ", or the next with reset");
        }
    }

    private void compare(RecordedEvent recorded, CountersDelta c, State state) {
        TreeSet<String> names = new TreeSet<>(c.totals().keySet());
        names.addAll(c.deltas().keySet());
        for (String name : names) {
            Double value = c.totals().get(name);
            Double delta = c.deltas().get(name);
            Double before = state.last.get(name);
            if (value == null) {
                fault(recorded, "deltas[" + name + "]", delta, "nothing, for there is no value");
                continue;
            }
            if (before == null && !state.whole) {
                continue; // it goes on from a value that is not in this recording
            }
            if (before != null && value < before * (1 - ROUNDING)) {
                fault(recorded, "totals[" + name + "]", value, "at least " + before);
            }
            Optional<Double> expected = before != null
                    ? Optional.of(Math.max(0, value - before))
                    : c.epoch() > 0 ? Optional.of(value) : Optional.empty();
            if (!expected.equals(Optional.ofNullable(delta))) {
                fault(
                        recorded,
                        "deltas[" + name + "]",
                        delta == null ? "nothing" : delta,
                        expected.map(Object.class::cast).orElse("nothing"));
            }
            deltas++;
        }
    }

    @Override
    public void gap(Writer writer, Range numbers) {
        sources.keySet().removeIf(s -> s.writer().equals(writer));
    }

    private void fault(RecordedEvent recorded, String field, Object is, Object shouldBe) {
        faults++;
        differences.add(NAME, recorded, field, is, shouldBe);
    }

    @Override
    public Check result() {
        if (scope.unaccountable()) {
            return new Check(NAME, true, Check.NOT_ASKED, "events are missing and nobody can tell where");
        }
        return new Check(
                NAME,
                faults == 0,
                TOLERANCE,
                deltas + " deltas of " + sources.size() + " engines compared, " + faults + " differ");
    }
}
