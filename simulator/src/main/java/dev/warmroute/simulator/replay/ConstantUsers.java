package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether a recording was made with a constant number of users, each of whom began another session soon after the last
 * one had ended, as load generators do. When such sessions start is an answer to how fast the fleet was: another policy would have
 * had others, sooner or later, and as many at a time. Replayed at their recorded times they would pile up where it is slower, and
 * there would be too few of them where it is faster.
 *
 * <p>There are as many users as sessions were ever live at a time. Each of them is a place: a session takes one that nobody has had,
 * else the one that has been empty longest, and gives it back with its last byte. From when all have been taken once to the last start, users are constant when
 * <ul>
 *   <li>sessions that took a used place are at least half as many as users, and at least {@value #FEWEST};
 *   <li>places were empty for at most {@link #MOST_EMPTY} of their time;
 *   <li>the number of live sessions hardly varies: its variance over time is at most {@link #MOST_DISPERSED} of what it would be if
 *       sessions arrived independently (Poisson). Their number has its mean for a variance in the long run; within a time T it varies
 *       less, for sessions that last D by a factor of {@code T / 3D} up to T = D, and {@code 1 - D / T + D^2 / 3T^2} from there on;
 *   <li>T is at least as long as a session lasts in the mean.
 * </ul>
 * Nothing is said of recordings in which requests have no session, sessions have several agents, or more than one duration in
 * twenty is not known.
 */
public final class ConstantUsers {
    private static final int FEWEST = 8;
    private static final double MOST_EMPTY = 0.15;
    private static final double MOST_DISPERSED = 0.25;
    private static final double OUTLIERS = 0.05;

    private final int users;
    private final long[] starts;
    private final long[] pauses;
    private final SessionPool pool;
    private final long stopNanos;

    private ConstantUsers(int users, long[] starts, long[] pauses, SessionPool pool, long stopNanos) {
        this.users = users;
        this.starts = starts;
        this.pauses = pauses;
        this.pool = pool;
        this.stopNanos = stopNanos;
    }

    /** The users of a recording; empty where their number was not constant, or cannot be known. */
    public static Optional<ConstantUsers> of(List<Turn> turns, SessionIndex index) {
        if (index.sessions() < FEWEST || index.conversations() > index.sessions()) {
            return Optional.empty();
        }
        long[] starts = new long[index.sessions()];
        Arrays.fill(starts, Long.MAX_VALUE);
        long[] ends = new long[starts.length];
        long unknown = 0;
        for (int i = 0; i < turns.size(); i++) {
            int session = index.session(i);
            if (session < 0) {
                return Optional.empty();
            }
            Turn turn = turns.get(i);
            long duration = turn.recorded().durationNanos();
            unknown += duration == Turn.UNKNOWN ? 1 : 0;
            starts[session] = Math.min(starts[session], turn.arrivalNanos());
            ends[session] = Math.max(ends[session], turn.arrivalNanos() + Math.max(0, duration));
        }
        Places places = new Places(starts, ends);
        if (unknown > OUTLIERS * turns.size() || !places.constant()) {
            return Optional.empty();
        }
        long last = turns.stream().mapToLong(Turn::arrivalNanos).max().orElseThrow();
        long longestGap = longestGap(turns);
        List<List<Turn>> recording = List.of(turns);
        long lastChosen = lastChosen(starts, ends, last - longestGap);
        if (lastChosen < 0) {
            return Optional.empty();
        }
        SessionPool pool = SessionPool.of(
                recording,
                session -> session.get(0).turn() == 1
                        && session.get(0).arrivalNanos() <= lastChosen
                        && end(session) <= last - longestGap);
        return Optional.of(new ConstantUsers(
                places.users, Arrays.copyOf(places.starts, places.users), places.pauses(), pool, last + 1));
    }

    /**
     * The latest start up to which all but few sessions were recorded to their end; -1 if there is none. Chosen by their starts, sessions
     * are of every length; by their ends, the short ones among those that began late would be too many.
     *
     * @param endedBy when a session must have ended to be whole
     */
    private static long lastChosen(long[] starts, long[] ends, long endedBy) {
        Integer[] order = new Integer[starts.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(starts[a], starts[b]));
        long chosen = -1;
        int whole = 0;
        for (int i = 0; i < order.length; i++) {
            whole += ends[order[i]] <= endedBy ? 1 : 0;
            if (whole >= (1 - OUTLIERS) * (i + 1)) {
                chosen = starts[order[i]];
            }
        }
        return chosen;
    }

    /** A gap that few are longer than: a session that has been silent for so long had ended. */
    private static long longestGap(List<Turn> turns) {
        long[] gaps = turns.stream()
                .mapToLong(Turn::gapNanos)
                .filter(g -> g >= 0)
                .sorted()
                .toArray();
        return gaps.length == 0 ? 0 : gaps[(int) ((1 - OUTLIERS) * (gaps.length - 1))];
    }

    private static long end(List<Turn> session) {
        return session.stream()
                .mapToLong(t -> t.arrivalNanos() + Math.max(0, t.recorded().durationNanos()))
                .max()
                .orElseThrow();
    }

    /** How many there were. */
    public int users() {
        return users;
    }

    /** Sessions that began in the place of one that had ended. */
    public int laterSessions() {
        return pauses.length;
    }

    /** Mean time from the end of a session to the start of the one in its place, in nanoseconds. */
    public long meanPauseNanos() {
        return Math.round(Arrays.stream(pauses).average().orElse(0));
    }

    /**
     * Users as these, for as long as these: each runs one session after the other, drawn from those that were recorded whole, with
     * the recorded gaps between turns and pauses between sessions drawn from the recorded ones. The first sessions begin when the
     * first ones began.
     *
     * @param number of users
     */
    public Load load(int number, Seeds seeds) {
        return new PooledLoad(pool, new PooledLoad.Script(number, List.of(), starts, pauses, stopNanos), seeds);
    }

    /** Sessions in order of their start, and the places they took. */
    private static final class Places {
        private final long[] starts;
        private final long[] ends; // in order
        private final int users;
        private final LongArrayList pauses = new LongArrayList();
        private long empty;

        private final double meanDuration;

        Places(long[] starts, long[] ends) {
            Integer[] order = new Integer[starts.length];
            Arrays.setAll(order, i -> i);
            Arrays.sort(order, (a, b) -> Long.compare(starts[a], starts[b]));
            this.starts = Arrays.stream(order).mapToLong(i -> starts[i]).toArray();
            this.ends = ends.clone();
            Arrays.sort(this.ends);
            this.meanDuration = Arrays.stream(ends).average().orElse(0)
                    - Arrays.stream(starts).average().orElse(0);
            this.users = Math.max(1, most());
            take();
        }

        /** Most sessions at a time. */
        private int most() {
            int most = 0;
            int ended = 0;
            for (int i = 0; i < starts.length; i++) {
                while (ended < ends.length && ends[ended] <= starts[i]) {
                    ended++;
                }
                most = Math.max(most, i + 1 - ended);
            }
            return most;
        }

        private void take() {
            ArrayDeque<Long> free = new ArrayDeque<>(); // since when, in order
            int ended = 0;
            for (int i = 0; i < starts.length; i++) {
                for (; ended < ends.length && ends[ended] <= starts[i]; ended++) {
                    free.add(ends[ended]);
                }
                if (i >= users) {
                    long pause = starts[i] - free.remove();
                    pauses.add(pause);
                    empty += pause;
                }
            }
            for (long since : free) {
                empty += last() - since;
            }
        }

        private long last() {
            return starts[starts.length - 1];
        }

        private long allTaken() {
            return starts[users - 1];
        }

        long[] pauses() {
            return pauses.toLongArray();
        }

        boolean constant() {
            double window = last() - allTaken();
            return pauses.size() >= Math.max(FEWEST, users / 2.0)
                    && window >= meanDuration
                    && empty <= MOST_EMPTY * users * window
                    && dispersion() <= MOST_DISPERSED * dispersionOfArrivals(meanDuration / window);
        }

        /**
         * What {@link #dispersion} would be of sessions that arrive independently.
         *
         * @param part of the time looked at that a session lasts, at most 1
         */
        private static double dispersionOfArrivals(double part) {
            return 1 - part + part * part / 3;
        }

        /** Variance over time of the number of live sessions, by its mean. */
        private double dispersion() {
            long from = allTaken();
            int started = 0;
            int ended = 0;
            int live = 0;
            long at = from;
            double sum = 0;
            double squares = 0;
            while (at < last()) {
                while (started < starts.length && starts[started] <= at) {
                    started++;
                    live++;
                }
                while (ended < ends.length && ends[ended] <= at) {
                    ended++;
                    live--;
                }
                long next = Math.min(
                        started < starts.length ? starts[started] : last(), ended < ends.length ? ends[ended] : last());
                double time = Math.min(next, last()) - at;
                sum += live * time;
                squares += (double) live * live * time;
                at = next;
            }
            double time = Math.max(1, last() - from);
            double mean = sum / time;
            return mean == 0 ? Double.POSITIVE_INFINITY : (squares / time - mean * mean) / mean;
        }
    }
}
