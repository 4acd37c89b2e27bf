package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A measured run beside the simulation's prediction of it.
 *
 * @param name what was run, such as {@code 16 sessions}
 */
public record Comparison(String name, String policy, List<Line> lines) {
    /** Metrics that are held against each other; the others follow from them, or are too few to compare. */
    static final List<Metric> METRICS = List.of(
            Metric.HIT_PCT,
            Metric.OUTPUT_TOKENS_PER_MIN,
            Metric.TTFT_P50_S,
            Metric.TTFT_P95_S,
            Metric.SESSION_P50_S,
            Metric.SESSION_P95_S,
            Metric.STAYED_PCT);

    /**
     * Error that is tolerated: at the knee 8 points of hit ratio; of throughput 10 %, of medians 25 %, of tails 35 %.
     */
    private static final Map<Metric, Double> TOLERANCE = new EnumMap<>(Map.of(
            Metric.HIT_PCT, 8.0,
            Metric.OUTPUT_TOKENS_PER_MIN, 0.10,
            Metric.TTFT_P50_S, 0.25,
            Metric.TTFT_P95_S, 0.35,
            Metric.SESSION_P50_S, 0.25,
            Metric.SESSION_P95_S, 0.35));

    public Comparison {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(policy, "policy");
        lines = List.copyOf(lines);
    }

    /**
     * One metric.
     *
     * @param error predicted minus measured, in the metric's unit (points for percentages)
     * @param errorPct the same in percent of the measured value; empty for percentages and where that is 0
     * @param inInterval whether the measured value lies in the prediction's interval; empty without one
     */
    public record Line(
            String metric,
            double measured,
            double predicted,
            double error,
            OptionalDouble errorPct,
            Optional<Boolean> inInterval,
            Optional<Cell.Range> range) {}

    static Comparison of(String name, PolicyRow measured, PolicyRow predicted) {
        List<Line> lines = new ArrayList<>();
        for (Metric metric : METRICS) {
            OptionalDouble m = metric.of(measured), p = metric.of(predicted);
            if (m.isPresent() && p.isPresent()) {
                lines.add(line(metric, m.getAsDouble(), p.getAsDouble(), metric.range(predicted)));
            }
        }
        return new Comparison(name, measured.policy(), lines);
    }

    private static Line line(Metric metric, double measured, double predicted, Optional<Cell.Range> range) {
        double error = predicted - measured;
        boolean relative = metric.unit() != Unit.PERCENT && measured > 0;
        return new Line(
                metric.field(),
                measured,
                predicted,
                error,
                relative ? OptionalDouble.of(100 * error / measured) : OptionalDouble.empty(),
                range.map(r -> measured >= r.low() && measured <= r.high()),
                range);
    }

    Optional<Line> line(Metric metric) {
        return lines.stream().filter(l -> l.metric().equals(metric.field())).findFirst();
    }

    /** Half the width of the tolerated band: points for percentages, else a fraction; empty when there is no gate. */
    static OptionalDouble tolerance(Metric metric) {
        Double tolerance = TOLERANCE.get(metric);
        return tolerance == null ? OptionalDouble.empty() : OptionalDouble.of(tolerance);
    }
}
