package dev.warmroute.simulator.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Mean and interval of a policy's rows over seeds. */
final class SeedStatistics {
    /** What the intervals are. */
    static final String DESCRIPTION = "95 % confidence interval of the mean over the seeds (Student's t); a figure that no seed"
            + " changes has both ends equal";

    /** 97.5th percentile of Student's t by degrees of freedom, from 1. */
    private static final double[] T975 = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
        2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static final double T975_MANY = 1.960;

    private final List<PolicyRow> rows;
    private final SortedMap<String, Interval> intervals = new TreeMap<>();
    private final int seeds;

    private SeedStatistics(List<PolicyRow> rows, int seeds) {
        this.rows = rows;
        this.seeds = seeds;
    }

    /**
     * Returns the mean row, with intervals when there is more than one seed.
     *
     * @param rows one a seed, or a single one that stands for all
     */
    static PolicyRow of(List<PolicyRow> rows, int seeds) {
        return new SeedStatistics(rows, seeds).mean();
    }

    private PolicyRow mean() {
        PolicyRow first = rows.get(0);
        long prompt = count(PolicyRow::promptTokens);
        OptionalLong cached = first.cachedTokens().isPresent()
                ? OptionalLong.of(count(r -> r.cachedTokens().orElse(0)))
                : OptionalLong.empty();
        SortedMap<String, Long> misses = shares(PolicyRow::misses, Math.max(0, prompt - cached.orElse(0)));
        long requests = count(PolicyRow::requests);
        OptionalDouble preemptions = metric(
                "preemptions",
                r -> r.preemptions().isPresent()
                        ? OptionalDouble.of(r.preemptions().getAsLong())
                        : OptionalDouble.empty());
        PolicyRow mean = new PolicyRow(
                first.policy(),
                requests,
                prompt,
                cached,
                metric("hit_pct", PolicyRow::hitPct),
                metric("output_tokens_per_min", PolicyRow::outputTokensPerMin),
                metric("ttft_p50_s", PolicyRow::ttftP50S),
                metric("ttft_p95_s", PolicyRow::ttftP95S),
                metric("replicas_busy", PolicyRow::replicasBusy),
                metric("stayed_pct", PolicyRow::stayedPct),
                preemptions.isPresent() ? OptionalLong.of(Math.round(preemptions.getAsDouble())) : OptionalLong.empty(),
                metric("session_p50_s", PolicyRow::sessionP50S),
                metric("session_p95_s", PolicyRow::sessionP95S),
                first.unfinishedSessions().isPresent()
                        ? OptionalLong.of(count(r -> r.unfinishedSessions().orElse(0)))
                        : OptionalLong.empty(),
                intervals,
                misses,
                shares(PolicyRow::kinds, requests));
        return first.externalHits().isEmpty()
                ? mean
                : mean.withExternal(count(r -> r.externalQueries().orElse(0)), count(r -> r.externalHits().orElse(0)));
    }

    private long count(ToLongFunction<PolicyRow> figure) {
        return Math.round((double) rows.stream().mapToLong(figure).sum() / rows.size());
    }

    /** Mean over the seeds that have the figure; notes its interval. */
    private OptionalDouble metric(String name, Function<PolicyRow, OptionalDouble> figure) {
        double[] values = rows.stream()
                .map(figure)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double sum = 0;
        for (double v : values) {
            sum += v;
        }
        double mean = sum / values.length;
        interval(values, mean).ifPresent(i -> intervals.put(name, i));
        return OptionalDouble.of(mean);
    }

    private Optional<Interval> interval(double[] values, double mean) {
        if (seeds == 1) {
            return Optional.empty();
        }
        if (rows.size() == 1) {
            return Optional.of(new Interval(mean, mean));
        }
        if (values.length < 2) {
            return Optional.empty();
        }
        double squares = 0;
        for (double v : values) {
            squares += (v - mean) * (v - mean);
        }
        int freedom = values.length - 1;
        double t = freedom <= T975.length ? T975[freedom - 1] : T975_MANY;
        double half = t * Math.sqrt(squares / freedom / values.length);
        return Optional.of(new Interval(mean - half, mean + half));
    }

    /**
     * Means of counts that belong together, rounded so that they sum to {@code total}: whole parts first, then the largest
     * remainders, the first name on ties.
     */
    private SortedMap<String, Long> shares(Function<PolicyRow, SortedMap<String, Long>> figure, long total) {
        TreeMap<String, Long> sums = new TreeMap<>();
        for (PolicyRow row : rows) {
            figure.apply(row).forEach((name, count) -> sums.merge(name, count, Long::sum));
        }
        TreeMap<String, Long> means = new TreeMap<>();
        long left = total;
        for (Map.Entry<String, Long> e : sums.entrySet()) {
            means.put(e.getKey(), e.getValue() / rows.size());
            left -= e.getValue() / rows.size();
        }
        List<String> byRemainder = new ArrayList<>(new TreeSet<>(sums.keySet()));
        byRemainder.sort((a, b) -> Long.compare(sums.get(b) % rows.size(), sums.get(a) % rows.size()));
        for (int i = 0; i < byRemainder.size() && left > 0; i++, left--) {
            means.merge(byRemainder.get(i), 1L, Long::sum);
        }
        return means;
    }
}
