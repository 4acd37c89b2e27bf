package dev.warmroute.simulator.validate;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.RuleTrial;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.compare.Parallel;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.kv.CapacitySource;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.timing.TimingPresets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * Looks for false greens: fleets of which the rule says that the sessions fit, and which lose their cache all the same. Cases are
 * recorded cells of a real fleet, judged by what was simulated and, where sessions were kept at their replicas, by what the
 * engines measured; and synthetic fleets ({@link SyntheticFleet}).
 */
public final class RuleCheck {
    /** Points of the ceiling that a fleet may lose whose sessions fit. */
    public static final double LIMIT_PP = RuleTrial.LIMIT_PP;

    private static final double KEPT_PP = 3;

    private final EngineConfig cells;
    private final int threads;

    /**
     * @param cells engine of the recorded replicas
     * @param threads cases at the same time, at least 1; the result does not depend on it
     */
    public RuleCheck(EngineConfig cells, int threads) {
        if (threads < 1) {
            throw new UserError("threads must be at least 1, not " + threads);
        }
        this.cells = cells;
        this.threads = threads;
    }

    /**
     * Runs the study.
     *
     * @param files recorded cells; may be none
     * @param fleets synthetic fleets
     * @param seed of these
     * @param progress called from several threads, one at a time
     */
    public RuleResult run(List<Path> files, int fleets, long seed, Progress progress) {
        if (fleets < 0 || fleets + files.size() == 0) {
            throw new UserError("name recorded cells, or ask for at least one synthetic fleet");
        }
        Done done = new Done(progress, files.size() + fleets);
        List<Callable<RuleResult.Cell>> recorded = new ArrayList<>();
        for (Path file : files) {
            recorded.add(() -> done.after(cell(file)));
        }
        List<Callable<RuleResult.Fleet>> drawn = new ArrayList<>();
        for (int number = 1; number <= fleets; number++) {
            int n = number;
            drawn.add(() -> done.after(fleet(seed, n)));
        }
        List<RuleResult.Cell> cellRows = Parallel.all(recorded, threads);
        return result(seed, cellRows, Parallel.all(drawn, threads));
    }

    private RuleResult.Cell cell(Path file) {
        FleetCell cell = FleetCell.read(file);
        Check how = new Check(
                PolicyChoice.of(Policies.WARDEN.policyName()),
                TimingPresets.CPU_MID.preset(),
                cells.maxNumSeqs(),
                cells.maxNumBatchedTokens(),
                cell.recording().config().seconds(),
                1,
                1);
        CacheSize cache = new CacheSize(
                cell.recording().config().replicas(),
                cells.usableBlocks(),
                cells.blockSize(),
                CapacitySource.REPORTED.wireName());
        RuleTrial trial = RuleTrial.ofTrace("fleet:" + file, cell.sessions(), cache, how);
        OptionalDouble measured = cell.policy().equals(Policies.WARDEN.policyName())
                ? OptionalDouble.of(cell.hitPct())
                : OptionalDouble.empty();
        return new RuleResult.Cell(
                cell.file(),
                cell.policy(),
                cell.sessions(),
                trial.utilisationMean(),
                trial.utilisationP95(),
                trial.rule(),
                trial.ceilingPct(),
                trial.hitPct(),
                trial.lostPp(),
                measured,
                trial.below(measured));
    }

    private static RuleResult.Fleet fleet(long seed, int number) {
        SyntheticFleet fleet = SyntheticFleet.draw(seed, number);
        RuleTrial trial = RuleTrial.of(fleet.sessions(), fleet.cache(), fleet.how());
        return new RuleResult.Fleet(
                number,
                fleet.how().timing().name(),
                fleet.cache().replicas(),
                fleet.cache().tokens(),
                fleet.sessions().sessions(),
                fleet.sessions().turns(),
                trial.utilisationMean(),
                trial.utilisationP95(),
                trial.rule(),
                trial.ceilingPct(),
                trial.hitPct(),
                trial.lostPp());
    }

    static RuleResult result(long seed, List<RuleResult.Cell> cells, List<RuleResult.Fleet> fleets) {
        List<Case> cases = new ArrayList<>();
        for (RuleResult.Cell c : cells) {
            cases.add(new Case(c.rule(), c.simulatedLostPp()));
            if (c.measuredPct().isPresent()) {
                cases.add(new Case(c.rule(), c.measuredLostPp()));
            }
        }
        fleets.forEach(f -> cases.add(new Case(f.rule(), f.lostPp())));
        int greens = (int) cases.stream()
                .filter(c -> c.rule == Verdict.FITS && c.above(LIMIT_PP))
                .count();
        int reds = (int) cases.stream()
                .filter(c -> c.rule == Verdict.DOES_NOT_FIT && c.tested() && !c.above(LIMIT_PP))
                .count();
        int untested = (int) cases.stream().filter(c -> !c.tested()).count();
        boolean some = cases.stream().anyMatch(c -> c.rule == Verdict.FITS);
        List<RuleResult.Count> verdicts =
                Arrays.stream(Verdict.values()).map(v -> count(v, cases)).toList();
        return new RuleResult(
                seed,
                fleets.size(),
                LIMIT_PP,
                greens,
                reds,
                verdicts,
                cells,
                fleets,
                untested,
                some && greens == 0 && untested == 0);
    }

    /** @param lostPp points of the ceiling lost, simulated or measured; empty when nothing was served */
    private record Case(Verdict rule, OptionalDouble lostPp) {
        boolean tested() {
            return lostPp.isPresent();
        }

        boolean above(double pp) {
            return tested() && lostPp.getAsDouble() > pp;
        }
    }

    private static RuleResult.Count count(Verdict verdict, List<Case> cases) {
        List<Case> said = cases.stream().filter(c -> c.rule == verdict).toList();
        double[] lost = said.stream().flatMapToDouble(c -> c.lostPp.stream()).toArray();
        return new RuleResult.Count(
                verdict,
                said.size(),
                (int) Arrays.stream(lost).filter(l -> l <= KEPT_PP).count(),
                (int) Arrays.stream(lost).filter(l -> l > LIMIT_PP).count(),
                Arrays.stream(lost).max().orElse(0));
    }

    /** Tells how many of the cases are done. */
    private static final class Done {
        private final Progress progress;
        private final int all;
        private int done;

        Done(Progress progress, int all) {
            this.progress = progress;
            this.all = all;
        }

        synchronized <T> T after(T result) {
            progress.at((double) ++done / all);
            return result;
        }
    }
}
