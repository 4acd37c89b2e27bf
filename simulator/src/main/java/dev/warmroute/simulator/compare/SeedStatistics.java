package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.replay.MissCause;
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
    private final List<PolicyRow> rows;
    private final List<Sample> samples;
    private final Replicates replicates;
    private final int policy;

    private SeedStatistics(List<PolicyRow> rows, List<Sample> samples, Replicates replicates, int policy) {
        this.rows = rows;
        this.samples = samples;
        this.replicates = replicates;
        this.policy = policy;
    }

    /**
     * Returns the mean row with its intervals.
     *
     * @param rows one a seed, or a single one that stands for all
     * @param samples the same replays
     * @param policy number of the policy among the replicates
     */
    static PolicyRow of(List<PolicyRow> rows, List<Sample> samples, Replicates replicates, int policy) {
        return new SeedStatistics(rows, samples, replicates, policy).mean();
    }

    private PolicyRow mean() {
        PolicyRow first = rows.get(0);
        long prompt = count(PolicyRow::promptTokens);
        OptionalLong cached = first.cachedTokens().isPresent()
                ? OptionalLong.of(count(r -> r.cachedTokens().orElse(0)))
                : OptionalLong.empty();
        SortedMap<String, Long> misses = shares(PolicyRow::misses, Math.max(0, prompt - cached.orElse(0)));
        long requests = count(PolicyRow::requests);
        PolicyRow mean = new PolicyRow(
                first.policy(),
                requests,
                prompt,
                cached,
                mean(PolicyRow::hitPct),
                mean(PolicyRow::outputTokensPerMin),
                mean(PolicyRow::ttftP50S),
                mean(PolicyRow::ttftP95S),
                mean(PolicyRow::replicasBusy),
                mean(PolicyRow::stayedPct),
                first.preemptions().isPresent()
                        ? OptionalLong.of(count(r -> r.preemptions().orElse(0)))
                        : OptionalLong.empty(),
                mean(PolicyRow::sessionP50S),
                mean(PolicyRow::sessionP95S),
                first.unfinishedSessions().isPresent()
                        ? OptionalLong.of(count(r -> r.unfinishedSessions().orElse(0)))
                        : OptionalLong.empty(),
                intervals(),
                misses,
                shares(PolicyRow::kinds, requests),
                OptionalLong.empty(),
                OptionalLong.empty(),
                replicates.value(policy, Sample.ofFigure(Figure.SESSION_FAIRNESS)),
                first.overflows().isPresent()
                        ? Optional.of(Overflows.mean(rows.stream()
                                .map(PolicyRow::overflows)
                                .flatMap(Optional::stream)
                                .toList()))
                        : Optional.empty(),
                byReplica(),
                byTurn());
        return first.externalHits().isEmpty()
                ? mean
                : mean.withExternal(
                        count(r -> r.externalQueries().orElse(0)),
                        count(r -> r.externalHits().orElse(0)));
    }

    private long count(ToLongFunction<PolicyRow> figure) {
        return Math.round((double) rows.stream().mapToLong(figure).sum() / rows.size());
    }

    /** Mean over the seeds that have the figure. */
    private OptionalDouble mean(Function<PolicyRow, OptionalDouble> figure) {
        return rows.stream()
                .map(figure)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }

    private SortedMap<String, Interval> intervals() {
        SortedMap<String, Interval> intervals = new TreeMap<>();
        for (Figure figure : Figure.values()) {
            replicates
                    .interval(policy, Sample.ofFigure(figure))
                    .ifPresent(i -> intervals.put(figure.wireName(), figure.possible(i)));
        }
        for (MissCause cause : MissCause.values()) {
            int at = Sample.ofCause(cause);
            if (replicates.value(policy, at).orElse(0) > 0) {
                replicates
                        .interval(policy, at)
                        .ifPresent(i -> intervals.put(Sample.ofMisses(cause), i.within(0, Double.POSITIVE_INFINITY)));
            }
        }
        return intervals;
    }

    private List<GroupRow> byReplica() {
        List<GroupRow> groups = new ArrayList<>();
        for (int r = 0; r < samples.get(0).replicas(); r++) {
            int replica = r;
            groups.add(group("r" + r, s -> s.replica(replica), Sample.ofReplica(r)));
        }
        return groups;
    }

    private List<GroupRow> byTurn() {
        List<GroupRow> groups = new ArrayList<>();
        for (int t = 0; t < TurnBucket.COUNT; t++) {
            int bucket = t;
            if (samples.stream().anyMatch(s -> s.turn(bucket).requests() > 0)) {
                groups.add(group(
                        TurnBucket.name(t),
                        s -> s.turn(bucket),
                        Sample.ofTurn(samples.get(0).replicas(), t)));
            }
        }
        return groups;
    }

    private GroupRow group(String name, Function<Sample, Slice> slice, int at) {
        SortedMap<String, Interval> intervals = new TreeMap<>();
        List<Figure> figures = List.of(Figure.HIT_PCT, Figure.TTFT_P50_S, Figure.TTFT_P95_S);
        for (int i = 0; i < figures.size(); i++) {
            Figure figure = figures.get(i);
            replicates
                    .interval(policy, at + i)
                    .ifPresent(interval -> intervals.put(figure.wireName(), figure.possible(interval)));
        }
        return new GroupRow(
                name,
                mean(slice, Slice::requests),
                mean(slice, Slice::promptTokens),
                mean(slice, Slice::cachedTokens),
                replicates.value(policy, at),
                replicates.value(policy, at + 1),
                replicates.value(policy, at + 2),
                intervals);
    }

    private long mean(Function<Sample, Slice> slice, ToLongFunction<Slice> count) {
        return Math.round(samples.stream().map(slice).mapToLong(count).average().orElse(0));
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
