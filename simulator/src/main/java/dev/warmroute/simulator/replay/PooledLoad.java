package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.List;

/**
 * A number of clients that run one session after another in closed loops: first those that a recording had, in their order,
 * then as many as it takes, drawn from a {@link SessionPool}. A turn comes the recorded gap after the end of the one before,
 * the next session a pause after the last turn. From a moment on no turn is sent any more; those under way run to their end.
 *
 * <p>What session number n says depends on the seed and n alone, so that it is the same under every policy.
 */
public final class PooledLoad implements Load {
    private final SessionPool pool;
    private final Script script;
    private final Seeds seeds;
    private final IntArrayList sessionOf = new IntArrayList(); // by item
    private final IntArrayList turnOf = new IntArrayList();
    private int nextSession;

    /**
     * What is known beforehand.
     *
     * @param clients sessions at the same time
     * @param sessions the first sessions, as numbers in the pool
     * @param starts when the first session of each client begins, nanoseconds; drawn from these when there are not as many as
     *     clients
     * @param pauses from the end of a session to the start of the client's next one, nanoseconds, to draw from
     * @param stopNanos no turn is sent at or after it
     */
    public record Script(int clients, List<Integer> sessions, long[] starts, long[] pauses, long stopNanos) {
        public Script {
            sessions = List.copyOf(sessions);
            starts = starts.clone();
            pauses = pauses.clone();
        }
    }

    public PooledLoad(SessionPool pool, Script script, Seeds seeds) {
        this.pool = pool;
        this.script = script;
        this.seeds = seeds;
    }

    @Override
    public void begin(Sender sender) {
        for (int client = 0; client < script.clients; client++) {
            long at = client < script.starts.length && script.starts.length >= script.clients
                    ? script.starts[client]
                    : drawn(script.starts, Seeds.Purpose.START, client);
            send(nextSession++, 0, at, sender);
        }
    }

    @Override
    public void ended(int item, long at, Sender sender) {
        int session = sessionOf.getInt(item);
        int turn = turnOf.getInt(item) + 1;
        int template = template(session);
        if (turn < pool.turns(template)) {
            send(session, turn, at + pool.gapNanos(template, turn), sender);
        } else {
            sender.sessionEnded(session, at);
            int next = nextSession++;
            send(next, 0, at + drawn(script.pauses, Seeds.Purpose.GAP, next), sender);
        }
    }

    @Override
    public long expected() {
        return -1;
    }

    /** {@link Turn#index} of a turn of a session: the same in every replay. */
    public int index(int session, int turn) {
        return Math.addExact(Math.multiplyExact(session, pool.mostTurns()), turn);
    }

    private void send(int session, int turn, long at, Sender sender) {
        if (at < script.stopNanos) {
            int item = sessionOf.size();
            sessionOf.add(session);
            turnOf.add(turn);
            sender.send(
                    pool.turn(template(session), turn, session, index(session, turn), at), item, session, session, at);
        }
    }

    private int template(int session) {
        return session < script.sessions.size()
                ? script.sessions.get(session)
                : seeds.stream(Seeds.Purpose.LENGTH, session).nextInt(pool.size());
    }

    private long drawn(long[] values, Seeds.Purpose purpose, int item) {
        return values.length == 0 ? 0 : values[seeds.stream(purpose, item).nextInt(values.length)];
    }
}
