package dev.warmroute.export.report;

import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.capacity.CapacityCheck;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.capacity.RuleLedger.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts the rule, the reuse distances and the simulation side by side. */
final class Checks {
    private Checks() {}

    static List<Check> of(CapacityResult capacity) {
        List<Check> checks = new ArrayList<>();
        capacity.rule().ifPresent(r -> checks.add(rule(r, capacity)));
        capacity.reuse().filter(r -> !r.curve().isEmpty()).ifPresent(r -> checks.add(reuse(r, capacity.rule())));
        capacity.simulation().ifPresent(s -> checks.add(simulation(s)));
        return checks;
    }

    private static Check rule(RuleLedger rule, CapacityResult capacity) {
        Machine m = rule.machine();
        double demand = m.utilisationMean() * m.capacityTokens();
        String fit = capacity.sessionsFit()
                .map(f -> f.low() == f.high()
                        ? "; " + f.low() + " sessions fit"
                        : "; " + f.low() + " to " + f.high() + " sessions fit")
                .orElse("");
        return new Check(
                "rule",
                m.sessions() + " sessions need " + Unit.TOKENS.text(demand) + " of "
                        + Unit.TOKENS.text(m.capacityTokens())
                        + ": utilisation " + Unit.RATIO.text(m.utilisationMean()) + ", at 95th percentile contexts "
                        + Unit.RATIO.text(m.utilisationP95()) + fit + ".",
                capacity.checks().map(c -> Level.of(c.rule())), // the verdict of the whole may be lower
                "A necessary condition: what does not fit on paper does not fit.");
    }

    private static Check reuse(ReuseCurve curve, Optional<RuleLedger> rule) {
        ReuseCurve.Point best = curve.curve().get(curve.curve().size() - 1);
        String ceiling = "without limit " + Unit.PERCENT.text(best.hitPct());
        Optional<ReuseCurve.Point> here =
                rule.flatMap(r -> at(curve, r.machine().capacityTokens()));
        return new Check(
                "reuse distance",
                here.map(p -> "At most " + Unit.PERCENT.text(p.hitPct()) + " of the prompt tokens from one cache of "
                                + Unit.TOKENS.text(p.capacityTokens()) + "; " + ceiling + ".")
                        .orElse("At most " + Unit.PERCENT.text(best.hitPct())
                                + " of the prompt tokens, without limit."),
                Optional.empty(),
                "An upper bound: it knows no queue, and one cache in place of several.");
    }

    /** The largest point of the curve that is not above a size. */
    private static Optional<ReuseCurve.Point> at(ReuseCurve curve, long tokens) {
        return curve.curve().stream().filter(p -> p.capacityTokens() <= tokens).reduce((a, b) -> b);
    }

    private static Check simulation(CapacityCheck s) {
        StringBuilder result = new StringBuilder();
        result.append(s.policy())
                .append(s.sessions() > 0 ? " with " + s.sessions() + " sessions" : ", sessions as recorded");
        if (s.hitPct().isPresent()) {
            result.append(": ")
                    .append(Unit.PERCENT.text(s.hitPct().getAsDouble()))
                    .append(" hits");
        }
        if (s.ceilingPct().isPresent()) {
            result.append(" of a ceiling of ")
                    .append(Unit.PERCENT.text(s.ceilingPct().getAsDouble()));
        }
        if (s.lostPp().isPresent()) {
            result.append(", ").append(Unit.POINTS.text(-s.lostPp().getAsDouble()));
        }
        if (s.row().ttftP95S().isPresent()) {
            result.append(", TTFT p95 ")
                    .append(Unit.SECONDS.text(s.row().ttftP95S().getAsDouble()));
        }
        result.append(", computing prompts takes ")
                .append(Unit.PERCENT.text(100 * s.prefillShare()))
                .append(" of the time");
        return new Check(
                "simulation",
                result.append('.').toString(),
                Optional.empty(),
                "The answer, as good as the simulator is.");
    }
}
