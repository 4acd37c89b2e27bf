package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import java.util.List;
import java.util.Optional;

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
 * soon as one has ended, or, partly open, at random.
 *
 * <p>{@link #open} and {@link #closed} give a fresh load for each replay. Who waits for whom is found out once, by the first
 * closed one. Safe for use by several threads.
 */
public final class TraceLoad {
    private static final int NONE = -1;

    private final List<Turn> turns;
    private final SessionIndex index;

    private final int[] turnsOfSession;
    private Optional<Waits> waits = Optional.empty();

    /** A moment at which a replica was started again, in nanoseconds from the start of the trace. */
    public record Restart(int replica, long atNanos) {}

    private final List<Restart> restarts;

    public TraceLoad(List<Turn> turns) {
        this(turns, SessionIndex.of(turns), List.of());
    }

    /** @param restarts of the replicas that served the trace */
    public TraceLoad(List<Turn> turns, List<Restart> restarts) {
        this(turns, SessionIndex.of(turns), restarts);
    }

    private TraceLoad(List<Turn> turns, SessionIndex index, List<Restart> restarts) {
        this.turns = turns;
        this.index = index;
        this.restarts = List.copyOf(restarts);
        turnsOfSession = new int[index.sessions()];
        for (int i = 0; i < turns.size(); i++) {
            if (index.session(i) != NONE) {
                turnsOfSession[index.session(i)]++;
            }
        }
    }

    public List<Turn> turns() {
        return turns;
    }

    /** Whether replicas restarted while it was recorded. */
    public boolean restarted() {
        return !restarts.isEmpty();
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
        return new Closed(waits(), concurrent, new long[0]);
    }

    /**
     * A partly open load: sessions arrive at random, in the trace's order, whatever becomes of the others; each is a closed
     * loop.
     *
     * @param perSecond sessions that arrive a second, at exponential intervals
     */
    public Load arriving(double perSecond, Seeds seeds) {
        long[] starts = new long[index.sessions()];
        double at = 0;
        for (int s = 0; s < starts.length; s++) {
            at += -StrictMath.log(1 - seeds.stream(Seeds.Purpose.START, s).nextDouble()) / perSecond;
            starts[s] = Math.round(at * 1e9);
        }
        return new Closed(waits(), 0, starts);
    }

    /**
     * What happened up to a moment, at its recorded times, and closed loops from there on: a turn that had not been sent by then
     * is sent when what it waits for has ended, plus the recorded time in between, but not before that moment.
     *
     * @param from nanoseconds from the start of the trace
     */
    public Load branch(long from) {
        return new Branch(waits(), from);
    }

    private synchronized Waits waits() {
        if (waits.isEmpty()) {
            waits = Optional.of(new Waits(turns, index));
        }
        return waits.orElseThrow();
    }

    private final class Open implements Load {
        private final int[] left = turnsOfSession.clone();

        @Override
        public void begin(Sender sender) {
            restarts.forEach(r -> sender.replicaRestarts(r.replica(), r.atNanos()));
            for (int i = 0; i < turns.size(); i++) {
                sender.send(
                        turns.get(i),
                        i,
                        index.session(i),
                        index.conversation(i),
                        turns.get(i).arrivalNanos());
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

    private final class Branch implements Load {
        private final Waits waits;
        private final long from;
        private final byte[] waiting;
        private final long[] earliest = new long[turns.size()];
        private final int[] left = turnsOfSession.clone();

        Branch(Waits waits, long from) {
            this.waits = waits;
            this.from = from;
            this.waiting = waits.counts();
        }

        @Override
        public void begin(Sender sender) {
            restarts.forEach(r -> sender.replicaRestarts(r.replica(), r.atNanos()));
            for (int i = 0; i < turns.size(); i++) {
                if (happened(i) || waiting[i] == 0) {
                    send(i, turns.get(i).arrivalNanos(), sender);
                }
            }
        }

        private boolean happened(int position) {
            return turns.get(position).arrivalNanos() < from;
        }

        private void send(int position, long at, Sender sender) {
            sender.send(turns.get(position), position, index.session(position), index.conversation(position), at);
        }

        @Override
        public void ended(int item, long at, Sender sender) {
            for (int e = waits.first(item); e != Waits.NONE; e = waits.next(e)) {
                int to = waits.to(e);
                earliest[to] = Math.max(earliest[to], Math.max(from, at + waits.gap(e)));
                if (!happened(to) && --waiting[to] == 0) {
                    // What it waits for may have ended earlier than it was recorded: nothing is sent in the past.
                    send(to, Math.max(at, earliest[to]), sender);
                }
            }
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
        private final Waits waits;
        private final int concurrent;
        private final long[] starts;
        private final byte[] waiting;
        private final long[] earliest = new long[turns.size()];
        private final int[] left = turnsOfSession.clone();
        private int nextSession;
        private int[][] rootsOfSession = {};

        /** @param starts when each session starts; empty to start it as recorded, or when another has ended */
        Closed(Waits waits, int concurrent, long[] starts) {
            this.waits = waits;
            this.waiting = waits.counts();
            this.concurrent = concurrent;
            this.starts = starts;
        }

        @Override
        public void begin(Sender sender) {
            restarts.forEach(r -> sender.replicaRestarts(r.replica(), r.atNanos()));
            boolean asRecorded = concurrent == 0 && starts.length == 0;
            if (!asRecorded) {
                rootsOfSession = roots();
            }
            for (int i = 0; i < turns.size(); i++) {
                if (waiting[i] == 0 && (asRecorded || index.session(i) == NONE)) {
                    send(i, turns.get(i).arrivalNanos(), sender);
                }
            }
            while (nextSession < starts.length) {
                startNext(starts[nextSession], sender);
            }
            while (nextSession < Math.min(concurrent, index.sessions())) {
                startNext(0, sender);
            }
        }

        @Override
        public void ended(int item, long at, Sender sender) {
            for (int e = waits.first(item); e != Waits.NONE; e = waits.next(e)) {
                int to = waits.to(e);
                earliest[to] = Math.max(earliest[to], at + waits.gap(e));
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
            long recordedStart = turns.get(waits.firstOfSession(session)).arrivalNanos();
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
