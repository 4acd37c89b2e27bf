package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.run.RunView;
import dev.warmroute.export.run.SampleRuns;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.load.BenchComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * One chart of each kind with published figures: the four-card table (4, 8, 16, 24 and 32 sessions, affinity off and on) and
 * the reuse distances of the Mooncake conversation trace.
 */
public final class SampleCharts {
    public static final Source SOURCE = new Source("sample of published figures, 0123456789ab", "range of 10 seeds");

    private static final double[] SESSIONS = {4, 8, 16, 24, 32};
    private static final double[][] HIT = {{56.2, 44.3, 33.2, 32.8, 31.6}, {86.4, 86.1, 48.6, 37.9, 31.6}};
    private static final double[][] HIT_SIMULATED = {{54.9, 44.6, 36.9, 33.5, 31.7}, {85.3, 84.4, 51.3, 30.2, 30.1}};
    private static final double[][] P95 = {{3.5, 6.32, 26.24, 58.82, 82.84}, {2.84, 5.03, 24.88, 38.34, 38.92}};
    private static final double[][] P95_SIMULATED = {{4.5, 13, 31.8, 48.6, 61.3}, {2.28, 3.05, 13.1, 25.7, 36.5}};
    private static final String[] POLICIES = {"balancer", "affinity"};

    private static final RunView RUN = SampleRuns.view("warden");

    private SampleCharts() {}

    public static List<Chart> all() {
        return List.of(
                hitByCapacity(),
                bySessions(Metric.HIT_PCT, HIT_SIMULATED),
                bySessions(Metric.TTFT_P95_S, P95_SIMULATED),
                byPolicy(),
                byPolicyTime(),
                percentiles(),
                coldAndWarm(),
                predicted(Metric.HIT_PCT, HIT, HIT_SIMULATED, 8),
                predicted(Metric.TTFT_P95_S, P95, P95_SIMULATED, 0.35),
                load("balancer", 0, 120, 97, 101, 118),
                load("affinity", 1, 182, 88, 63, 103),
                promptTokens(),
                new CacheOccupancy(
                        "occupancy", "What the caches held", RUN.occupancy().orElseThrow(), SOURCE),
                new ContextByTurn("contexts", "Prompts from turn to turn", RUN.contexts(), SOURCE),
                new LoadOverTime(
                        "inflight", "Load of the replicas", RUN.timeline().orElseThrow(), 0, SOURCE),
                new OutputVsWait(
                        "trade",
                        "Output against waiting",
                        List.of(
                                new OutputVsWait.Point("a", 0, 9_000, 31, Optional.empty(), Optional.empty()),
                                new OutputVsWait.Point("b", 1, 13_000, 13, Optional.empty(), Optional.empty()),
                                new OutputVsWait.Point("c", 2, 16_000, 26, Optional.empty(), Optional.empty())),
                        SOURCE),
                new ReuseHistogram(
                        "distances",
                        "How far apart",
                        List.of(
                                new ReuseHistogram.Bar(1_000, 4_000, 3.5),
                                new ReuseHistogram.Bar(4_000, 16_000, 21),
                                new ReuseHistogram.Bar(16_000, 64_000, 9.25)),
                        List.of(new HitByCapacity.Mark("one replica", 33_520)),
                        SOURCE),
                new SessionLanes("lanes", "Conversations", RUN.lanes().orElseThrow(), SOURCE),
                new TokenRate("rate", "Prompt tokens over time", RUN.timeline().orElseThrow(), SOURCE));
    }

    static HitByCapacity hitByCapacity() {
        double[][] curve = {
            {512_000, 4.5933},
            {1_048_576, 5.6616},
            {2_048_000, 9.1955},
            {4_194_304, 19.2316},
            {16_777_216, 34.6403},
            {93_588_480, 37.3380}
        };
        List<Series.Point> points = new ArrayList<>();
        for (double[] p : curve) {
            points.add(new Series.Point(p[0], p[1]));
        }
        Series simulated = new Series(
                "round_robin, simulated",
                1,
                List.of(
                        new Series.Point(1_048_576, 8.3, Optional.of(new Cell.Range(7.1, 9.5))),
                        new Series.Point(4_194_304, 12.7, Optional.of(new Cell.Range(11.9, 13.6)))));
        return new HitByCapacity(
                "reuse",
                "Prefix hits by cache size",
                points,
                List.of(
                        new HitByCapacity.Mark("one replica", 1_048_576),
                        new HitByCapacity.Mark("all 8 replicas", 8_388_608)),
                List.of(simulated),
                SOURCE);
    }

    static BySessions bySessions(Metric metric, double[][] values) {
        List<Series> series = new ArrayList<>();
        for (int p = 0; p < values.length; p++) {
            List<Series.Point> points = new ArrayList<>();
            for (int i = 0; i < SESSIONS.length; i++) {
                double v = values[p][i];
                points.add(new Series.Point(SESSIONS[i], v, Optional.of(new Cell.Range(v * 0.94, v * 1.07))));
            }
            series.add(new Series(POLICIES[p], p, points));
        }
        return new BySessions(
                "by-sessions-" + metric.field().replace('_', '-'),
                metric.label() + " by sessions",
                metric,
                series,
                Optional.of(new Cell.Range(11, 13)),
                SOURCE);
    }

    static ByPolicy byPolicy() {
        return new ByPolicy(
                "policy-hit",
                "Prefix hit by policy",
                Metric.HIT_PCT,
                List.of(
                        row("random", 0, 36.9, 1.9),
                        row("round_robin", 1, 35.4, 0.8),
                        row("least_in_flight", 2, 38.0, 1.2),
                        row("hash", 3, 46.0, 4.1),
                        row("warden", 4, 51.3, 1.3)),
                SOURCE);
    }

    static ByPolicy byPolicyTime() {
        return new ByPolicy(
                "policy-p95",
                "TTFT p95 by policy",
                Metric.TTFT_P95_S,
                List.of(
                        row("random", 0, 31.8, 8.5),
                        row("round_robin", 1, 29.4, 3.8),
                        row("least_in_flight", 2, 22.0, 2.2),
                        row("hash", 3, 30.0, 4.1),
                        row("warden", 4, 13.1, 0.4)),
                SOURCE);
    }

    private static ByPolicy.Row row(String policy, int style, double value, double half) {
        return new ByPolicy.Row(policy, style, value, Optional.of(new Cell.Range(value - half, value + half)));
    }

    static TtftPercentiles percentiles() {
        List<Series> series = new ArrayList<>();
        double[][] scale = {{2.1, 1.1}, {0.45, 1.9}};
        for (int p = 0; p < 2; p++) {
            List<Series.Point> points = new ArrayList<>();
            for (int i = 0; i <= 400; i++) {
                double percentile = 100 * (1 - Math.pow(10, -3.0 * i / 400));
                double x = -Math.log10(1 - percentile / 100);
                points.add(new Series.Point(percentile, scale[p][0] * Math.exp(scale[p][1] * x * 0.9) / 1.5));
            }
            series.add(new Series(POLICIES[p], p, points));
        }
        return new TtftPercentiles("ttft", "Time to first token by percentile", series, SOURCE);
    }

    static ColdAndWarm coldAndWarm() {
        double[][] millis = {{1, 1754, 1060}, {4, 5926, 3945}, {8, 15161, 9820}};
        List<BenchComparison.Row> rows = new ArrayList<>();
        for (double[] m : millis) {
            rows.add(new BenchComparison.Row((int) m[0], side(m[1]), side(m[2]), m[1] / m[2], Optional.empty()));
        }
        return new ColdAndWarm(
                "cold-and-warm",
                new BenchComparison("llama", "long", "cold", "warm", rows, List.of(), 0, "none"),
                SOURCE);
    }

    private static BenchComparison.Side side(double millis) {
        double mean = millis / 1e3;
        return new BenchComparison.Side(
                3,
                3,
                mean,
                Optional.of(new Interval(0.9 * mean, 1.2 * mean)),
                mean,
                mean,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    static PredictedVsMeasured predicted(Metric metric, double[][] measured, double[][] predicted, double tolerance) {
        List<PredictedVsMeasured.Case> cases = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            for (int i = 0; i < SESSIONS.length; i++) {
                double v = predicted[p][i];
                cases.add(new PredictedVsMeasured.Case(
                        (int) SESSIONS[i] + " sessions",
                        POLICIES[p],
                        p,
                        measured[p][i],
                        v,
                        Optional.of(new Cell.Range(v * 0.96, v * 1.05))));
            }
        }
        return new PredictedVsMeasured(
                "predicted-" + metric.field().replace('_', '-'),
                metric.label() + ": predicted and measured",
                metric,
                cases,
                tolerance,
                SOURCE);
    }

    static ReplicaLoad load(String policy, int style, double... values) {
        List<ReplicaLoad.Load> loads = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            loads.add(new ReplicaLoad.Load("r" + i, values[i]));
        }
        return new ReplicaLoad(
                "load-" + policy,
                "Load under " + policy,
                "requests",
                style,
                loads,
                182,
                Optional.of(new Cell.Range(88, 131)),
                SOURCE);
    }

    static PromptTokens promptTokens() {
        return new PromptTokens(
                "prompt-tokens",
                "Where the prompt tokens came from",
                List.of(
                        new PromptTokens.Row(
                                "balancer",
                                1_000_000,
                                369_000,
                                new TreeMap<>(Map.of(
                                        "moved",
                                        331_000L,
                                        "evicted_while_waiting",
                                        190_000L,
                                        "first_turn",
                                        90_000L,
                                        "partial_block",
                                        20_000L))),
                        new PromptTokens.Row(
                                "affinity",
                                1_000_000,
                                513_000,
                                new TreeMap<>(Map.of(
                                        "moved",
                                        4_000L,
                                        "evicted_while_waiting",
                                        373_000L,
                                        "first_turn",
                                        90_000L,
                                        "partial_block",
                                        20_000L)))),
                SOURCE);
    }
}
