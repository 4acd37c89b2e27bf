package dev.warmroute.simulator.validate;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.capacity.Demand;
import dev.warmroute.simulator.capacity.Rule;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.kv.CsvTable;
import dev.warmroute.simulator.kv.KvCapacity;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.RooflineLaw;
import dev.warmroute.simulator.timing.StepTimeLaw;
import dev.warmroute.simulator.validate.PublishedResult.Knee;
import dev.warmroute.simulator.validate.PublishedResult.Machine;
import dev.warmroute.simulator.validate.PublishedResult.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Holds the simulator against measurements that others published: an RTX 5090 (openinfer's benchmark notes: time to first
 * token by prompt length, cold and fully cached; open loop of 1,024 tokens in and 128 out by requests a second) and the L4 of
 * Momento's "concurrency cliff" (10,000 shared tokens, 12 turns of about 1,000; 12 sessions are fine, 14 are not).
 */
public final class PublishedCheck {
    static final String TTFT_FILE = "rtx5090-qwen3-4b-ttft.csv";
    static final String OPEN_LOOP_FILE = "rtx5090-qwen3-4b-qps.csv";

    private static final int PROMPT = 1024;
    private static final int OUTPUT = 128;
    private static final int REQUESTS = 1500;
    /** Offered load at which the published run was saturated: what it served then is what it can serve. */
    private static final double SATURATED_QPS = 16;

    private static final int CLIFF_FINE = 12;
    private static final int CLIFF_OVER = 14;
    /** Published 99th percentiles of the time to first token, in seconds. */
    private static final Map<Integer, Double> CLIFF_P99_S = Map.of(CLIFF_FINE, 2.6, CLIFF_OVER, 39.0);

    private static final double CLIFF_SECONDS = 600;

    private final Path directory;
    private final int seeds;
    private final Tolerance tolerance;

    /**
     * What is still accepted.
     *
     * @param ttftPct error of a time to first token below saturation, percent
     * @param saturationPct error of the requests a second at saturation, percent
     */
    public record Tolerance(double ttftPct, double saturationPct) {
        public static final Tolerance DEFAULT = new Tolerance(12, 5);
    }

    /**
     * @param directory holds the RTX 5090 tables
     * @param seeds simulated runs of each load, at least 1
     */
    public PublishedCheck(Path directory, int seeds, Tolerance tolerance) {
        this.directory = directory;
        this.seeds = Seeds.atLeastOne(seeds);
        this.tolerance = tolerance;
    }

    public PublishedResult run() {
        PublishedMachine card = PublishedMachine.RTX_5090;
        List<Row> rows = new ArrayList<>();
        prompts(card, rows);
        openLoop(card, rows);
        double worst = rows.stream()
                .filter(r -> r.what().startsWith("ttft") && r.toleratedPct().isPresent())
                .mapToDouble(r -> Math.abs(r.errorPct().orElse(0)))
                .max()
                .orElse(0);
        double saturation = rows.stream()
                .filter(r -> r.what().equals("saturation_requests_per_s"))
                .mapToDouble(r -> r.errorPct().orElse(0))
                .findFirst()
                .orElse(0);
        List<Row> cliff = cliff(PublishedMachine.L4);
        Knee knee = knee(PublishedMachine.L4);
        List<String> complaints = new ArrayList<>();
        rows.stream()
                .filter(Row::outside)
                .forEach(r -> complaints.add(String.format(
                        Locale.ROOT,
                        "%s at %s is off by %+.1f %%, more than %.0f %%",
                        r.what(),
                        r.at(),
                        r.errorPct().orElseThrow(),
                        r.toleratedPct().orElseThrow())));
        if (!knee.contains()) {
            complaints.add(String.format(
                    Locale.ROOT,
                    "the L4's knee is at %.1f to %.1f sessions, the published one at %d to %d",
                    knee.low(),
                    knee.high(),
                    knee.publishedLow(),
                    knee.publishedHigh()));
        }
        return new PublishedResult(
                List.of(
                        new Machine(card.name(), card.parameters(), rows),
                        new Machine(PublishedMachine.L4.name(), PublishedMachine.L4.parameters(), cliff)),
                worst,
                saturation,
                knee,
                complaints.isEmpty(),
                complaints);
    }

    private List<CsvTable.Row> rows(String name) {
        Path file = directory.resolve(name);
        List<CsvTable.Row> rows = CsvTable.read(file).rows();
        if (rows.isEmpty()) {
            throw new UserError(file + " has no rows below its header: there is nothing to compare with");
        }
        return rows;
    }

    /** Single prompts on an idle machine, cold and fully cached, computed step by step. */
    private void prompts(PublishedMachine card, List<Row> rows) {
        for (CsvTable.Row row : rows(TTFT_FILE)) {
            int tokens = row.integer("prompt_tokens");
            rows.add(ttft("ttft_cold_ms", tokens, row.number("cold_ttft_ms"), firstTokenMillis(card, tokens, 0)));
            int blockSize = card.engine().blockSize();
            // The last token is always computed, and with it its block.
            int cached = (tokens - 1) / blockSize * blockSize;
            rows.add(ttft(
                    "ttft_cached_ms", tokens, row.number("warm_ttft_p50_ms"), firstTokenMillis(card, tokens, cached)));
        }
    }

    private Row ttft(String what, double at, double published, double predicted) {
        return Row.of(what, at, OptionalDouble.of(published), predicted, OptionalDouble.of(tolerance.ttftPct));
    }

    private static double firstTokenMillis(PublishedMachine card, int tokens, int cached) {
        RooflineLaw law = card.law();
        FrontendDelay frontend = card.frontend();
        int budget = card.engine().maxNumBatchedTokens();
        long nanos = frontend.nanos(tokens);
        for (int at = cached; at < tokens; at += budget) {
            int chunk = Math.min(budget, tokens - at);
            nanos += law.stepNanos(chunk, StepTimeLaw.chunkAttention(chunk, at), 0, 0);
        }
        return nanos / 1e6;
    }

    private void openLoop(PublishedMachine card, List<Row> rows) {
        for (CsvTable.Row row : rows(OPEN_LOOP_FILE)) {
            double qps = row.number("qps");
            List<Outcome> runs = IntStream.rangeClosed(1, seeds)
                    .parallel()
                    .mapToObj(s -> openLoop(card, qps, new Seeds(s)))
                    .toList();
            boolean below = qps < SATURATED_QPS;
            rows.add(Row.of(
                    "ttft_p50_ms",
                    qps,
                    OptionalDouble.of(row.number("ttft_p50_ms")),
                    mean(runs, o -> firstByteMillis(o).at(0.5).orElseThrow()),
                    below ? OptionalDouble.of(tolerance.ttftPct) : OptionalDouble.empty()));
            rows.add(Row.of(
                    "tpot_ms",
                    qps,
                    OptionalDouble.of(row.number("tpot_ms")),
                    mean(runs, PublishedCheck::millisPerToken),
                    OptionalDouble.empty()));
            if (!below) {
                // The published run had ended when its last answer had: the machine was full from its first second on.
                double served = row.number("output_tokens_per_s") / OUTPUT;
                rows.add(Row.of(
                        "saturation_requests_per_s",
                        qps,
                        OptionalDouble.of(served),
                        mean(runs, o -> o.requests().size() * 1e9 / (o.endNanos() - o.startNanos())),
                        OptionalDouble.of(tolerance.saturationPct)));
            }
        }
    }

    private static Outcome openLoop(PublishedMachine card, double qps, Seeds seed) {
        return FleetReplay.run(
                new PoissonLoad(REQUESTS, qps, PROMPT, OUTPUT, seed),
                card.fleet(),
                Policies.create("round_robin", Map.of(), card.engine().maxNumSeqs()),
                seed,
                Progress.NONE);
    }

    private static double mean(List<Outcome> runs, ToDoubleFunction<Outcome> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }

    private static Quantiles firstByteMillis(Outcome outcome) {
        RequestLog log = outcome.requests();
        double[] times = new double[log.size()];
        int n = 0;
        for (int r = 0; r < log.size(); r++) {
            if (log.hasFirst(r)) {
                times[n++] = (log.first(r) - log.sent(r)) / 1e6;
            }
        }
        return Quantiles.of(times, n);
    }

    private static double millisPerToken(Outcome outcome) {
        RequestLog log = outcome.requests();
        double sum = 0;
        int n = 0;
        for (int r = 0; r < log.size(); r++) {
            if (log.hasEnded(r) && log.produced(r) > 1) {
                sum += (log.end(r) - log.first(r)) / 1e6 / (log.produced(r) - 1);
                n++;
            }
        }
        return sum / Math.max(1, n);
    }

    /** The load of the published cliff on its machine. */
    private static WorkloadSpec cliffLoad(int sessions) {
        return WorkloadSpec.named("l4-cliff").withSessions(sessions);
    }

    private List<Row> cliff(PublishedMachine card) {
        List<Row> rows = new ArrayList<>();
        for (int sessions : List.of(6, 8, 10, CLIFF_FINE, CLIFF_OVER, 16)) {
            WorkloadSpec load = cliffLoad(sessions);
            List<Outcome> runs = IntStream.rangeClosed(1, seeds)
                    .parallel()
                    .mapToObj(s -> {
                        Seeds seed = new Seeds(s);
                        return FleetReplay.run(
                                new WorkloadLoad(load, seed),
                                card.fleet(),
                                Policies.create("round_robin", Map.of(), 1),
                                seed,
                                Math.round(CLIFF_SECONDS * 1e9),
                                Progress.NONE);
                    })
                    .toList();
            Double published = CLIFF_P99_S.get(sessions);
            rows.add(Row.of(
                    "ttft_p99_s",
                    sessions,
                    published == null ? OptionalDouble.empty() : OptionalDouble.of(published),
                    mean(runs, o -> firstByteMillis(o).at(0.99).orElseThrow() / 1e3),
                    OptionalDouble.empty()));
            rows.add(Row.of(
                    "hit_pct",
                    sessions,
                    OptionalDouble.empty(),
                    mean(runs, o -> CellFigures.of(o).hitPct()),
                    OptionalDouble.empty()));
        }
        return rows;
    }

    /**
     * The rule: at least the sessions whose longest contexts fit into the smallest cache that the card may have left, at most
     * those whose mean contexts fit into the largest.
     */
    private static Knee knee(PublishedMachine card) {
        WorkloadSpec load = cliffLoad(CLIFF_FINE);
        double turn = load.turnTokens().mean() + load.outputTokens().mean();
        double first = load.firstTokens().mean() + load.outputTokens().mean();
        double longest = load.systemTokens() + first + (load.turns() - 1) * turn;
        double mean = load.systemTokens() + first + (load.turns() - 1) * turn / 2;
        Demand demand = new Demand(CLIFF_FINE, load.systemTokens(), mean, longest, 0, 0);
        double low = rule(demand, card.capacity().low()).roomP95();
        double high = rule(demand, card.capacity().high()).roomMean();
        return new Knee(low, high, CLIFF_FINE, CLIFF_OVER, low <= CLIFF_FINE && CLIFF_OVER <= high);
    }

    private static RuleLedger.Machine rule(Demand demand, KvCapacity capacity) {
        CacheSize cache = new CacheSize(1, capacity.usableBlocks(), capacity.blockSize(), "derived");
        return Rule.even(demand, cache).ledger().machine();
    }
}
