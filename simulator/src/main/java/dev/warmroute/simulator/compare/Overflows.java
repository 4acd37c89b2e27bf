package dev.warmroute.simulator.compare;

import dev.warmroute.router.event.Kind;
import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The price of overflows, in tokens that were computed again because a conversation was sent elsewhere for a turn: those of
 * that turn which its last replica had computed, and, when the next turn goes somewhere else again (home, as a rule), those
 * of the next turn which were computed where the overflow went. A next turn that overflows itself pays for itself.
 *
 * @param count turns of kind {@code overflow}
 * @param reprefilledTokens their price, summed
 * @param p50Tokens median price of one; empty when there was none
 * @param p95Tokens its 95th percentile
 * @param maxTokens dearest one
 */
public record Overflows(
        long count,
        long reprefilledTokens,
        OptionalDouble p50Tokens,
        OptionalDouble p95Tokens,
        OptionalDouble maxTokens) {

    /** Prices the overflows of one replay. */
    static Overflows of(Outcome outcome) {
        RequestLog log = outcome.requests();
        long[] prices = new long[log.size()];
        int count = 0;
        int[] open =
                new int[log.conversations()]; // by conversation: its overflow that no turn has followed yet, plus 1
        for (int r = 0; r < log.size(); r++) {
            if (!log.wasSent(r) || log.conversation(r) < 0) {
                continue;
            }
            int before = open[log.conversation(r)];
            open[log.conversation(r)] = 0;
            if (log.kind(r) == Kind.OVERFLOW && outcome.counts(r)) {
                prices[count++] = log.missed(r, MissCause.MOVED);
                open[log.conversation(r)] = count;
            } else if (before > 0) {
                prices[before - 1] += log.missed(r, MissCause.MOVED);
            }
        }
        long sum = 0;
        double[] each = new double[count];
        for (int i = 0; i < count; i++) {
            each[i] = prices[i];
            sum += prices[i];
        }
        Quantiles quantiles = Quantiles.of(each);
        return new Overflows(count, sum, quantiles.at(0.5), quantiles.at(0.95), quantiles.at(1));
    }

    /** Means over seeds; the quantiles over those that had overflows. */
    static Overflows mean(List<Overflows> seeds) {
        return new Overflows(
                Math.round(seeds.stream().mapToLong(Overflows::count).average().orElse(0)),
                Math.round(seeds.stream()
                        .mapToLong(Overflows::reprefilledTokens)
                        .average()
                        .orElse(0)),
                mean(seeds.stream().map(Overflows::p50Tokens).toArray(OptionalDouble[]::new)),
                mean(seeds.stream().map(Overflows::p95Tokens).toArray(OptionalDouble[]::new)),
                mean(seeds.stream().map(Overflows::maxTokens).toArray(OptionalDouble[]::new)));
    }

    private static OptionalDouble mean(OptionalDouble[] values) {
        return Arrays.stream(values)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }
}
