package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.compare.WarmWorth.Step;
import dev.warmroute.simulator.replay.Quantiles;
import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Sums up the replays with so many warm prompts against those without, seed by seed. */
final class WarmStep {
    private static final int RESAMPLES = 1_000;
    private static final long STREAM = 0x2545F4914F6CDD1DL;

    private long gained;
    private long displaced;
    private double waitSaved;
    /** Of first turns, one by one. */
    private final DoubleArrayList saved = new DoubleArrayList();

    private WarmStep() {}

    /** @param without of the same seeds, in the same order */
    static Step of(int prompts, List<WarmSample> with, List<WarmSample> without) {
        WarmStep[] seeds = new WarmStep[with.size()];
        DoubleArrayList firstTtft = new DoubleArrayList();
        long cached = 0;
        long all = 0;
        for (int s = 0; s < seeds.length; s++) {
            WarmStep seed = new WarmStep();
            WarmSample now = with.get(s);
            WarmSample before = without.get(s);
            now.with(before, (i, j) -> seed.pair(now, i, before, j));
            for (int i = 0; i < now.requests(); i++) {
                cached += now.cached(i);
                all += now.prompt(i);
                if (now.first(i)) {
                    firstTtft.add(now.ttftSeconds(i));
                }
            }
            seeds[s] = seed;
        }
        Quantiles first = Quantiles.of(firstTtft.toDoubleArray());
        double net = mean(seeds, s -> s.gained - s.displaced);
        double reusable = with.stream()
                .mapToLong(w -> w.cost().reusableTokens())
                .average()
                .orElse(0);
        double[] nets = new double[seeds.length];
        Arrays.setAll(
                nets,
                s -> seeds[s].gained - seeds[s].displaced - with.get(s).cost().reusableTokens());
        double[] units = units(seeds);
        OptionalDouble savedS = Arrays.stream(units).average();
        return new Step(
                prompts,
                (double) firstTtft.size() / seeds.length,
                first.mean(),
                first.at(0.5),
                first.at(0.95),
                all == 0 ? 0 : 100.0 * cached / all,
                net,
                mean(seeds, s -> s.displaced),
                with.stream()
                        .mapToLong(w -> w.cost().computedTokens())
                        .average()
                        .orElse(0),
                reusable,
                with.stream().mapToLong(w -> w.cost().keptTokens()).average().orElse(0),
                net - reusable,
                interval(nets, net - reusable),
                with.stream()
                        .mapToDouble(w -> w.cost().lastNanos() * 1e-9)
                        .average()
                        .orElse(0),
                savedS,
                savedS.isPresent() ? interval(units, savedS.getAsDouble()) : Optional.empty(),
                mean(seeds, s -> s.waitSaved));
    }

    private void pair(WarmSample now, int i, WarmSample before, int j) {
        int more = now.cached(i) - before.cached(j);
        gained += Math.max(0, more);
        displaced += Math.max(0, -more);
        double quicker = before.ttftSeconds(j) - now.ttftSeconds(i);
        waitSaved += quicker;
        if (now.first(i)) {
            saved.add(quicker);
        }
    }

    /** What is drawn again and again: the seeds, each of which made or placed requests anew; of a single one its first turns. */
    private static double[] units(WarmStep[] seeds) {
        if (seeds.length == 1) {
            return seeds[0].saved.toDoubleArray();
        }
        return Arrays.stream(seeds)
                .map(s -> s.saved.doubleStream().average())
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
    }

    /** Of the mean of units that are drawn anew; none of fewer than two. */
    private static Optional<Interval> interval(double[] units, double at) {
        SplittableRandom random = new SplittableRandom(STREAM);
        double[] means = new double[RESAMPLES];
        for (int b = 0; b < RESAMPLES; b++) {
            double sum = 0;
            for (int i = 0; i < units.length; i++) {
                sum += units[random.nextInt(units.length)];
            }
            means[b] = sum / units.length;
        }
        return ExpandedPercentile.of(means, at, units.length);
    }

    private static double mean(WarmStep[] seeds, ToDoubleFunction<WarmStep> value) {
        return Arrays.stream(seeds).mapToDouble(value).average().orElse(0);
    }
}
