package dev.warmroute.simulator.validate;

import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.validate.SeedResult.FirstByte;
import dev.warmroute.simulator.validate.SeedResult.SevenCards;
import dev.warmroute.simulator.validate.SeedResult.SevenCards.Cell;
import java.util.ArrayList;
import java.util.List;

/** Changes one thing at a time, for the two questions that the published text left open. */
final class SeedAblation {
    private static final List<Integer> CROWDED = List.of(24, 32);
    private static final int MANY = 26;
    private static final int FEWER = 16;
    /** Cards that the hash had left with work. */
    private static final int OCCUPIED = 4;

    private SeedAblation() {}

    /**
     * Why the median is worse with affinity at 24 and 32 sessions: the same load without it, with it, placed unevenly, with a cache
     * without limit, and with admission.
     */
    static List<FirstByte> median(WorkloadSpec workload, int seeds) {
        FleetSpec fleet = workload.fleetSpec();
        FleetSpec unlimited = fleet.withEngine(fleet.engine().withUnlimitedBlocks());
        List<FirstByte> rows = new ArrayList<>();
        for (int sessions : CROWDED) {
            WorkloadSpec load = workload.withSessions(sessions);
            rows.add(row(sessions, "off (random)", StepFigures.of(load, fleet, "random", seeds)));
            rows.add(row(sessions, "on (warden)", StepFigures.of(load, fleet, "warden", seeds)));
            rows.add(row(sessions, "on, placed by hash: uneven", StepFigures.of(load, fleet, "hash", seeds)));
            rows.add(row(sessions, "off, cache without limit", StepFigures.of(load, unlimited, "random", seeds)));
            rows.add(row(sessions, "on, cache without limit", StepFigures.of(load, unlimited, "warden", seeds)));
            rows.add(row(sessions, "fit: as many as the cache holds", StepFigures.of(load, fleet, "fit", seeds)));
        }
        return rows;
    }

    private static FirstByte row(int sessions, String variant, StepFigures f) {
        StepFigures.FirstByte t = f.firstByte();
        return new FirstByte(sessions, variant, f.hitPct(), t.mean(), t.p10(), t.p50(), t.p90(), t.p95(), f.quickPct());
    }

    /** What 26 -> 16 sessions and the placement each contributed: both orders of the two changes, and a hash that is fair. */
    static SevenCards sevenCards(int seeds) {
        WorkloadSpec workload = WorkloadSpec.named("seven-cards");
        FleetSpec all = workload.fleetSpec();
        FleetSpec few = all.withReplicas(OCCUPIED);
        List<Cell> cells = new ArrayList<>();
        double[] hit = new double[4];
        for (int sessions : List.of(MANY, FEWER)) {
            WorkloadSpec load = workload.withSessions(sessions);
            StepFigures hashed = StepFigures.of(load, few, "hash", seeds);
            StepFigures fair = StepFigures.of(load, all, "hash", seeds);
            StepFigures placed = StepFigures.of(load, all, "warden", seeds);
            cells.add(cell(sessions, "a hash that reaches 4 of the 7", hashed));
            cells.add(cell(sessions, "a hash over all 7", fair));
            cells.add(cell(sessions, "placed by load", placed));
            int first = sessions == MANY ? 0 : 2;
            hit[first] = hashed.hitPct();
            hit[first + 1] = placed.hitPct();
        }
        double bySessions = (hit[2] - hit[0] + hit[3] - hit[1]) / 2;
        double byPlacement = (hit[1] - hit[0] + hit[3] - hit[2]) / 2;
        return new SevenCards(cells, bySessions, byPlacement);
    }

    private static Cell cell(int sessions, String placement, StepFigures f) {
        return new Cell(sessions, placement, f.hitPct(), f.firstByte().p50());
    }
}
