package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.replay.TraceLoad;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The first sessions of a trace, whole, as a load that is replayed many times: enough for the sessions asked about to follow each
 * other, and bounded however long the trace is.
 */
final class TraceSample {
    private static final int LEAST_REQUESTS = 3_000;
    private static final int MOST_REQUESTS = 20_000;
    /** Sessions of the sample for each one at a time. */
    private static final int SESSIONS_EACH = 3;
    /** Where tokens behind the shared prefix are put, so that none of them is one of the prefix. */
    private static final long BEHIND = 1L << 58;

    private final List<Turn> turns;
    private final int sessions;
    private final int sharedTokens;

    private TraceSample(List<Turn> turns, int sessions, int sharedTokens) {
        this.turns = turns;
        this.sessions = sessions;
        this.sharedTokens = sharedTokens;
    }

    /**
     * Takes a sample.
     *
     * @param trace the whole trace
     * @param sessions sessions at the same time
     * @param sharedTokens prefix that its sessions share
     */
    static TraceSample of(List<Turn> trace, int sessions, int sharedTokens) {
        Map<String, Integer> requests = new LinkedHashMap<>();
        for (Turn t : trace) {
            if (t.hasSession()) {
                requests.merge(t.session(), 1, Integer::sum);
            }
        }
        Set<String> chosen = new LinkedHashSet<>();
        int sum = 0;
        for (Map.Entry<String, Integer> session : requests.entrySet()) {
            boolean enough = sum >= LEAST_REQUESTS && chosen.size() >= SESSIONS_EACH * sessions;
            if (enough || sum >= MOST_REQUESTS) {
                break;
            }
            chosen.add(session.getKey());
            sum += session.getValue();
        }
        return new TraceSample(
                trace.stream().filter(t -> chosen.contains(t.session())).toList(), chosen.size(), sharedTokens);
    }

    int requests() {
        return turns.size();
    }

    /** Sessions of the sample: no more than these can be had at a time. */
    int sessions() {
        return sessions;
    }

    /** The sessions as closed loops, so many at a time, with contexts behind the shared prefix of so many percent. */
    Subject closed(int sessions, int contextPct) {
        List<Turn> played = contextPct == 100
                ? turns
                : turns.stream().map(t -> shortened(t, contextPct)).toList();
        TraceLoad load = new TraceLoad(played);
        return new Subject.OfTrace(
                TraceSummary.of("sample", "", played, load.index()), load, Subject.Mode.CLOSED, sessions);
    }

    /**
     * Every run of tokens behind the shared prefix shorter in the same proportion: what was equal stays equal. Answers are as long as
     * they were, and are not found in the next prompt any more.
     */
    private Turn shortened(Turn turn, int pct) {
        Prompt.Builder prompt = Prompt.builder();
        int position = 0;
        for (int i = 0; i < turn.prompt().spans(); i++) {
            long start = turn.prompt().start(i);
            int length = turn.prompt().length(i);
            int kept = Math.clamp(sharedTokens - position, 0, length);
            if (kept > 0) {
                prompt.span(start, kept);
            }
            long from = scaled(start + kept, pct);
            long to = scaled(start + length, pct);
            if (to > from) {
                prompt.span(BEHIND + from, (int) (to - from));
            }
            position += length;
        }
        Prompt shorter = prompt.build();
        return new Turn(
                turn.index(),
                turn.arrivalNanos(),
                turn.session(),
                turn.agent(),
                turn.turn(),
                turn.gapNanos(),
                shorter.tokens() > 0 ? shorter : turn.prompt(),
                turn.outputTokens(),
                Turn.freshOutput(turn.index()),
                turn.recorded());
    }

    private static long scaled(long token, int pct) {
        return token / 100 * pct + token % 100 * pct / 100;
    }
}
