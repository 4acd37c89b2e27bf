package dev.warmroute.export.report;

import dev.warmroute.export.chart.ReplicaLoad;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.report.ReportInput.Loads;
import dev.warmroute.export.run.SampleRuns;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.capacity.CapacityCheck;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.Demand;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.capacity.Rule;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.capacity.ThreeChecks;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reports in the likeness of the published four-card measurement; samples to look at and to test with, not results. */
public final class SampleReports {
    static final TraceSummary TRACE = new TraceSummary(
            "kafka://warmroute@2026-11-28T10:00/2h",
            "9f3c61d2a7e05b48c1d2",
            2_871,
            412,
            96,
            33_100_000,
            663_201,
            7_194.2);
    private static final FleetSummary FLEET = new FleetSummary(
            "closed", "users", OptionalInt.of(16), 4, 16, OptionalInt.of(2_095), "reported", "a4000-4b", 10, 1);
    private static final String INTERVALS =
            "95 % confidence interval of the mean over 10 seeds; a figure that no seed changes has both ends equal";
    private static final int[] SESSIONS = {4, 8, 16, 24, 32};

    private SampleReports() {}

    /** Everything a report can hold. */
    public static ReportModel full() {
        ReportBuilder report = new ReportBuilder("16 agent sessions on four RTX A4000")
                .machine("4 x RTX A4000, Qwen3-4B-Instruct-2507 bf16, vLLM 0.26.0")
                .offsets("decisions offsets 18,204 to 21,169")
                .command("warmroute capacity kafka://warmroute@2026-11-28T10:00/2h --sessions 16 --html report.html")
                .version("0.1.0")
                .baseline("random")
                .capacity(capacity(16));
        for (int i = 0; i < SESSIONS.length; i++) {
            report.whatIf(SESSIONS[i] + " sessions", OptionalInt.of(SESSIONS[i]), whatIf(i));
            report.compare(
                    SESSIONS[i] + " sessions",
                    measured(i, false),
                    whatIf(i).policies().get(0));
            report.compare(
                    SESSIONS[i] + " sessions",
                    measured(i, true),
                    whatIf(i).policies().get(1));
        }
        report.loads(loads("random", 720, 694, 741, 716));
        report.loads(loads("warden", 702, 733, 688, 748));
        report.sessions(sessions());
        report.run("16 sessions", SampleRuns.view("random")).run("16 sessions", SampleRuns.view("warden"));
        report.caveats(List.of("sessions share a prefix that is not in the trace"));
        report.assertion(new Assertion(
                "hit>=70%", false, OptionalDouble.of(51.3), OptionalDouble.of(49.9), OptionalDouble.of(52.6)));
        report.assertion(new Assertion(
                "ttft_p95<=10s", false, OptionalDouble.of(13.1), OptionalDouble.of(12.6), OptionalDouble.of(13.5)));
        report.assertion(new Assertion(
                "replicas_busy>=3", true, OptionalDouble.of(3.99), OptionalDouble.empty(), OptionalDouble.empty()));
        return report.build();
    }

    /** One what-if over five policies, nothing else. */
    public static ReportModel comparison() {
        List<PolicyRow> rows = List.of(
                row(
                        "random",
                        33_100_000,
                        36.9,
                        1.9,
                        9_941,
                        690,
                        5.8,
                        31.8,
                        98,
                        171,
                        3.54,
                        25.8,
                        4,
                        misses(36.9, 40, 15)),
                row(
                        "round_robin",
                        33_100_000,
                        35.4,
                        0.8,
                        9_702,
                        310,
                        6.1,
                        29.4,
                        101,
                        166,
                        3.61,
                        24.9,
                        3,
                        misses(35.4, 42, 14)),
                row("hash", 33_100_000, 46.0, 4.1, 11_540, 410, 3.2, 30.0, 90, 160, 3.42, 100, 3, misses(46, 0, 44)),
                row(
                        "warden",
                        33_100_000,
                        51.3,
                        1.3,
                        13_310,
                        93,
                        4.4,
                        13.1,
                        98,
                        134,
                        3.99,
                        99.2,
                        7,
                        misses(51.3, 1, 38)),
                row("fit", 33_100_000, 83.6, 0.9, 16_173, 120, 0.31, 25.9, 75, 112, 3.91, 100, 0, misses(83.6, 0, 6)));
        return new ReportBuilder("Which policy for yesterday's traffic")
                .version("0.1.0")
                .baseline("warden")
                .whatIf(new WhatIfResult(TRACE, Optional.of(FLEET), 12.5, INTERVALS, rows))
                .build();
    }

    /** A description that fits, without a trace. */
    public static ReportModel fits() {
        return new ReportBuilder("8 sessions on four cards")
                .version("0.1.0")
                .capacity(described(8))
                .build();
    }

    private static CapacityResult described(int sessions) {
        Rule rule = Rule.even(
                new Demand(sessions, 3_500, 12_500, 14_100, 231, 256), CacheSize.ofTokens(4, 33_520, 16, "given"));
        CapacityResult unchecked = new CapacityResult(
                Optional.empty(),
                Optional.of(rule.verdict()),
                Optional.of(rule.sessionsFit()),
                Optional.of(rule.limit()),
                "given",
                Optional.of(rule.ledger()),
                Optional.empty(),
                Optional.empty());
        return checked(unchecked, rule.verdict());
    }

    /** The same with the rule's own verdict, as every answer that has a rule has it. */
    static CapacityResult checked(CapacityResult r, Verdict rule) {
        double used = r.rule().orElseThrow().replicas().stream()
                .mapToDouble(RuleLedger.Replica::utilisationMean)
                .max()
                .orElseThrow();
        ThreeChecks checks = new ThreeChecks(
                rule, used, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), true, List.of());
        return new CapacityResult(
                r.trace(),
                r.verdict(),
                r.sessionsFit(),
                r.limit(),
                r.capacitySource(),
                r.cache(),
                r.headroom(),
                r.warnings(),
                r.rule(),
                r.reuse(),
                r.simulation(),
                r.limits(),
                r.workingSet(),
                Optional.of(checks),
                r.advice());
    }

    static CapacityResult capacity(int sessions) {
        CapacityResult described = described(sessions);
        List<ReuseCurve.Point> curve = new ArrayList<>();
        for (long tokens = 4_096; tokens <= 524_288; tokens = Math.round(tokens * 1.09)) {
            double x = Math.log(tokens / 26_000.0);
            curve.add(new ReuseCurve.Point(tokens, 31.6 + 54.9 / (1 + Math.exp(-3.1 * (x - 0.6)))));
        }
        CapacityResult unchecked = new CapacityResult(
                Optional.of(TRACE),
                described.verdict(),
                described.sessionsFit(),
                described.limit(),
                "reported",
                described.rule(),
                Optional.of(new ReuseCurve(2_068_750, 91_204, curve)),
                Optional.of(new CapacityCheck(
                        "warden",
                        sessions,
                        600,
                        OptionalDouble.of(51.3),
                        OptionalDouble.of(86.4),
                        OptionalDouble.of(35.1),
                        0.74,
                        Optional.empty(),
                        "The rule and the simulation agree; the reuse curve is optimistic because the replicas queue and every"
                                + " wait lets the cache be overwritten.",
                        whatIf(2).policies().get(1))));
        return checked(unchecked, described.checks().orElseThrow().rule());
    }

    private static WhatIfResult whatIf(int i) {
        double[][] random = {
            {54.9, 3.2, 5379, 240, 2.34, 4.5, 2.16}, {44.6, 2.3, 7885, 340, 2.88, 13.0, 2.98},
            {36.9, 1.9, 9941, 690, 5.8, 31.8, 3.54}, {33.5, 1.2, 10920, 330, 13.7, 48.6, 3.82},
            {31.7, .6, 11310, 350, 22.8, 61.3, 3.87}
        };
        double[][] warden = {
            {85.3, .5, 7285, 180, .36, 2.28, 2.75}, {84.4, .4, 12670, 200, .37, 3.05, 3.61},
            {51.3, 1.3, 13310, 93, 4.4, 13.1, 3.99}, {30.2, .1, 11060, 37, 15.5, 25.7, 3.99},
            {30.1, .1, 11570, 42, 24.0, 36.5, 3.99}
        };
        double[] r = random[i], w = warden[i];
        long prompt = 1_000_000L * SESSIONS[i];
        return new WhatIfResult(
                TRACE,
                Optional.of(FLEET),
                3.25,
                INTERVALS,
                List.of(
                        row(
                                "random",
                                prompt,
                                r[0],
                                r[1],
                                r[2],
                                r[3],
                                r[4],
                                r[5],
                                60 + 6 * SESSIONS[i],
                                90 + 7 * SESSIONS[i],
                                r[6],
                                25.4,
                                SESSIONS[i] / 4,
                                misses(r[0], 30, (100 - r[0]) / 3)),
                        row(
                                "warden",
                                prompt,
                                w[0],
                                w[1],
                                w[2],
                                w[3],
                                w[4],
                                w[5],
                                48 + 5 * SESSIONS[i],
                                62 + 6 * SESSIONS[i],
                                w[6],
                                100,
                                SESSIONS[i] / 4,
                                misses(w[0], 1, (100 - w[0]) * .7))));
    }

    private static PolicyRow measured(int i, boolean affinity) {
        double[][] off = {
            {56.2, 5886, 2.05, 3.5},
            {44.3, 8364, 2.33, 6.32},
            {33.2, 9558, 3.25, 26.24},
            {32.8, 9048, 5.06, 58.82},
            {31.6, 14760, 12.32, 82.84}
        };
        double[][] on = {
            {86.4, 6744, .38, 2.84},
            {86.1, 10752, .48, 5.03},
            {48.6, 12204, .85, 24.88},
            {37.9, 11178, 13.14, 38.34},
            {31.6, 16638, 27.66, 38.92}
        };
        double[] v = affinity ? on[i] : off[i];
        return new PolicyRow(
                affinity ? "warden" : "random",
                500,
                1_000_000,
                OptionalLong.of(Math.round(v[0] * 10_000)),
                OptionalDouble.of(v[0]),
                OptionalDouble.of(v[1]),
                OptionalDouble.of(v[2]),
                OptionalDouble.of(v[3]),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    static PolicyRow row(
            String policy,
            long prompt,
            double hit,
            double hitHalf,
            double output,
            double outputHalf,
            double p50,
            double p95,
            double session50,
            double session95,
            double busy,
            double stayed,
            long preemptions,
            SortedMap<String, Double> misses) {
        long cached = Math.round(prompt * hit / 100);
        SortedMap<String, Interval> intervals = new TreeMap<>();
        intervals.put(Metric.HIT_PCT.field(), new Interval(hit - hitHalf, hit + hitHalf));
        intervals.put(Metric.OUTPUT_TOKENS_PER_MIN.field(), new Interval(output - outputHalf, output + outputHalf));
        intervals.put(Metric.TTFT_P50_S.field(), new Interval(p50 * .94, p50 * 1.07));
        intervals.put(Metric.TTFT_P95_S.field(), new Interval(p95 * .96, p95 * 1.12));
        intervals.put(Metric.SESSION_P50_S.field(), new Interval(session50 * .97, session50 * 1.04));
        SortedMap<String, Long> causes = new TreeMap<>();
        long left = prompt - cached;
        for (var e : misses.entrySet()) {
            long tokens = Math.min(left, Math.round(prompt * e.getValue() / 100));
            causes.put(e.getKey(), tokens);
            left -= tokens;
        }
        causes.merge("first_turn", left, Long::sum);
        return new PolicyRow(
                policy,
                2_871,
                prompt,
                OptionalLong.of(cached),
                OptionalDouble.of(hit),
                OptionalDouble.of(output),
                OptionalDouble.of(p50),
                OptionalDouble.of(p95),
                OptionalDouble.of(busy),
                OptionalDouble.of(stayed),
                OptionalLong.of(preemptions),
                OptionalDouble.of(session50),
                OptionalDouble.of(session95),
                OptionalLong.of(12),
                intervals,
                causes,
                new TreeMap<>());
    }

    private static SortedMap<String, Double> misses(double hit, double moved, double waiting) {
        SortedMap<String, Double> misses = new TreeMap<>();
        misses.put("moved", Math.min(moved, 100 - hit));
        misses.put("evicted_waiting", waiting);
        misses.put("rounding", .8);
        return misses;
    }

    private static Loads loads(String policy, double... requests) {
        List<ReplicaLoad.Load> loads = new ArrayList<>();
        for (int i = 0; i < requests.length; i++) {
            loads.add(new ReplicaLoad.Load("r" + i, requests[i]));
        }
        return new Loads("16 sessions", policy, "seed 1", "requests", loads);
    }

    private static List<SessionRow> sessions() {
        List<SessionRow> rows = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            rows.add(new SessionRow(
                    "5f%02xa1c9e07d".formatted(i * 19),
                    i * 31.5,
                    4 + i % 5,
                    7_200 + 13L * i,
                    10_850 + 290L * (i * 7 % 12),
                    10_700 + 280L * (i * 7 % 12),
                    OptionalLong.of(1 + i % 3),
                    OptionalLong.of(i % 4 == 0 ? 0 : 1_800L * i)));
        }
        return rows;
    }
}
