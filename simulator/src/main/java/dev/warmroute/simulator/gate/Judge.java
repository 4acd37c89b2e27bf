package dev.warmroute.simulator.gate;

import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.compare.PolicyComparison.Difference;
import dev.warmroute.simulator.compare.Study;
import dev.warmroute.simulator.gate.Assertion.Bounded;
import dev.warmroute.simulator.gate.Assertion.Fits;
import dev.warmroute.simulator.gate.Judgement.Outcome;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Holds assertions against a what-if. With figure y, baseline's figure b and the bound {@code f * b + c}, what is judged is
 * {@code y - f * b} against c, with the interval of the paired resamples: both policies from the same sessions and seeds.
 */
final class Judge {
    private final Study study;
    private final int candidate;
    private final OptionalInt baseline;
    private final Optional<CapacityResult> capacity;
    private final JudgeBy by;

    /**
     * @param candidate place of the policy among those of the study
     * @param baseline place of the one that it is held against
     * @param capacity for {@code fits}
     */
    Judge(Study study, int candidate, OptionalInt baseline, Optional<CapacityResult> capacity, JudgeBy by) {
        this.study = study;
        this.candidate = candidate;
        this.baseline = baseline;
        this.capacity = capacity;
        this.by = by;
    }

    Judgement judge(Assertion assertion) {
        return switch (assertion) {
            case Fits fits -> fits(fits);
            case Bounded bounded -> bounded(bounded);
        };
    }

    private Judgement bounded(Bounded a) {
        OptionalDouble own = value(a.metric(), candidate);
        OptionalDouble base = a.relative() ? value(a.metric(), baseline.orElseThrow()) : OptionalDouble.of(0);
        Unit unit = a.metric().unit();
        if (own.isEmpty() || base.isEmpty()) {
            String whose = own.isEmpty() ? "" : " for the baseline";
            return new Judgement(
                    a.text(),
                    Outcome.NOT_COMPUTED,
                    own,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    unit.symbol(),
                    "this replay gives no " + a.metric().name() + whose);
        }
        double bound = a.bound().at(base.getAsDouble());
        Optional<Interval> distance = distance(a);
        Optional<Interval> around = distance.map(d -> new Interval(
                Math.min(own.getAsDouble(), bound + d.low()), Math.max(own.getAsDouble(), bound + d.high())));
        Outcome outcome = outcome(a, own.getAsDouble() - bound, distance);
        return new Judgement(
                a.text(),
                outcome,
                own,
                around.map(i -> OptionalDouble.of(i.low())).orElse(OptionalDouble.empty()),
                around.map(i -> OptionalDouble.of(i.high())).orElse(OptionalDouble.empty()),
                OptionalDouble.of(bound),
                a.relative() ? base : OptionalDouble.empty(),
                unit.symbol(),
                detail(a, own.getAsDouble(), around, bound, base.getAsDouble()));
    }

    /** As the row says it; causes of misses that no row names are none. */
    private OptionalDouble value(Metric metric, int policy) {
        OptionalDouble ofRow = metric.value().apply(study.result().policies().get(policy));
        return ofRow.isPresent()
                ? ofRow
                : study.figure(policy, metric.name())
                        .map(d -> OptionalDouble.of(d.difference()))
                        .orElse(OptionalDouble.empty());
    }

    /** Interval of the distance from the bound: above 0 the figure is above it. */
    private Optional<Interval> distance(Bounded a) {
        Optional<Difference> difference = a.relative()
                ? study.difference(
                        candidate,
                        baseline.orElseThrow(),
                        a.metric().name(),
                        a.bound().times())
                : study.figure(candidate, a.metric().name());
        return difference
                .flatMap(Difference::interval)
                .map(i -> new Interval(
                        i.low() - a.bound().offset(), i.high() - a.bound().offset()));
    }

    private Outcome outcome(Bounded a, double distance, Optional<Interval> interval) {
        Comparison comparison = a.comparison();
        if (by == JudgeBy.FIGURE || !a.metric().resampled()) {
            return comparison.holds(distance, 0) ? Outcome.OK : Outcome.FAILED;
        }
        if (interval.isEmpty()) {
            return Outcome.TOO_UNCERTAIN;
        }
        if (comparison.holds(comparison.hardest(interval.get()), 0)) {
            return Outcome.OK;
        }
        return comparison.holds(comparison.easiest(interval.get()), 0) ? Outcome.TOO_UNCERTAIN : Outcome.FAILED;
    }

    private static String detail(Bounded a, double value, Optional<Interval> interval, double bound, double base) {
        Unit unit = a.metric().unit();
        StringBuilder words = new StringBuilder(unit.text(value));
        if (interval.isPresent()) {
            words.append(" (")
                    .append(unit.text(interval.get().low()))
                    .append(" to ")
                    .append(unit.text(interval.get().high()))
                    .append(')');
        } else if (a.metric().resampled()) {
            words.append(", without interval: it rests on a single session or seed");
        } else {
            words.append(", by the figure alone: it has no interval");
        }
        if (a.relative()) {
            words.append(" against ")
                    .append(unit.text(bound))
                    .append("; baseline ")
                    .append(unit.text(base));
        }
        return words.toString();
    }

    private Judgement fits(Fits a) {
        CapacityResult result = capacity.orElseThrow();
        Optional<Verdict> verdict = result.verdict();
        return new Judgement(
                a.text(),
                verdict.map(Judge::outcome).orElse(Outcome.NOT_COMPUTED),
                result.rule()
                        .map(r -> OptionalDouble.of(r.machine().sessions()))
                        .orElse(OptionalDouble.empty()),
                result.sessionsFit().map(f -> OptionalDouble.of(f.low())).orElse(OptionalDouble.empty()),
                result.sessionsFit().map(f -> OptionalDouble.of(f.high())).orElse(OptionalDouble.empty()),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                "sessions",
                verdict.map(v -> detail(result, v))
                        .orElse("it is not known how many sessions there are at the same time"));
    }

    private static Outcome outcome(Verdict verdict) {
        return switch (verdict) {
            case FITS -> Outcome.OK;
            case EDGE -> Outcome.TOO_UNCERTAIN;
            case DOES_NOT_FIT -> Outcome.FAILED;
        };
    }

    private static String detail(CapacityResult result, Verdict verdict) {
        StringBuilder words = new StringBuilder(verdict.wireName().replace('_', ' '));
        result.rule()
                .ifPresent(
                        r -> words.append(": ").append(r.machine().sessions()).append(" sessions at the same time"));
        result.sessionsFit()
                .ifPresent(f -> words.append(", ")
                        .append(f.low())
                        .append(" to ")
                        .append(f.high())
                        .append(" fit"));
        result.simulation().ifPresent(s -> words.append("; ").append(s.agreement()));
        return words.toString();
    }
}
