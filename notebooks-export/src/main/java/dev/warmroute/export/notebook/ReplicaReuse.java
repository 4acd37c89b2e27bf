package dev.warmroute.export.notebook;

import dev.warmroute.export.table.ReuseRow;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.capacity.ReuseDistance;
import dev.warmroute.simulator.compare.GroupRow;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The reuse-distance curves of a replay, one a replica: what LRU caches of other sizes would have held of the requests that a
 * policy sent to each. Where requests went depends on the policy, and a little on the caches that it saw, so the curves belong to
 * this replay.
 *
 * @param curves by replica; empty for a replica that got no request
 * @param cacheTokens size of the simulated caches, which is a point of every curve
 */
record ReplicaReuse(List<Optional<ReuseCurve>> curves, long cacheTokens) {
    ReplicaReuse {
        curves = List.copyOf(curves);
    }

    /** @param turns of the trace, by their index */
    static ReplicaReuse of(Outcome outcome, IntFunction<Turn> turns, int replicas, int blockSize, long cacheTokens) {
        RequestLog log = outcome.requests();
        List<ReuseDistance> distances = IntStream.range(0, replicas)
                .mapToObj(r -> new ReuseDistance(blockSize))
                .toList();
        IntStream.range(0, log.size())
                .filter(r -> log.wasSent(r) && log.wasAdmitted(r))
                .boxed()
                .sorted(Comparator.comparingLong(log::sent))
                .forEach(r -> distances
                        .get(log.replica(r))
                        .add(turns.apply(log.index(r)).prompt()));
        return new ReplicaReuse(
                distances.stream()
                        .map(d -> Optional.of(d).filter(x -> x.requests() > 0).map(x -> x.curve(List.of(cacheTokens))))
                        .toList(),
                cacheTokens);
    }

    /** @param row of the policy whose replay this is; what its replicas reached stands at their size */
    List<ReuseRow> rows(PolicyRow row) {
        List<ReuseRow> rows = new ArrayList<>();
        for (int r = 0; r < curves.size(); r++) {
            String replica = "r" + r;
            Optional<GroupRow> reached = row.byReplica().stream()
                    .filter(g -> g.name().equals(replica))
                    .findFirst();
            curves.get(r)
                    .ifPresent(curve -> curve.curve()
                            .forEach(p -> rows.add(row(
                                    replica,
                                    row.policy(),
                                    p,
                                    p.capacityTokens() == cacheTokens ? reached : Optional.empty()))));
        }
        return rows;
    }

    private static ReuseRow row(String replica, String policy, ReuseCurve.Point point, Optional<GroupRow> reached) {
        Optional<Interval> interval = reached.map(g -> g.interval().get("hit_pct"));
        return new ReuseRow(
                replica,
                policy,
                point.capacityTokens(),
                point.hitPct(),
                reached.map(GroupRow::hitPct).orElse(OptionalDouble.empty()),
                interval.map(i -> OptionalDouble.of(i.low())).orElse(OptionalDouble.empty()),
                interval.map(i -> OptionalDouble.of(i.high())).orElse(OptionalDouble.empty()));
    }
}
