package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaView;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * One number a replica, NaN for those that are not asked, and the ways of taking the best. Which way a tie goes is part of a
 * policy: each method says it.
 */
final class Scores {
    /** A replica that was drawn. */
    record Drawn(int replica, double propensity) {}

    private final double[] values;

    private Scores(double[] values) {
        this.values = values;
    }

    /** A formula's value of each eligible replica. */
    static Scores of(FleetView fleet, ToDoubleFunction<ReplicaView> formula) {
        return among(fleet, r -> true, formula);
    }

    /** A formula's value of the eligible replicas that also meet a condition. */
    static Scores among(FleetView fleet, Predicate<ReplicaView> condition, ToDoubleFunction<ReplicaView> formula) {
        double[] values = new double[fleet.size()];
        for (int i = 0; i < values.length; i++) {
            ReplicaView r = fleet.replica(i);
            values[i] = r.eligible() && condition.test(r) ? formula.applyAsDouble(r) : Double.NaN;
        }
        return new Scores(values);
    }

    double[] values() {
        return values;
    }

    double at(int replica) {
        return values[replica];
    }

    /** Whether nobody was asked. */
    boolean none() {
        return least() == FleetView.NONE;
    }

    /** The smallest, the lowest index on ties. */
    int least() {
        return leastFrom(0);
    }

    /** The largest, the lowest index on ties. */
    int most() {
        return negated().least();
    }

    /** The smallest; ties go to the first from an index on, round the end. */
    int leastFrom(int start) {
        int best = FleetView.NONE;
        for (int i = 0; i < values.length; i++) {
            int r = (start + i) % values.length;
            if (!Double.isNaN(values[r]) && (best == FleetView.NONE || values[r] < values[best])) {
                best = r;
            }
        }
        return best;
    }

    /** The smallest; ties go to the smaller value of another score, then to the lowest index. */
    int least(FleetView fleet, ToDoubleFunction<ReplicaView> tie) {
        int least = least();
        return least == FleetView.NONE ? least : ties(fleet, values[least], tie).least();
    }

    /** The smallest; ties go to the smaller of two further scores in turn, then to the lowest index. */
    int least(FleetView fleet, ToDoubleFunction<ReplicaView> tie, ToDoubleFunction<ReplicaView> secondTie) {
        int least = least();
        return least == FleetView.NONE ? least : ties(fleet, values[least], tie).least(fleet, secondTie);
    }

    /** The largest; ties go to the smaller of further scores in turn, then to the lowest index. */
    int most(FleetView fleet, ToDoubleFunction<ReplicaView> tie, ToDoubleFunction<ReplicaView> secondTie) {
        return negated().least(fleet, tie, secondTie);
    }

    /** The largest; ties go to the smaller value of another score, then to the lowest index. */
    int most(FleetView fleet, ToDoubleFunction<ReplicaView> tie) {
        return negated().least(fleet, tie);
    }

    /** The smallest; one of those that tie, each as likely, drawn from a seed. */
    Drawn leastDrawn(long seed) {
        int least = least();
        if (least == FleetView.NONE) {
            return new Drawn(least, 1);
        }
        int n = 0;
        for (double value : values) {
            n += value == values[least] ? 1 : 0;
        }
        int left = n == 1 ? 0 : new SplittableRandom(seed).nextInt(n);
        int drawn = least;
        for (int r = 0; r < values.length; r++) {
            if (values[r] == values[least] && left-- == 0) {
                drawn = r;
            }
        }
        return new Drawn(drawn, 1.0 / n);
    }

    /** The largest; one of those that tie, each as likely, drawn from a seed. */
    Drawn mostDrawn(long seed) {
        return negated().leastDrawn(seed);
    }

    private Scores ties(FleetView fleet, double value, ToDoubleFunction<ReplicaView> tie) {
        double[] tied = new double[values.length];
        for (int r = 0; r < tied.length; r++) {
            tied[r] = values[r] == value ? tie.applyAsDouble(fleet.replica(r)) : Double.NaN;
        }
        return new Scores(tied);
    }

    private Scores negated() {
        double[] negated = new double[values.length];
        for (int r = 0; r < negated.length; r++) {
            negated[r] = -values[r];
        }
        return new Scores(negated);
    }
}
