package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.compare.PolicyComparison.Difference;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A what-if with its resamples: for what its answer does not say of itself. Policies are named by their place in it. */
public final class Study {
    private final WhatIfResult result;
    private final Replicates replicates;

    Study(WhatIfResult result, Replicates replicates) {
        this.result = Objects.requireNonNull(result, "result");
        this.replicates = Objects.requireNonNull(replicates, "replicates");
    }

    public WhatIfResult result() {
        return result;
    }

    /** Whether a figure is resampled: {@link Figure}s by field name, causes of misses as {@code misses.CAUSE}. */
    public static boolean resamples(String field) {
        return Sample.named(field).isPresent();
    }

    /** A policy's figure with its 95 % interval; empty where there is none, or it is not resampled. */
    public Optional<Difference> figure(int policy, String field) {
        OptionalInt at = Sample.named(field);
        return at.isPresent() && replicates.value(policy, at.getAsInt()).isPresent()
                ? Optional.of(Difference.of(
                        replicates.value(policy, at.getAsInt()).getAsDouble(),
                        replicates.interval(policy, at.getAsInt()).map(i -> possible(field, i))))
                : Optional.empty();
    }

    /** As the rows have it: no figure is negative, and no share is more than the whole. */
    private static Interval possible(String field, Interval interval) {
        return Stream.of(Figure.values())
                .filter(f -> f.wireName().equals(field))
                .findFirst()
                .map(f -> f.possible(interval))
                .orElseGet(() -> interval.within(0, Double.POSITIVE_INFINITY));
    }

    /** A policy's figure less so many times that of another one, paired; empty where either has none. */
    public Optional<Difference> difference(int policy, int baseline, String field, double times) {
        Optional<Difference> own = figure(policy, field);
        Optional<Difference> base = figure(baseline, field);
        return own.isPresent() && base.isPresent()
                ? Optional.of(Difference.of(
                        own.get().difference() - times * base.get().difference(),
                        replicates.difference(
                                policy, baseline, Sample.named(field).getAsInt(), times)))
                : Optional.empty();
    }
}
