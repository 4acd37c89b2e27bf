package dev.warmroute.simulator.validate;

import dev.warmroute.router.policy.Policies;
import java.util.List;
import java.util.Locale;

/** Cells of equal sessions under affinity and at random: does the prediction know which is better? */
final class CellPairs {
    private int count;
    private int hit;
    private int output;
    private int firstByte;

    CellPairs(List<FleetResult.Cell> cells) {
        for (FleetResult.Cell w : cells) {
            for (FleetResult.Cell r : cells) {
                if (w.policy().equals(Policies.WARDEN.policyName())
                        && r.policy().equals(RandomCells.POLICY)
                        && w.sessions() == r.sessions()) {
                    count++;
                    hit += same(w.hitMeasuredPct() - r.hitMeasuredPct(), w.hitPredictedPct() - r.hitPredictedPct());
                    output += same(w.outputMeasured() - r.outputMeasured(), w.outputPredicted() - r.outputPredicted());
                    firstByte += same(
                            w.ttfbP50MeasuredS() - r.ttfbP50MeasuredS(), w.ttfbP50PredictedS() - r.ttfbP50PredictedS());
                }
            }
        }
    }

    private static int same(double measured, double predicted) {
        return Math.signum(measured) == Math.signum(predicted) ? 1 : 0;
    }

    int count() {
        return count;
    }

    FleetResult.Signs signs() {
        return new FleetResult.Signs(hit, output, firstByte);
    }

    void complain(List<String> complaints) {
        if (hit < count || output < count || firstByte < count) {
            complaints.add(String.format(
                    Locale.ROOT,
                    "the sign of affinity - random is wrong in some of %d pairs: right for hits in %d, output in %d,"
                            + " median TTFB in %d",
                    count,
                    hit,
                    output,
                    firstByte));
        }
    }
}
