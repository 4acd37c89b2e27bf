package dev.warmroute.simulator.validate;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What is compared of a cell.
 *
 * @param hitPct prompt tokens found cached, in percent
 * @param outputPerMinute generated tokens a minute, from the start of the cell to its last byte
 * @param firstByteP50 median time from the client's send to the first byte, in seconds
 */
record CellFigures(double hitPct, double outputPerMinute, double firstByteP50) {
    private static final double SECOND = 1e9;

    static CellFigures of(Outcome outcome) {
        RequestLog log = outcome.requests();
        long prompt = 0;
        long cached = 0;
        long output = 0;
        double[] first = new double[log.size()];
        for (int r = 0; r < log.size(); r++) {
            prompt += log.promptTokens(r);
            cached += log.cachedTokens(r);
            output += log.produced(r);
            first[r] = (log.first(r) - log.sent(r)) / SECOND;
        }
        return new CellFigures(
                100.0 * cached / prompt,
                output * 60 * SECOND / outcome.endNanos(),
                Quantiles.of(first).at(0.5).orElse(0));
    }

    static CellFigures mean(List<CellFigures> runs) {
        return new CellFigures(
                mean(runs, CellFigures::hitPct),
                mean(runs, CellFigures::outputPerMinute),
                mean(runs, CellFigures::firstByteP50));
    }

    private static double mean(List<CellFigures> runs, ToDoubleFunction<CellFigures> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }
}
