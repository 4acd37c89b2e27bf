package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.Findings.Curve;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.replay.MissCause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The three checks beside each other. The rule is a necessary condition, the reuse curve an upper bound, the simulation the
 * answer; where they differ, why.
 *
 * @param rule the rule's own verdict, not lowered by what was simulated
 * @param utilisation share of the fullest replica's cache that its sessions take, with mean contexts
 * @param curvePct hit ratio of one cache as large as all replicas' together, by reuse distances, in percent; empty for a description
 * @param ceilingPct hit ratio without limit, in percent
 * @param simulatedPct hit ratio of the simulation, in percent
 * @param agree whether no check contradicts another
 * @param reasons what the differences mean, one sentence each, with their figures
 */
public record ThreeChecks(
        Verdict rule,
        double utilisation,
        OptionalDouble curvePct,
        OptionalDouble ceilingPct,
        OptionalDouble simulatedPct,
        boolean agree,
        List<String> reasons) {
    /** Points within which two hit ratios are the same for an operator. */
    private static final double SAME_PP = 3;

    /** Causes that more cache, or less at the same time, would have mended. */
    private static final Set<MissCause> OVERWRITTEN = EnumSet.of(MissCause.EVICTED_WAITING, MissCause.EVICTED_IDLE);

    public ThreeChecks {
        Objects.requireNonNull(rule, "rule");
        reasons = List.copyOf(reasons);
    }

    static ThreeChecks of(Rule rule, Optional<Curve> curve, Optional<CapacityCheck> check) {
        OptionalDouble curvePct =
                curve.isPresent() ? OptionalDouble.of(curve.get().hitPct()) : OptionalDouble.empty();
        OptionalDouble simulated = check.map(CapacityCheck::hitPct).orElse(OptionalDouble.empty());
        OptionalDouble ceiling = check.map(CapacityCheck::ceilingPct).orElse(OptionalDouble.empty());
        List<String> reasons = new ArrayList<>();
        double utilisation = rule.utilisation();
        check.ifPresent(c -> ruleAndSimulation(rule.verdict(), utilisation, c, reasons));
        if (curvePct.isPresent() && simulated.isPresent()) {
            curveAndSimulation(
                    curve.get(),
                    rule.demand().sessions(),
                    simulated.getAsDouble(),
                    check.get().row(),
                    reasons);
        }
        boolean sameSessions = curve.isPresent()
                && curve.get().recordedSessions().orElse(0) <= rule.demand().sessions();
        if (sameSessions && ceiling.isPresent()) {
            ruleAndCurve(rule.verdict(), utilisation, curvePct.getAsDouble(), ceiling.getAsDouble(), reasons);
        }
        return new ThreeChecks(rule.verdict(), utilisation, curvePct, ceiling, simulated, reasons.isEmpty(), reasons);
    }

    private static void ruleAndSimulation(Verdict rule, double utilisation, CapacityCheck check, List<String> reasons) {
        if (check.lostPp().isEmpty()) {
            return;
        }
        double lost = check.lostPp().getAsDouble();
        if (rule != Verdict.DOES_NOT_FIT && lost > CapacityAnalysis.LOST_TOO_MUCH_PP) {
            reasons.add(say(
                    "the rule %s (%.0f %% of the fullest replica's cache), yet the simulation loses %.1f points of the ceiling of %.1f %%: %s",
                    rule == Verdict.FITS ? "holds" : "is at its edge",
                    100 * utilisation,
                    lost,
                    check.ceilingPct().orElse(0),
                    why(check.row())));
        } else if (rule == Verdict.DOES_NOT_FIT && lost <= SAME_PP) {
            reasons.add(say(
                    "the rule does not hold (%.0f %% of the fullest replica's cache), yet the simulation loses only %.1f points:"
                            + " it counts every session at its mean context as present all the time, and of these %.2f of the replicas"
                            + " are busy at a time, with contexts that begin smaller and sessions that end",
                    100 * utilisation,
                    Math.max(0, lost),
                    check.row().replicasBusy().orElse(0)));
        }
    }

    private static void curveAndSimulation(
            Curve of, int sessions, double simulated, PolicyRow row, List<String> reasons) {
        double curve = of.hitPct();
        if (curve - simulated > SAME_PP) {
            reasons.add(say(
                    "the reuse curve allows %.1f %% where the simulation reaches %.1f %%: the curve is of one cache that serves one"
                            + " request after another; in the fleet %s",
                    curve, simulated, why(row)));
        } else if (simulated - curve > SAME_PP) {
            reasons.add(say(
                    "the simulation reaches %.1f %% where the reuse curve, an upper bound for the recorded order, has %.1f %%: there %s"
                            + " sessions are open at a time and their turns lie between two of one, here %d",
                    simulated,
                    curve,
                    of.recordedSessions().isPresent() ? of.recordedSessions().getAsInt() : "other",
                    sessions));
        }
    }

    private static void ruleAndCurve(
            Verdict rule, double utilisation, double curve, double ceiling, List<String> reasons) {
        boolean curveKeeps = ceiling - curve <= SAME_PP;
        if (rule == Verdict.DOES_NOT_FIT && curveKeeps) {
            reasons.add(say(
                    "by the reuse curve caches of this size lose only %.1f points of %.1f %%, though the sessions take %.0f %% of the"
                            + " fullest replica: not all of them come back before others end",
                    Math.max(0, ceiling - curve), ceiling, 100 * utilisation));
        } else if (rule == Verdict.FITS && ceiling - curve > CapacityAnalysis.LOST_TOO_MUCH_PP) {
            reasons.add(say(
                    "the rule holds (%.0f %%), yet by the reuse curve caches of this size lose %.1f points of %.1f %%: prompts come back"
                            + " after sessions have ended, or what requests without a session say lies between",
                    100 * utilisation, ceiling - curve, ceiling));
        }
    }

    /** What the missed tokens that could have hit were missed for. */
    private static String why(PolicyRow row) {
        long missed = row.misses().values().stream().mapToLong(Long::longValue).sum();
        if (missed == 0) {
            return "nothing is said of the causes";
        }
        List<String> parts = new ArrayList<>();
        for (MissCause cause : OVERWRITTEN) {
            parts.add(say(
                    "%.0f %% of the missed tokens had been overwritten %s",
                    share(row.misses(), cause, missed),
                    cause == MissCause.EVICTED_WAITING ? "while their request waited" : "before it came"));
        }
        parts.add(say("%.0f %% lay on another replica", share(row.misses(), MissCause.MOVED, missed)));
        return String.join(", ", parts)
                + say(
                        "; the slowest twentieth of the turns waits %.1f s for its first byte",
                        row.ttftP95S().orElse(0));
    }

    private static double share(Map<String, Long> misses, MissCause cause, long all) {
        return 100.0 * misses.getOrDefault(cause.wireName(), 0L) / all;
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
