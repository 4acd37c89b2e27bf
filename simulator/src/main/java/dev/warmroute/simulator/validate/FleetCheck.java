package dev.warmroute.simulator.validate;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.timing.Calibration;
import dev.warmroute.simulator.timing.ServedRequest;
import dev.warmroute.simulator.timing.TimingProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Holds the simulator against recorded cells of a real vLLM fleet. What is predicted follows from the cells recorded at random
 * placement ({@link RandomCells}) and from nothing else; where times are given, every cell tells its own.
 */
public final class FleetCheck {
    /** How a cell is predicted. */
    public enum Mode {
        /** Given where each request went and when: what does the cache hold? */
        RECORDED("recorded"),
        /** Given the random cells: what would another policy, or another number of sessions, have been like? */
        WHAT_IF("what-if");

        private final String wireName;

        Mode(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /**
     * What is still accepted.
     *
     * @param maePp mean error of the hit rates over the cells, percentage points
     * @param worstPp largest error of a hit rate, percentage points
     * @param cachedPct error of a cell's cached tokens when assignments and times are given, percent
     */
    public record Tolerance(double maePp, double worstPp, double cachedPct) {
        public static final Tolerance DEFAULT = new Tolerance(1.0, 4.0, 3.0);
    }

    private final EngineConfig engine;
    private final int seeds;
    private final Tolerance tolerance;

    /**
     * @param engine the recorded replicas
     * @param seeds simulated runs of each predicted cell, at least 1
     */
    public FleetCheck(EngineConfig engine, int seeds, Tolerance tolerance) {
        this.engine = engine;
        this.seeds = Seeds.atLeastOne(seeds);
        this.tolerance = tolerance;
    }

    /**
     * Checks cells.
     *
     * @param curve numbers of sessions for which a prediction is wanted without a recording; used in {@link Mode#WHAT_IF}
     */
    public FleetResult run(List<Path> files, Mode mode, List<Integer> curve) {
        List<FleetCell> cells = files.stream().map(FleetCell::read).toList();
        return mode == Mode.RECORDED ? recorded(cells) : whatIf(cells, curve);
    }

    private FleetResult recorded(List<FleetCell> cells) {
        TimingProfile timing = calibrate(cells);
        List<FleetResult.Cell> results = new ArrayList<>();
        List<String> complaints = new ArrayList<>();
        for (FleetCell cell : cells) {
            double pace = timing.pace().get(cell.file());
            RecordedCell replayed = RecordedCell.replay(cell, engine, timing.preset(pace));
            double off = 100.0 * replayed.cachedTokens() / cell.cachedTokens() - 100;
            if (!(Math.abs(off) <= tolerance.cachedPct)) {
                complaints.add(text(
                        "%s: cached tokens are off by %.1f %%, more than %.1f %%",
                        cell.file(), off, tolerance.cachedPct));
            }
            results.add(
                    result(cell, OptionalInt.of(replayed.exact()), OptionalDouble.of(off), pace, replayed.figures()));
        }
        return result(Mode.RECORDED, results, List.of(), timing, complaints);
    }

    private FleetResult whatIf(List<FleetCell> cells, List<Integer> curve) {
        List<FleetCell> random = cells.stream()
                .filter(c -> c.policy().equals(RandomCells.POLICY))
                .toList();
        if (random.isEmpty()) {
            throw new UserError(
                    "none of the " + cells.size() + " cells was recorded with random placement: the others are"
                            + " predicted from those, so name at least one");
        }
        TimingProfile timing = calibrate(random);
        RandomCells known = new RandomCells(random, engine, timing);
        List<FleetResult.Cell> results = new ArrayList<>();
        for (FleetCell cell : cells) {
            results.add(result(
                    cell,
                    OptionalInt.empty(),
                    OptionalDouble.empty(),
                    known.pace(cell.sessions()),
                    known.predict(cell, seeds)));
        }
        List<FleetResult.Point> points = new ArrayList<>();
        for (String policy : List.of(RandomCells.POLICY, Policies.WARDEN.policyName())) {
            for (int sessions : curve) {
                CellFigures f = known.predict(policy, Map.of(), sessions, random.get(0), seeds);
                points.add(new FleetResult.Point(policy, sessions, f.hitPct(), f.outputPerMinute(), f.firstByteP50()));
            }
        }
        List<String> complaints = new ArrayList<>();
        if (!(mean(results) <= tolerance.maePp)) {
            complaints.add(text(
                    "the hit rates are off by %.2f pp in the mean, more than %.2f", mean(results), tolerance.maePp));
        }
        if (!(worst(results) <= tolerance.worstPp)) {
            complaints.add(text("a hit rate is off by %.2f pp, more than %.2f", worst(results), tolerance.worstPp));
        }
        new CellPairs(results).complain(complaints);
        return result(Mode.WHAT_IF, results, points, timing, complaints);
    }

    private TimingProfile calibrate(List<FleetCell> cells) {
        List<ServedRequest> served = new ArrayList<>();
        for (int run = 0; run < cells.size(); run++) {
            served.addAll(cells.get(run).served(run));
        }
        return Calibration.fit(
                "vllm-fleet", served, cells.stream().map(FleetCell::file).toList(), engine.maxNumBatchedTokens());
    }

    private static FleetResult result(
            Mode mode,
            List<FleetResult.Cell> cells,
            List<FleetResult.Point> curve,
            TimingProfile timing,
            List<String> complaints) {
        CellPairs pairs = new CellPairs(cells);
        return new FleetResult(
                mode.wireName(),
                cells,
                mean(cells),
                worst(cells),
                pairs.count(),
                pairs.signs(),
                curve,
                timing,
                complaints.isEmpty(),
                complaints);
    }

    private static double mean(List<FleetResult.Cell> cells) {
        return cells.stream().mapToDouble(FleetResult.Cell::offPp).average().orElseThrow();
    }

    private static double worst(List<FleetResult.Cell> cells) {
        return cells.stream().mapToDouble(FleetResult.Cell::offPp).max().orElseThrow();
    }

    private static FleetResult.Cell result(
            FleetCell cell, OptionalInt exact, OptionalDouble cachedOff, double pace, CellFigures predicted) {
        return new FleetResult.Cell(
                cell.file(),
                cell.policy(),
                cell.sessions(),
                cell.turns().size(),
                exact,
                cachedOff,
                pace,
                cell.hitPct(),
                predicted.hitPct(),
                cell.outputPerMinute(),
                predicted.outputPerMinute(),
                cell.firstByteP50(),
                predicted.firstByteP50());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
