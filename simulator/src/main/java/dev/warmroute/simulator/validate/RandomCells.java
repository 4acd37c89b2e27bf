package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.PooledLoad;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.RecordedPlacements;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.SessionPool;
import dev.warmroute.simulator.timing.TimingProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The cells recorded at random placement, and what follows from them for others: sessions, step times, and the pace of the
 * machine.
 *
 * <p>A cell is predicted with the sessions of the random cell of as many clients, in its order, and beyond them with sessions
 * drawn from all random cells. Where a random policy sent a request is part of what that cell recorded: random numbers are
 * common to both, as far as they are known.
 */
final class RandomCells {
    static final String POLICY = Policies.RANDOM.policyName();

    private final List<FleetCell> cells;
    private final EngineConfig engine;
    private final TimingProfile timing;
    private final SessionPool pool;
    private final Map<FleetCell, List<Integer>> sessions = new HashMap<>(); // numbers in the pool

    /** @param cells at least one, all of policy {@link #POLICY} */
    RandomCells(List<FleetCell> cells, EngineConfig engine, TimingProfile timing) {
        this.cells = cells;
        this.engine = engine;
        this.timing = timing;
        this.pool = SessionPool.of(cells.stream().map(FleetCell::turns).toList(), cells.get(0)::whole);
        int next = 0;
        for (FleetCell cell : cells) {
            int whole = cell.wholeSessions();
            sessions.put(cell, IntStream.range(next, next + whole).boxed().toList());
            next += whole;
        }
    }

    /** Pace of the machine when the random cell of as many sessions was recorded; 1 when there is none. */
    double pace(int clients) {
        return Math.exp(ofSize(clients).stream()
                .mapToDouble(c -> Math.log(timing.pace().get(c.file())))
                .average()
                .orElse(0));
    }

    private List<FleetCell> ofSize(int clients) {
        return cells.stream().filter(c -> c.sessions() == clients).toList();
    }

    /** Predicts a recorded cell. */
    CellFigures predict(FleetCell cell, int seeds) {
        return predict(cell.policy(), cell.policyParameters(), cell.sessions(), cell, seeds);
    }

    /**
     * Predicts a cell.
     *
     * @param like the cell whose length and replicas it has
     * @return means over the seeds
     */
    CellFigures predict(String policy, Map<String, String> parameters, int clients, FleetCell like, int seeds) {
        FleetSpec fleet = FleetSpec.of(like.recording().config().replicas(), engine, timing.preset(pace(clients)))
                .withScrapeNanos(cells.get(0).scrapeNanos());
        PooledLoad.Script script = script(clients, like.stopNanos());
        List<CellFigures> runs = IntStream.rangeClosed(1, seeds)
                .parallel()
                .mapToObj(s -> {
                    Seeds seed = new Seeds(s);
                    PooledLoad load = new PooledLoad(pool, script, seed);
                    RoutingPolicy chosen = Policies.create(policy, parameters, engine.maxNumSeqs());
                    RoutingPolicy known = policy.equals(POLICY) ? asRecorded(chosen, load, script, seed) : chosen;
                    return CellFigures.of(FleetReplay.run(load, fleet, known, seed, Progress.NONE));
                })
                .toList();
        return CellFigures.mean(runs);
    }

    private PooledLoad.Script script(int clients, long stopNanos) {
        List<Integer> known = new ArrayList<>();
        long[] starts =
                cells.stream().flatMapToLong(c -> Arrays.stream(c.starts())).toArray();
        for (FleetCell cell : ofSize(clients)) {
            if (known.isEmpty()) {
                known.addAll(sessions.get(cell));
                starts = cell.starts();
            }
        }
        return new PooledLoad.Script(clients, known, starts, pool.gaps(), stopNanos);
    }

    private RoutingPolicy asRecorded(RoutingPolicy others, PooledLoad load, PooledLoad.Script script, Seeds seed) {
        RecordedPlacements policy = new RecordedPlacements(others, seed);
        for (int session = 0; session < script.sessions().size(); session++) {
            List<Turn> turns = pool.recorded(script.sessions().get(session));
            for (int turn = 0; turn < turns.size(); turn++) {
                policy.assign(
                        load.index(session, turn), turns.get(turn).recorded().replica());
            }
        }
        return policy;
    }
}
