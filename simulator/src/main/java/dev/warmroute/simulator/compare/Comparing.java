package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.compare.PolicyComparison.Against;
import dev.warmroute.simulator.compare.PolicyComparison.Difference;
import dev.warmroute.simulator.compare.PolicyComparison.Ranking;
import dev.warmroute.simulator.compare.PolicyComparison.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Holds policies against each other, replicate by replicate. */
final class Comparing {
    private static final int BASELINE = 0;

    private final List<PolicyRow> policies;
    private final Replicates replicates;

    private Comparing(List<PolicyRow> policies, Replicates replicates) {
        this.policies = policies;
        this.replicates = replicates;
    }

    static PolicyComparison of(List<PolicyRow> policies, Replicates replicates) {
        Comparing comparing = new Comparing(policies, replicates);
        return new PolicyComparison(
                policies.get(BASELINE).policy(),
                replicates.resamples(),
                IntStream.range(1, policies.size()).mapToObj(comparing::against).toList(),
                Figure.ranked().stream()
                        .filter(comparing::known)
                        .map(comparing::ranking)
                        .toList());
    }

    private Against against(int policy) {
        SortedMap<String, Difference> differences = new TreeMap<>();
        for (Figure figure : Figure.values()) {
            int at = Sample.ofFigure(figure);
            OptionalDouble own = replicates.value(policy, at);
            OptionalDouble base = replicates.value(BASELINE, at);
            if (own.isPresent() && base.isPresent()) {
                differences.put(
                        figure.wireName(),
                        Difference.of(
                                own.getAsDouble() - base.getAsDouble(), replicates.difference(policy, BASELINE, at)));
            }
        }
        return new Against(policies.get(policy).policy(), differences);
    }

    private boolean known(Figure figure) {
        return IntStream.range(0, policies.size())
                .allMatch(p -> replicates.value(p, Sample.ofFigure(figure)).isPresent());
    }

    private Ranking ranking(Figure figure) {
        int at = Sample.ofFigure(figure);
        boolean higher = figure.better() == Figure.Better.HIGHER;
        boolean varies = replicates.varies(at);
        double[] best = replicates.best(at, higher);
        double[] regret = replicates.regret(at, higher);
        List<Standing> standings = new ArrayList<>();
        for (int p = 0; p < policies.size(); p++) {
            standings.add(new Standing(
                    policies.get(p).policy(),
                    replicates.value(p, at).orElseThrow(),
                    varies ? OptionalDouble.of(100 * best[p]) : OptionalDouble.empty(),
                    varies ? OptionalDouble.of(regret[p]) : OptionalDouble.empty()));
        }
        Comparator<Standing> byValue = Comparator.comparingDouble(Standing::value);
        standings.sort(higher ? byValue.reversed() : byValue);
        return new Ranking(figure.wireName(), standings);
    }
}
