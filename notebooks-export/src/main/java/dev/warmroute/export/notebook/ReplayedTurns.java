package dev.warmroute.export.notebook;

import dev.warmroute.export.report.TurnStatistics;
import dev.warmroute.export.table.ReuseRow;
import dev.warmroute.export.table.SimulatedTurns;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Outcome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The single requests of a what-if: all of them as rows, those of each policy's first seed summed up for the charts and, for a
 * trace on limited caches, as reuse-distance curves of the replicas.
 */
public final class ReplayedTurns {
    private final WhatIfRequest request;
    private final Consumer<TurnRow> rows;
    private final Map<Integer, Turn> replayed = new HashMap<>();
    private final TurnStatistics statistics = new TurnStatistics();
    private final Map<String, ReplicaReuse> reuse = new LinkedHashMap<>();

    public ReplayedTurns(WhatIfRequest request, Consumer<TurnRow> rows) {
        this.request = request;
        this.rows = rows;
        if (request.subject() instanceof Subject.OfTrace t) {
            t.itsOwn().forEach(turn -> replayed.put(turn.index(), turn));
        }
    }

    /** Looks at the replays; their rows come in an order that depends on the request alone. */
    public WhatIf.Watcher watcher() {
        return new ReplaysInOrder(request, this::ended);
    }

    private void ended(String policy, int seed, Outcome outcome) {
        Consumer<TurnRow> all = seed == 1 ? rows.andThen(statistics) : rows;
        new SimulatedTurns(TurnRow.Run.simulated(policy, seed), outcome, i -> Optional.ofNullable(replayed.get(i)))
                .forEach(all);
        EngineConfig engine = request.fleet().engine();
        if (seed == 1 && !engine.unlimited() && !replayed.isEmpty()) {
            long cache = (long) engine.usableBlocks() * engine.blockSize();
            reuse.put(
                    policy,
                    ReplicaReuse.of(outcome, replayed::get, request.fleet().replicas(), engine.blockSize(), cache));
        }
    }

    /** Of the first seeds, once the what-if has ended. */
    public TurnStatistics statistics() {
        return statistics;
    }

    /** The curves of the replicas under each policy, with what they reached. */
    public List<ReuseRow> reuse(WhatIfResult result) {
        return result.policies().stream()
                .filter(row -> reuse.containsKey(row.policy()))
                .flatMap(row -> reuse.get(row.policy()).rows(row).stream())
                .toList();
    }
}
