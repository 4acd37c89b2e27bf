package dev.warmroute.simulator.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.ExpandedPercentile;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.load.BenchFile.Request;
import dev.warmroute.simulator.load.BenchFile.Wave;
import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Two files of the same benchmark, one cold and one warm.
 *
 * @param model name of the model
 * @param prompts name of the prompts
 * @param cold tag of the first file
 * @param warm tag of the second
 * @param rows by concurrency, as far as both files have it
 * @param only concurrencies that only one of them has, which are left out
 * @param left rows without a complete answer in both files, which are left out
 * @param intervals what the intervals are, in words
 */
public record BenchComparison(
        String model,
        String prompts,
        String cold,
        String warm,
        List<Row> rows,
        List<Integer> only,
        int left,
        String intervals) {
    private static final int RESAMPLES = 2_000;
    private static final long STREAM = 0x3C79AC492BA7B653L;
    private static final String INTERVALS = "95 %, bootstrap of " + RESAMPLES
            + " resamples of the waves of each file, widened for few waves, none from a single one";

    public BenchComparison {
        rows = List.copyOf(rows);
        only = List.copyOf(only);
    }

    /**
     * One concurrency.
     *
     * @param speedUp mean time to first token, cold over warm
     */
    public record Row(int concurrency, Side cold, Side warm, double speedUp, Optional<Interval> speedUpInterval) {}

    /**
     * The figures of a file; times in seconds.
     *
     * @param waves how many times so many requests were sent together
     * @param hitPct cached prompt tokens, in percent; empty when the file does not say
     */
    public record Side(
            int waves,
            int requests,
            @JsonProperty("ttft_mean_s") double ttftMeanS,
            Optional<Interval> ttftMeanInterval,
            @JsonProperty("ttft_p50_s") double ttftP50S,
            @JsonProperty("ttft_p95_s") double ttftP95S,
            @JsonProperty("latency_mean_s") OptionalDouble latencyMeanS,
            OptionalDouble tokensPerS,
            OptionalDouble hitPct) {}

    /** @throws UserError with row and column if they are not of the same model, prompts and settings */
    public static BenchComparison of(BenchFile cold, BenchFile warm) {
        requireFit(cold, warm);
        TreeSet<Integer> both = levels(cold);
        TreeSet<Integer> only = levels(cold);
        only.addAll(levels(warm));
        both.retainAll(levels(warm));
        only.removeAll(both);
        if (both.isEmpty()) {
            throw new UserError(cold.name() + " and " + warm.name() + " have no concurrency in common: " + levels(cold)
                    + " and " + levels(warm));
        }
        List<Row> rows =
                both.stream().map(c -> row(c, of(cold, c), of(warm, c))).toList();
        return new BenchComparison(
                cold.facts().getOrDefault("model_id", ""),
                cold.facts().getOrDefault("prompt_set", ""),
                cold.tag(),
                warm.tag(),
                rows,
                List.copyOf(only),
                cold.left() + warm.left(),
                INTERVALS);
    }

    /** The rows as CSV, with a header; times in seconds, nothing where there is no value. */
    public String csv() {
        StringBuilder text =
                new StringBuilder("concurrency,cold_requests,warm_requests,cold_ttft_mean_s,cold_low_s,cold_high_s,"
                        + "warm_ttft_mean_s,warm_low_s,warm_high_s,speed_up,speed_up_low,speed_up_high\n");
        for (Row r : rows) {
            text.append(r.concurrency)
                    .append(',')
                    .append(r.cold.requests)
                    .append(',')
                    .append(r.warm.requests)
                    .append(cells(r.cold.ttftMeanS, r.cold.ttftMeanInterval))
                    .append(cells(r.warm.ttftMeanS, r.warm.ttftMeanInterval))
                    .append(cells(r.speedUp, r.speedUpInterval))
                    .append('\n');
        }
        return text.toString();
    }

    private static String cells(double value, Optional<Interval> interval) {
        return String.format(Locale.ROOT, ",%.6f", value)
                + interval.map(i -> String.format(Locale.ROOT, ",%.6f,%.6f", i.low(), i.high()))
                        .orElse(",,");
    }

    private static void requireFit(BenchFile cold, BenchFile warm) {
        for (String column : BenchFile.SAME) {
            String a = cold.facts().get(column);
            String b = warm.facts().get(column);
            boolean tag = column.equals("tag");
            if (a == null || b == null) {
                continue; // vllm-mlx has not all of them
            }
            if (tag && a.equals(b)) {
                throw new UserError(warm.place() + ": tag is '" + b + "' as in " + cold.place()
                        + ": the two runs must be told apart; run one with another --tag");
            }
            if (!tag && !a.equals(b)) {
                throw new UserError(warm.place() + ": " + column + " is '" + b + "', but " + cold.place() + " has '" + a
                        + "': the files do not fit together");
            }
        }
    }

    private static TreeSet<Integer> levels(BenchFile file) {
        TreeSet<Integer> levels = new TreeSet<>();
        file.waves().forEach(w -> levels.add(w.concurrency()));
        return levels;
    }

    private static List<Wave> of(BenchFile file, int concurrency) {
        return file.waves().stream().filter(w -> w.concurrency() == concurrency).toList();
    }

    private static Row row(int concurrency, List<Wave> cold, List<Wave> warm) {
        double[] ofCold = resampled(cold, concurrency);
        double[] ofWarm = resampled(warm, -concurrency);
        double[] ratios = new double[RESAMPLES];
        for (int b = 0; b < RESAMPLES; b++) {
            ratios[b] = ofCold[b] / ofWarm[b];
        }
        Side c = side(cold, ofCold);
        Side w = side(warm, ofWarm);
        double speedUp = c.ttftMeanS / w.ttftMeanS;
        return new Row(
                concurrency, c, w, speedUp, ExpandedPercentile.of(ratios, speedUp, Math.min(cold.size(), warm.size())));
    }

    /** Mean times to first token of as many waves, drawn with replacement. */
    private static double[] resampled(List<Wave> waves, int stream) {
        double[] sums = waves.stream().mapToDouble(w -> sum(w, Request::ttftS)).toArray();
        double[] means = new double[RESAMPLES];
        SplittableRandom random = new SplittableRandom(STREAM + stream);
        for (int b = 0; b < RESAMPLES; b++) {
            double sum = 0;
            long n = 0;
            for (int i = 0; i < sums.length; i++) {
                int drawn = random.nextInt(sums.length);
                sum += sums[drawn];
                n += waves.get(drawn).requests().size();
            }
            means[b] = sum / n;
        }
        return means;
    }

    private static double sum(Wave wave, ToDoubleFunction<Request> value) {
        return wave.requests().stream().mapToDouble(value).sum();
    }

    private static Side side(List<Wave> waves, double[] replicates) {
        List<Request> all = waves.stream().flatMap(w -> w.requests().stream()).toList();
        Quantiles ttft = Quantiles.of(all.stream().mapToDouble(Request::ttftS).toArray());
        double mean = ttft.mean().orElseThrow();
        List<Request> told = all.stream()
                .filter(r -> r.promptTokens().isPresent() && r.cachedTokens().isPresent())
                .toList();
        double prompt =
                told.stream().mapToDouble(r -> r.promptTokens().getAsDouble()).sum();
        double cached =
                told.stream().mapToDouble(r -> r.cachedTokens().getAsDouble()).sum();
        return new Side(
                waves.size(),
                all.size(),
                mean,
                ExpandedPercentile.of(replicates, mean, waves.size()),
                ttft.at(0.5).orElseThrow(),
                ttft.at(0.95).orElseThrow(),
                mean(all, Request::latencyS),
                mean(waves.stream().map(w -> w.requests().get(0)).toList(), Request::throughputTps),
                prompt == 0 ? OptionalDouble.empty() : OptionalDouble.of(100 * cached / prompt));
    }

    private static OptionalDouble mean(List<Request> requests, Function<Request, OptionalDouble> value) {
        List<Double> known = new ArrayList<>();
        requests.forEach(r -> value.apply(r).ifPresent(known::add));
        return known.stream().mapToDouble(Double::doubleValue).average();
    }
}
