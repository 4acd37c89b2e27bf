package dev.warmroute.export.table;

import dev.warmroute.recorder.trace.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Sums a trace's requests up by session. */
public final class SessionRows {
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    private SessionRows() {}

    /** Returns a row for each session, by first arrival; requests without a session are left out. */
    public static List<SessionRow> of(Iterable<Turn> turns) {
        SessionRows rows = new SessionRows();
        for (Turn turn : turns) {
            if (turn.hasSession()) {
                rows.sessions.computeIfAbsent(turn.session(), Session::new).add(turn);
            }
        }
        return rows.sessions.values().stream().map(Session::row).toList();
    }

    private static final class Session {
        private final String id;
        private final List<Integer> contexts = new ArrayList<>();
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
            int[] sorted = contexts.stream().mapToInt(Integer::intValue).toArray();
            Arrays.sort(sorted);
            return new SessionRow(
                    id,
                    firstNanos / 1e9,
                    contexts.size(),
                    contexts.get(0),
                    contexts.get(contexts.size() - 1),
                    sorted[(int) Math.ceil(0.95 * sorted.length) - 1],
                    knowsReplicas ? OptionalLong.of(replicas.size()) : OptionalLong.empty(),
                    knowsCached ? OptionalLong.of(recomputed) : OptionalLong.empty());
        }
    }
}
