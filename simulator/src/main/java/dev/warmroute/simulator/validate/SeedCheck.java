package dev.warmroute.simulator.validate;

import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.validate.SeedResult.Figures;
import dev.warmroute.simulator.validate.SeedResult.Row;
import dev.warmroute.simulator.validate.SeedResult.Signs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Holds {@code workload:lm-warden} against the table it describes, every row with the same parameters. */
public final class SeedCheck {
    /** vLLM's balancer of this version chose as if it knew nothing: its queue counts were never published. */
    private static final String OFF = "random";

    private static final String ON = "warden";
    private static final double HIT_TOLERANCE_PP = 2.1;
    private static final double OUTPUT_TOLERANCE_PCT = 10;
    private static final double UNEXPLAINED_GROWTH = 1.25;

    private final WorkloadSpec workload = WorkloadSpec.named("lm-warden");
    private final int seeds;

    /** @param seeds simulated runs of each row, at least 1 */
    public SeedCheck(int seeds) {
        this.seeds = Seeds.atLeastOne(seeds);
    }

    /** @param file another table with the columns of the published one */
    public SeedResult run(Optional<Path> file) {
        List<SeedTable.Row> table = file.map(SeedTable::read).orElseGet(SeedTable::published);
        List<Row> rows = new ArrayList<>();
        for (SeedTable.Row row : table) {
            StepFigures simulated = StepFigures.of(
                    workload.withSessions(row.sessions()), workload.fleetSpec(), row.affinity() ? ON : OFF, seeds);
            rows.add(new Row(
                    row.sessions(),
                    row.affinity() ? "on" : "off",
                    row.measured(),
                    figures(simulated),
                    stationary(row, table)));
        }
        double hit = rows.stream().mapToDouble(Row::hitOffPp).average().orElse(0);
        double output = rows.stream()
                .filter(Row::stationary)
                .mapToDouble(Row::outputOffPct)
                .average()
                .orElse(0);
        Signs signs = new Signs(
                signs(rows, Figures::outputTokensPerMin),
                signs(rows, Figures::ttfbP50S),
                signs(rows, Figures::ttfbP95S),
                signs(rows, Figures::prefixHitPct));
        int pairs = (int)
                rows.stream().filter(r -> counterpart(rows, r).isPresent()).count();
        List<String> complaints = complaints(hit, output, pairs, signs);
        return new SeedResult(
                workload.name(),
                seeds,
                rows,
                hit,
                output,
                pairs,
                signs,
                SeedAblation.median(workload, seeds),
                SeedAblation.sevenCards(seeds),
                complaints.isEmpty(),
                complaints);
    }

    private static Figures figures(StepFigures f) {
        return new Figures(
                f.outputPerMinute(),
                f.firstByte().p50(),
                f.firstByte().p95(),
                f.busy(),
                f.hitPct(),
                OptionalDouble.of(f.stayedPct()));
    }

    /**
     * By the utilisation law the output of a busy replica is bounded by what its prompts and answers cost; with fewer tokens cached
     * it cannot be more, on a machine that is the same.
     */
    private static boolean stationary(SeedTable.Row row, List<SeedTable.Row> table) {
        return table.stream()
                .filter(r -> r.affinity() == row.affinity() && r.sessions() < row.sessions())
                .reduce((a, b) -> a.sessions() > b.sessions() ? a : b)
                .map(before -> perBusy(row.measured()) <= UNEXPLAINED_GROWTH * perBusy(before.measured())
                        || row.measured().prefixHitPct() > before.measured().prefixHitPct())
                .orElse(true);
    }

    private static double perBusy(Figures f) {
        return f.outputTokensPerMin() / f.replicasBusy();
    }

    /** The row with affinity on for one with affinity off. */
    private static Optional<Row> counterpart(List<Row> rows, Row off) {
        return off.affinity().equals("off")
                ? rows.stream()
                        .filter(r -> r.affinity().equals("on") && r.sessions() == off.sessions())
                        .findFirst()
                : Optional.empty();
    }

    private static int signs(List<Row> rows, ToDoubleFunction<Figures> figure) {
        int right = 0;
        for (Row off : rows) {
            Optional<Row> on = counterpart(rows, off);
            if (on.isPresent()) {
                double measured = figure.applyAsDouble(on.get().measured()) - figure.applyAsDouble(off.measured());
                double simulated = figure.applyAsDouble(on.get().simulated()) - figure.applyAsDouble(off.simulated());
                right += Math.signum(measured) == Math.signum(simulated) ? 1 : 0;
            }
        }
        return right;
    }

    static List<String> complaints(double hit, double output, int pairs, Signs signs) {
        List<String> complaints = new ArrayList<>();
        if (!(hit <= HIT_TOLERANCE_PP)) {
            complaints.add("hit rates: more than " + HIT_TOLERANCE_PP + " pp in the mean");
        }
        if (!(output <= OUTPUT_TOLERANCE_PCT)) {
            complaints.add("output: more than " + OUTPUT_TOLERANCE_PCT + " % in the mean");
        }
        if (signs.output() < pairs || signs.ttfbP50() < pairs || signs.ttfbP95() < pairs) {
            complaints.add("the sign of a difference in output or time to the first byte");
        }
        return complaints;
    }
}
