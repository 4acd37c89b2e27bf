package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import java.util.Arrays;
import java.util.List;

/**
 * The requests of a trace as a load, open or closed.
 *
 * <p><b>Open</b>: every request at its recorded time, whatever became of the others.
 *
 * <p><b>Closed</b>: a turn is sent when what it waited for has ended, plus the recorded time in between. It waits for the turn
 * before it in its conversation (a session's agent); and, where the trace knows how long requests took, for the request of
 * another agent of its session that had ended last when it was sent (a parent waits for its sub-agents, a sub-agent's first
 * turn follows the turn that started it). Without known durations an agent's first turn follows the session's request before
 * it. What waits for nothing is sent at its recorded time after its session's start; requests without a session at their
 * recorded time. A gap that the trace does not know counts as none.
 *
 * <p>Sessions start at their recorded time, or, when the number of concurrent sessions is limited, in the trace's order as
 * soon as one has ended.
 *
 * <p>The plan is made once; {@link #open} and {@link #closed} give a fresh load for each replay.
 */
public final class TraceLoad {
    private static final int NONE = -1;
    /** How many requests of a session are looked at, backwards, for one that had ended. */
    private static final int LOOK_BACK = 64;

    private final List<Turn> turns;
    private final SessionIndex index;

    // Edges from a request to those that wait for it.
    private final int[] firstEdge;
    private int[] nextEdge;
    private int[] edgeTo;
    private long[] edgeGap;
    private int edges;

    private final byte[] waitsFor;
    private final int[] firstOfSession;
    private final int[] turnsOfSession;

    public TraceLoad(List<Turn> turns) {
        this(turns, SessionIndex.of(turns));
    }

    public TraceLoad(List<Turn> turns, SessionIndex index) {
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
        turnsOfSession = new int[index.sessions()];
        connect();
    }

    public List<Turn> turns() {
        return turns;
    }

    public SessionIndex index() {
        return index;
    }

    /** Every request at its recorded time. */
    public Load open() {
        return new Open();
    }

    /**
     * Sessions as closed loops.
     *
     * @param concurrent largest number of sessions at the same time; 0 to start each at its recorded time
     */
    public Load closed(int concurrent) {
        return new Closed(concurrent);
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
            turnsOfSession[session]++;
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
                edge(previous, i, Math.max(0, turns.get(i).arrivalNanos() - turns.get(previous).arrivalNanos()));
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

    private final class Open implements Load {
        private final int[] left = turnsOfSession.clone();

        @Override
        public void begin(Sender sender) {
            for (int i = 0; i < turns.size(); i++) {
                sender.send(turns.get(i), i, index.session(i), index.conversation(i), turns.get(i).arrivalNanos());
            }
        }

        @Override
        public void ended(int item, long at, Sender sender) {
            int session = index.session(item);
            if (session != NONE && --left[session] == 0) {
                sender.sessionEnded(session, at);
            }
        }

        @Override
        public long expected() {
            return turns.size();
        }
    }

    private final class Closed implements Load {
        private final int concurrent;
        private final byte[] waiting = waitsFor.clone();
        private final long[] earliest = new long[turns.size()];
        private final int[] left = turnsOfSession.clone();
        private int nextSession;
        private int[][] rootsOfSession = {};

        Closed(int concurrent) {
            this.concurrent = concurrent;
        }

        @Override
        public void begin(Sender sender) {
            if (concurrent > 0) {
                rootsOfSession = roots();
            }
            for (int i = 0; i < turns.size(); i++) {
                if (waiting[i] == 0 && (concurrent == 0 || index.session(i) == NONE)) {
                    send(i, turns.get(i).arrivalNanos(), sender);
                }
            }
            while (nextSession < Math.min(concurrent, index.sessions())) {
                startNext(0, sender);
            }
        }

        @Override
        public void ended(int item, long at, Sender sender) {
            for (int e = firstEdge[item]; e != NONE; e = nextEdge[e]) {
                int to = edgeTo[e];
                earliest[to] = Math.max(earliest[to], at + edgeGap[e]);
                if (--waiting[to] == 0) {
                    send(to, earliest[to], sender);
                }
            }
            int session = index.session(item);
            if (session != NONE && --left[session] == 0) {
                sender.sessionEnded(session, at);
                if (concurrent > 0 && nextSession < index.sessions()) {
                    startNext(at, sender);
                }
            }
        }

        @Override
        public long expected() {
            return turns.size();
        }

        private void startNext(long at, Sender sender) {
            int session = nextSession++;
            long recordedStart = turns.get(firstOfSession[session]).arrivalNanos();
            for (int root : rootsOfSession[session]) {
                send(root, at + Math.max(0, turns.get(root).arrivalNanos() - recordedStart), sender);
            }
        }

        private void send(int position, long at, Sender sender) {
            sender.send(turns.get(position), position, index.session(position), index.conversation(position), at);
        }

        private int[][] roots() {
            int[] counts = new int[index.sessions()];
            for (int i = 0; i < turns.size(); i++) {
                if (waiting[i] == 0 && index.session(i) != NONE) {
                    counts[index.session(i)]++;
                }
            }
            int[][] roots = new int[counts.length][];
            for (int s = 0; s < counts.length; s++) {
                roots[s] = new int[counts[s]];
            }
            for (int i = turns.size() - 1; i >= 0; i--) {
                if (waiting[i] == 0 && index.session(i) != NONE) {
                    roots[index.session(i)][--counts[index.session(i)]] = i;
                }
            }
            return roots;
        }
    }
}
