package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
import java.util.List;

/**
 * Which requests of a trace wait for which, when its sessions are closed loops; see {@link TraceLoad}. Edges lead from a
 * request to those that wait for it. Immutable once made.
 */
final class Waits {
    /** No edge, no request. */
    static final int NONE = -1;
    /** How many requests of a session are looked at, backwards, for one that had ended. */
    private static final int LOOK_BACK = 64;

    private final List<Turn> turns;
    private final SessionIndex index;
    private final int[] firstEdge;
    private int[] nextEdge;
    private int[] edgeTo;
    private long[] edgeGap;
    private int edges;

    private final byte[] waitsFor;
    private final int[] firstOfSession;

    Waits(List<Turn> turns, SessionIndex index) {
        this.turns = turns;
        this.index = index;
        int n = turns.size();
        firstEdge = new int[n];
        Arrays.fill(firstEdge, NONE);
        nextEdge = new int[n];
        edgeTo = new int[n];
        edgeGap = new long[n];
        waitsFor = new byte[n];
        firstOfSession = new int[index.sessions()];
        Arrays.fill(firstOfSession, NONE);
        connect();
    }

    /** Of each request, how many it waits for; a copy. */
    byte[] counts() {
        return waitsFor.clone();
    }

    /** First edge from a request. */
    int first(int position) {
        return firstEdge[position];
    }

    /** The edge after an edge, from the same request. */
    int next(int edge) {
        return nextEdge[edge];
    }

    /** The request that waits. */
    int to(int edge) {
        return edgeTo[edge];
    }

    /** Nanoseconds from the end of what it waits for to its own start. */
    long gap(int edge) {
        return edgeGap[edge];
    }

    int firstOfSession(int session) {
        return firstOfSession[session];
    }

    private void connect() {
        int[] lastOfConversation = new int[index.conversations()];
        Arrays.fill(lastOfConversation, NONE);
        int[] lastOfSession = new int[index.sessions()];
        Arrays.fill(lastOfSession, NONE);
        int[] beforeInSession = new int[turns.size()];
        for (int i = 0; i < turns.size(); i++) {
            int session = index.session(i);
            if (session == NONE) {
                continue;
            }
            if (firstOfSession[session] == NONE) {
                firstOfSession[session] = i;
            }
            int conversation = index.conversation(i);
            int own = lastOfConversation[conversation];
            int previous = lastOfSession[session];
            beforeInSession[i] = previous;
            if (own != NONE) {
                edge(own, i, Math.max(0, turns.get(i).gapNanos()));
            }
            int other = endedLast(i, previous, beforeInSession);
            if (other != NONE) {
                edge(other, i, turns.get(i).arrivalNanos() - recordedEnd(other));
            } else if (own == NONE && previous != NONE && recordedEnd(previous) == Turn.UNKNOWN) {
                edge(
                        previous,
                        i,
                        Math.max(
                                0,
                                turns.get(i).arrivalNanos()
                                        - turns.get(previous).arrivalNanos()));
            }
            lastOfConversation[conversation] = i;
            lastOfSession[session] = i;
        }
    }

    /** Request of another agent of the session that had ended last when this one was sent. */
    private int endedLast(int position, int previous, int[] beforeInSession) {
        long sent = turns.get(position).arrivalNanos();
        int best = NONE;
        int candidate = previous;
        for (int looked = 0; candidate != NONE && looked < LOOK_BACK; looked++) {
            long end = recordedEnd(candidate);
            if (end != Turn.UNKNOWN
                    && end <= sent
                    && index.conversation(candidate) != index.conversation(position)
                    && (best == NONE || end > recordedEnd(best))) {
                best = candidate;
            }
            candidate = beforeInSession[candidate];
        }
        return best;
    }

    private long recordedEnd(int position) {
        Turn turn = turns.get(position);
        long duration = turn.recorded().durationNanos();
        return duration == Turn.UNKNOWN ? Turn.UNKNOWN : turn.arrivalNanos() + duration;
    }

    private void edge(int from, int to, long gap) {
        if (edges == edgeTo.length) {
            int n = Math.max(16, edges * 2);
            nextEdge = Arrays.copyOf(nextEdge, n);
            edgeTo = Arrays.copyOf(edgeTo, n);
            edgeGap = Arrays.copyOf(edgeGap, n);
        }
        edgeTo[edges] = to;
        edgeGap[edges] = gap;
        nextEdge[edges] = firstEdge[from];
        firstEdge[from] = edges++;
        waitsFor[to]++;
    }
}
