package dev.warmroute.export.table;

import dev.warmroute.recorder.trace.Turn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Sums a trace's requests up by session; of each session the lengths of its prompts and its agents' last turns are kept. */
public final class SessionRows {
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    /** Returns a row for each session, by first arrival; requests without a session are left out. */
    public static List<SessionRow> of(Iterable<Turn> turns) {
        SessionRows rows = new SessionRows();
        turns.forEach(rows::add);
        return rows.rows();
    }

    /** Takes a request, in the order of the trace. */
    public void add(Turn turn) {
        if (turn.hasSession()) {
            sessions.computeIfAbsent(turn.session(), Session::new).add(turn);
        }
    }

    /** Returns a row for each session so far, by first arrival. */
    public List<SessionRow> rows() {
        return sessions.values().stream().map(Session::row).toList();
    }

    private static final class Session {
        private final String id;
        private final IntArrayList contexts = new IntArrayList();
        private final Set<Integer> replicas = new HashSet<>();
        private final Map<String, Turn> lastOfAgent = new HashMap<>();
        private long firstNanos = Long.MAX_VALUE;
        private long recomputed;
        private boolean knowsReplicas = true;
        private boolean knowsCached = true;

        private Session(String id) {
            this.id = id;
        }

        private void add(Turn turn) {
            firstNanos = Math.min(firstNanos, turn.arrivalNanos());
            contexts.add(turn.prompt().tokens());
            replicas.add(turn.recorded().replica());
            knowsReplicas &= turn.recorded().replica() >= 0;
            knowsCached &= turn.recorded().cachedTokens() != Turn.UNKNOWN;
            Turn before = lastOfAgent.put(turn.agent(), turn);
            if (before != null) {
                int had = turn.prompt().commonPrefix(before.prompt());
                recomputed += Math.max(0, had - turn.recorded().cachedTokens());
            }
        }

        private SessionRow row() {
            int[] sorted = contexts.toIntArray();
            Arrays.sort(sorted);
            return new SessionRow(
                    id,
                    firstNanos / 1e9,
                    contexts.size(),
                    contexts.getInt(0),
                    contexts.getInt(contexts.size() - 1),
                    sorted[(int) Math.ceil(0.95 * sorted.length) - 1],
                    knowsReplicas ? OptionalLong.of(replicas.size()) : OptionalLong.empty(),
                    knowsCached ? OptionalLong.of(recomputed) : OptionalLong.empty());
        }
    }
}
