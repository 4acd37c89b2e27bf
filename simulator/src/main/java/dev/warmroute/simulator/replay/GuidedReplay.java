package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.Batch;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.Engine;
import dev.warmroute.simulator.engine.EngineListener;
import dev.warmroute.simulator.timing.ServedRequest;
import dev.warmroute.simulator.timing.StepTimeLaw;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * One replica with everything given but the cache: which requests came to it, when, and when each had ended. The engine takes
 * its steps at the pace of a step-time law, but no request ends before its recorded end, and when that has come the engine
 * goes on until it has ended: what was freed before what came is as it was, and errors of the law do not add up.
 */
final class GuidedReplay implements EngineListener {
    private static final int UNKNOWN = -1;
    /** More steps than any request can need: a request that has not ended by then never will. */
    private static final int MOST_STEPS = 1_000_000;

    private final Engine engine;
    private final StepTimeLaw law;
    private final Others others;

    private final Int2IntOpenHashMap requestOf = new Int2IntOpenHashMap(); // handle -> position
    private final int[] handles;
    private final int[] outputs;
    private final int[] cached;
    private final long[] first;
    private final boolean[] ended;
    private long clock;

    /** How many times slower steps are at a moment, since other replicas of the machine have work. */
    @FunctionalInterface
    interface Others {
        double factor(long nanos);
    }

    private GuidedReplay(FleetSpec fleet, Others others, List<Turn> turns) {
        this.engine =
                new Engine(fleet.engine(), new ChainInterner(fleet.engine().blockSize()), this);
        this.law = fleet.law();
        this.others = others;
        int n = turns.size();
        handles = new int[n];
        outputs = new int[n];
        cached = new int[n];
        first = new long[n];
        ended = new boolean[n];
        Arrays.fill(cached, UNKNOWN);
        Arrays.fill(handles, UNKNOWN);
    }

    /** What became of each request, by position: cached tokens at its admission, and its first token's moment. */
    record Result(int[] cachedTokens, long[] firstNanos) {}

    private record Moment(long at, boolean arrival, int request) {}

    /**
     * Replays the requests of one replica.
     *
     * @param turns what they said
     * @param times when they were sent and ended, in the same order
     */
    static Result run(FleetSpec fleet, Others others, List<Turn> turns, List<ServedRequest> times) {
        return new GuidedReplay(fleet, others, turns).run(fleet, turns, times);
    }

    private Result run(FleetSpec fleet, List<Turn> turns, List<ServedRequest> times) {
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            ServedRequest t = times.get(i);
            long front = Math.round(fleet.frontend().nanos(t.promptTokens()) * others.factor(t.sentNanos()));
            moments.add(new Moment(Math.min(t.sentNanos() + front, t.firstNanos()), true, i));
            moments.add(new Moment(t.lastNanos(), false, i));
        }
        moments.sort(Comparator.comparingLong(Moment::at).thenComparing(Moment::arrival));
        for (Moment m : moments) {
            advance(m.at);
            if (m.arrival) {
                Turn t = turns.get(m.request);
                outputs[m.request] = t.outputTokens();
                handles[m.request] = engine.add(t.prompt(), t.outputTokens(), t.outputStart());
                requestOf.put(handles[m.request], m.request);
            } else {
                for (int step = 0; !ended[m.request] && step < MOST_STEPS; step++) {
                    engine.step();
                }
            }
            clock = m.at;
        }
        return new Result(cached, first);
    }

    /** Takes the steps that begin before a moment, as far as no request ends by them. */
    private void advance(long until) {
        while (engine.hasRequests() && clock < until && !endsNext()) {
            Batch batch = engine.step();
            clock += Math.max(1, Math.round(batch.nanos(law) * others.factor(clock)));
        }
    }

    private boolean endsNext() {
        for (int request : requestOf.values()) {
            if (engine.outputTokens(handles[request]) == outputs[request] - 1
                    && (outputs[request] > 1 || cached[request] != UNKNOWN)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void admitted(int handle, int cachedTokens, boolean resumed) {
        int request = requestOf.get(handle);
        if (!resumed) {
            cached[request] = cachedTokens;
        }
    }

    @Override
    public void firstToken(int handle) {
        first[requestOf.get(handle)] = clock;
    }

    @Override
    public void finished(int handle, int outputTokens) {
        int request = requestOf.remove(handle);
        ended[request] = true;
    }
}
