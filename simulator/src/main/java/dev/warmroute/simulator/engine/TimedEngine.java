package dev.warmroute.simulator.engine;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.simulator.timing.StepTimeLaw;

/**
 * An {@link Engine} with a clock: every batch takes the time that a {@link StepTimeLaw} says, and long stretches of
 * decode steps are run through at once.
 *
 * <p><b>Contract with a discrete-event core.</b> Time is in nanoseconds. The engine acts at moments of its own choice;
 * the core asks for the next with {@link #next()} and lets it act with {@link #advance}:
 *
 * <pre>
 * loop
 *   t = min(time of the next arrival, min over engines of next())
 *   if an arrival is at t:  engine.advance(t); engine.add(t, ...)      // arrivals come first
 *   else:                   engine.act(t)                               // acts at t, calls the listener
 * </pre>
 *
 * <ul>
 *   <li>{@code advance(t)} does everything the engine does <em>before</em> {@code t} and nothing at {@code t}: whoever
 *       reads its state or adds a request at {@code t} sees it as it was just before. A request added at {@code t}
 *       takes part in a batch scheduled at {@code t}.
 *   <li>{@code next()} is the earliest moment at which something that a listener hears (admission, preemption, first
 *       token, finish) <em>may</em> happen if no request is added or aborted before; {@link #NEVER} when idle. It never
 *       lies in the past and never after the event; it may turn out that nothing audible happens there (a chunk of a
 *       long prompt).
 *   <li>Engines need not be advanced until their state is read or their moment has come: a stretch of decode steps is
 *       one action, cut wherever {@code advance} says, with the same results as single steps.
 *   <li>{@link #now()} within a listener's call is the moment of what it hears. A request that follows from an answer
 *       is added after {@code advance} has returned, at the same moment or later.
 * </ul>
 *
 * <p>Synchronous scheduling: a batch runs from when it is scheduled; its outputs are settled when it ends and the next
 * is scheduled at that moment. Asynchronous scheduling: while one batch runs, the next is scheduled and waits; when the
 * first ends, its outputs are settled, the waiting batch starts, and the one after it is scheduled. A request that
 * arrives meanwhile is in that one, so it waits for up to two batches.
 */
public final class TimedEngine {
    /** Answer of {@link #next()} when the engine is idle. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int UNKNOWN = -1;

    private final Engine engine;
    private StepTimeLaw law;
    private final boolean fastForward;

    private final long[] ends = new long[2]; // when each batch in flight ends, oldest first
    private long lastEnd; // when the newest batch ends
    private long ready; // earliest moment of the next schedule
    private boolean stuck; // the last schedule found nothing to compute, and nothing has changed since
    private long now;
    private long busyNanos;

    // The quiet steps ahead, when the next action is to schedule.
    private int quiet = UNKNOWN;
    private int quietSequences;
    private long quietKvTokens;

    public TimedEngine(Engine engine, StepTimeLaw law) {
        this(engine, law, true);
    }

    /**
     * @param fastForward false to take every step by itself, for comparison
     */
    TimedEngine(Engine engine, StepTimeLaw law, boolean fastForward) {
        this.engine = engine;
        this.law = law;
        this.fastForward = fastForward;
    }

    /** The engine behind it, for its state and counters. */
    public Engine engine() {
        return engine;
    }

    /**
     * Prices the steps scheduled from now on by another law; those in flight end as they would have. The engine must have
     * been {@linkplain #advance advanced} to the moment at which this happens.
     */
    public void law(StepTimeLaw other) {
        law = other;
    }

    /** Moment of the last action. */
    public long now() {
        return now;
    }

    /** Time in which a batch was running, up to the end of the newest. */
    public long busyNanos() {
        return busyNanos;
    }

    /** Adds a request at a moment; see {@link Engine#add(Prompt, int, long)}. */
    public int add(long at, Prompt prompt, int outputTokens, long outputStart) {
        return add(at, prompt, outputTokens, outputTokens, outputStart);
    }

    /** Adds a request that may end before its limit; see {@link Engine#add(Prompt, int, int, long)}. */
    public int add(long at, Prompt prompt, int maxTokens, int stopTokens, long outputStart) {
        advance(at);
        int request = engine.add(prompt, maxTokens, stopTokens, outputStart);
        changed(at);
        return request;
    }

    /** Ends a request at a moment; see {@link Engine#abort}. */
    public void abort(long at, int request) {
        advance(at);
        engine.abort(request);
        storeLast(at);
        // With nothing left the engine turns once in vain and then waits for the batch in flight.
        stuck |= engine.inFlight() > 0 && !engine.hasRequests();
        changed(at);
    }

    /** Something from outside changed the queue: an engine that is not waiting for a batch looks at it now. */
    private void changed(long at) {
        quiet = UNKNOWN;
        if (engine.inFlight() == 0) {
            stuck = false;
        }
        if (!stuck) {
            ready = Math.max(ready, at);
        }
    }

    /**
     * Earliest moment at which something audible may happen if nothing is added or aborted; {@link #NEVER} when idle.
     */
    public long next() {
        if (!maySchedule()) {
            return engine.inFlight() > 0 ? ends[0] : Math.max(ready, engine.nextArrival());
        }
        return quietSteps() > 0 ? Math.min(readyAfter(quiet), engine.nextArrival()) : ready;
    }

    /** Does everything the engine does before a moment. */
    public void advance(long until) {
        advance(until, false);
    }

    /**
     * Does what is due at a moment that {@link #next()} named, but does not begin a stretch of quiet steps: they stay one
     * action, until the state is looked at ({@link #advance}) or they have passed. The state in between is not to be read.
     */
    public void act(long at) {
        advance(at + 1, true);
    }

    private void advance(long until, boolean leaveQuiet) {
        while (true) {
            if (maySchedule()) {
                if (ready >= until) {
                    return;
                }
                long limit = Math.min(until, engine.nextArrival());
                if (quietSteps() == 0) {
                    schedule();
                } else if (!skip(limit)) {
                    if (leaveQuiet && limit == until) {
                        return;
                    }
                    schedule();
                }
            } else if (engine.inFlight() > 0) {
                if (ends[0] >= until) {
                    return;
                }
                settle();
            } else if (stuck && engine.nextArrival() < until) {
                ready = Math.max(ready, engine.nextArrival());
                stuck = false;
            } else {
                return;
            }
        }
    }

    private boolean maySchedule() {
        return !stuck && engine.inFlight() < engine.depth() && engine.hasRequests();
    }

    private void schedule() {
        now = ready;
        quiet = UNKNOWN;
        engine.arrive(now);
        Batch batch = engine.schedule();
        if (batch.isEmpty()) {
            engine.launch(now, now);
            stuck = true;
            return;
        }
        long nanos = batch.nanos(law);
        lastEnd = Math.max(ready, lastEnd) + nanos;
        engine.launch(now, lastEnd);
        busyNanos += nanos;
        ends[engine.inFlight() - 1] = lastEnd;
    }

    private void settle() {
        now = ends[0];
        ends[0] = ends[1];
        ready = now;
        stuck = false;
        quiet = UNKNOWN;
        engine.settle();
        storeLast(now);
    }

    /** With host memory, an engine that has nothing left to do still stores the last blocks of what is over. */
    private void storeLast(long at) {
        if (engine.hasLastStores()) {
            engine.arrive(at);
            engine.schedule();
            engine.launch(at, at);
        }
    }

    private int quietSteps() {
        if (quiet == UNKNOWN) {
            quiet = fastForward && engine.nextArrival() > ready ? engine.quietSteps() : 0;
            if (quiet > 0) {
                quietSequences = engine.running();
                quietKvTokens = engine.quietKvTokens();
            }
        }
        return quiet;
    }

    /** Takes the quiet steps that are settled before a moment; false if there is none. */
    private boolean skip(long until) {
        int steps;
        if (engine.inFlight() == 0) {
            steps = stepsWithin(until - 1 - ready, quiet);
        } else {
            // The first step settles the batch in flight, each other one the batch that the step before it scheduled.
            steps = ends[0] < until ? 1 + stepsWithin(until - 1 - ends[0], quiet - 1) : 0;
        }
        if (steps == 0) {
            return false;
        }
        long nanos = law.decodeRunNanos(quietSequences, quietKvTokens, steps);
        ready = readyAfter(steps);
        lastEnd = engine.inFlight() == 0 ? ready : ends[0] + nanos;
        ends[0] = lastEnd;
        now = ready;
        busyNanos += nanos;
        engine.takeQuietSteps(steps);
        quiet -= steps;
        quietKvTokens += (long) steps * quietSequences;
        if (quiet == 0) {
            quiet = UNKNOWN;
        }
        return true;
    }

    private int stepsWithin(long nanos, int most) {
        return (int) law.decodeStepsWithin(quietSequences, quietKvTokens, nanos, most);
    }

    /** When the next batch may be scheduled after so many quiet steps, at least one. */
    private long readyAfter(int steps) {
        return engine.inFlight() == 0
                ? ready + law.decodeRunNanos(quietSequences, quietKvTokens, steps)
                : ends[0] + law.decodeRunNanos(quietSequences, quietKvTokens, steps - 1);
    }
}
