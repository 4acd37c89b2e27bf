package dev.warmroute.export.report;

import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How well the simulation predicted one metric over all comparisons.
 *
 * @param metric field name
 * @param cases number of comparisons that have it
 * @param meanError mean of the absolute errors: points for percentages, else percent of the measured value
 * @param bias mean of the signed errors, in the same unit
 * @param worstError the largest absolute error, in the same unit
 * @param worstCase where it was
 * @param inInterval comparisons whose measured value lay in the prediction's interval
 */
public record ComparisonSummary(
        String metric, int cases, double meanError, double bias, double worstError, String worstCase, int inInterval) {

    static List<ComparisonSummary> of(List<Comparison> comparisons) {
        List<ComparisonSummary> summaries = new ArrayList<>();
        for (Metric metric : Comparison.METRICS) {
            int cases = 0, inside = 0;
            double absolute = 0, signed = 0, worst = -1;
            String worstCase = "";
            for (Comparison comparison : comparisons) {
                OptionalDouble error = error(metric, comparison);
                if (error.isPresent()) {
                    double e = error.getAsDouble();
                    cases++;
                    absolute += Math.abs(e);
                    signed += e;
                    if (comparison
                            .line(metric)
                            .flatMap(Comparison.Line::inInterval)
                            .orElse(false)) {
                        inside++;
                    }
                    if (Math.abs(e) > worst) {
                        worst = Math.abs(e);
                        worstCase = comparison.name() + ", " + comparison.policy();
                    }
                }
            }
            if (cases > 0) {
                summaries.add(new ComparisonSummary(
                        metric.field(), cases, absolute / cases, signed / cases, worst, worstCase, inside));
            }
        }
        return summaries;
    }

    private static OptionalDouble error(Metric metric, Comparison comparison) {
        return comparison.line(metric).isEmpty()
                ? OptionalDouble.empty()
                : metric.unit() == Unit.PERCENT
                        ? OptionalDouble.of(
                                comparison.line(metric).orElseThrow().error())
                        : comparison.line(metric).orElseThrow().errorPct();
    }
}
