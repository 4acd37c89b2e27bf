package dev.warmroute.export.report;

import dev.warmroute.export.chart.ByPolicy;
import dev.warmroute.export.chart.BySessions;
import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.HitByCapacity;
import dev.warmroute.export.chart.OutputVsWait;
import dev.warmroute.export.chart.PredictedVsMeasured;
import dev.warmroute.export.chart.PromptTokens;
import dev.warmroute.export.chart.ReplicaLoad;
import dev.warmroute.export.chart.ReuseHistogram;
import dev.warmroute.export.chart.Series;
import dev.warmroute.export.chart.Source;
import dev.warmroute.export.chart.TtftPercentiles;
import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.report.ReportInput.Loads;
import dev.warmroute.export.report.ReportInput.Percentiles;
import dev.warmroute.export.report.ReportModel.Place;
import dev.warmroute.export.report.ReportModel.PlacedChart;
import dev.warmroute.export.run.RunView;
import dev.warmroute.simulator.capacity.CapacityCheck;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.capacity.RuleLedger.Machine;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Chooses the charts that the data allow. A policy has the same colour and shape in all of them. */
final class ReportCharts {
    private static final List<Metric> DRAWN = List.of(
            Metric.HIT_PCT,
            Metric.OUTPUT_TOKENS_PER_MIN,
            Metric.TTFT_P50_S,
            Metric.TTFT_P95_S,
            Metric.SESSION_P50_S,
            Metric.SESSION_P95_S);

    /** With more scenarios the charts over the sessions say it in one. */
    private static final int MOST_TRADE_OFFS = 4;

    private final Provenance provenance;
    private final Optional<CapacityResult> capacity;
    private final List<Scenario> scenarios;
    private final List<Comparison> comparisons;
    private final List<Percentiles> percentiles;
    private final List<Loads> loads;
    private final List<RunView> runs;
    private final List<String> policies;
    private final List<PlacedChart> charts = new ArrayList<>();

    ReportCharts(
            Provenance provenance,
            Optional<CapacityResult> capacity,
            List<Scenario> scenarios,
            List<Comparison> comparisons,
            List<Percentiles> percentiles,
            List<Loads> loads,
            List<RunView> runs) {
        this.provenance = provenance;
        this.capacity = capacity;
        this.scenarios = scenarios;
        this.comparisons = comparisons;
        this.percentiles = percentiles;
        this.loads = loads;
        this.runs = runs;
        Set<String> seen = new LinkedHashSet<>();
        scenarios.forEach(s -> s.policies().forEach(p -> seen.add(p.policy())));
        comparisons.forEach(c -> seen.add(c.policy()));
        percentiles.forEach(p -> seen.add(p.policy()));
        loads.forEach(l -> seen.add(l.policy()));
        runs.forEach(r -> seen.add(r.policy()));
        this.policies = List.copyOf(seen);
    }

    List<PlacedChart> all() {
        capacity.flatMap(CapacityResult::reuse)
                .filter(r -> !r.curve().isEmpty())
                .ifPresent(this::reuse);
        if (scenarios.stream().filter(s -> s.sessions().isPresent()).count() > 1) {
            bySessions();
        } else {
            scenarios.forEach(this::byPolicy);
        }
        if (scenarios.size() <= MOST_TRADE_OFFS) {
            scenarios.forEach(this::tradeOff);
        }
        promptTokens();
        percentiles.stream().map(Percentiles::scenario).distinct().forEach(this::percentiles);
        loads.forEach(this::load);
        new RunCharts(provenance.sourceWithoutIntervals(), this::style).of(runs).forEach(c -> add(Place.INSIDE, c));
        predictions();
        return charts;
    }

    private void add(Place place, Chart chart) {
        charts.add(new PlacedChart(place, chart));
    }

    private int style(String policy) {
        return policies.indexOf(policy);
    }

    private Source source(Scenario scenario) {
        return provenance.source(scenario.intervals());
    }

    private static String id(String... parts) {
        return String.join("-", parts)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
    }

    /** Adds a scenario's or a run's name to a title, where it has one. */
    private static String titled(String title, String name) {
        return name.isEmpty() ? title : title + ", " + name;
    }

    private void reuse(ReuseCurve curve) {
        List<HitByCapacity.Mark> marks = new ArrayList<>();
        capacity.flatMap(CapacityResult::rule).ifPresent(r -> {
            Machine m = r.machine();
            marks.add(new HitByCapacity.Mark("one replica", (double) m.capacityTokens() / m.replicas()));
            if (m.replicas() > 1) {
                marks.add(new HitByCapacity.Mark("all " + m.replicas() + " replicas", m.capacityTokens()));
            }
        });
        List<ReuseHistogram.Bar> bars = ReuseBars.of(curve);
        List<Series.Point> points = curve.curve().stream()
                .map(p -> new Series.Point(p.capacityTokens(), p.hitPct()))
                .toList();
        add(
                Place.CAPACITY,
                new HitByCapacity(
                        "reuse", "Prefix hits by cache size", points, marks, simulated(), provenance.source()));
        if (!bars.isEmpty()) {
            Source source = provenance.sourceWithoutIntervals();
            add(
                    Place.CAPACITY,
                    new ReuseHistogram(
                            "distances", "How far apart the same tokens are said again", bars, marks, source));
        }
    }

    /** Simulated hit ratios at the size of all replicas together, where there is one scenario on the same trace. */
    private List<Series> simulated() {
        List<Series> series = new ArrayList<>();
        if (scenarios.size() == 1 && scenarios.get(0).fleet().isPresent()) {
            FleetSummary fleet = scenarios.get(0).fleet().get();
            if (fleet.usableBlocks().isPresent()) {
                double size = (double) fleet.replicas() * fleet.usableBlocks().getAsInt() * fleet.blockSize();
                for (PolicyRow row : scenarios.get(0).policies()) {
                    row.hitPct()
                            .ifPresent(hit -> series.add(new Series(
                                    row.policy() + ", simulated",
                                    style(row.policy()),
                                    List.of(new Series.Point(size, hit, Metric.HIT_PCT.range(row))))));
                }
            }
        } else {
            capacity.ifPresent(c -> series.addAll(simulated(c)));
        }
        return series;
    }

    private List<Series> simulated(CapacityResult result) {
        if (result.simulation().isEmpty() || result.rule().isEmpty()) {
            return List.of();
        }
        CapacityCheck check = result.simulation().get();
        if (check.hitPct().isEmpty()) {
            return List.of();
        }
        Series.Point point = new Series.Point(
                result.rule().get().machine().capacityTokens(),
                check.hitPct().getAsDouble(),
                Metric.HIT_PCT.range(check.row()));
        return List.of(new Series(check.policy() + ", simulated", Math.max(0, style(check.policy())), List.of(point)));
    }

    private void bySessions() {
        Optional<Cell.Range> fit =
                capacity.flatMap(CapacityResult::sessionsFit).map(f -> new Cell.Range(f.low(), f.high()));
        for (Metric metric : DRAWN) {
            List<Series> series = new ArrayList<>();
            for (String policy : policies) {
                List<Series.Point> points = new ArrayList<>();
                for (Scenario scenario : scenarios) {
                    Optional<PolicyRow> row =
                            row(scenario, policy).filter(r -> metric.of(r).isPresent());
                    if (scenario.sessions().isPresent() && row.isPresent()) {
                        points.add(new Series.Point(
                                scenario.sessions().getAsInt(),
                                metric.of(row.get()).getAsDouble(),
                                metric.range(row.get())));
                    }
                }
                points.sort((a, b) -> Double.compare(a.x(), b.x()));
                if (!points.isEmpty()) {
                    series.add(new Series(policy, style(policy), points));
                }
            }
            if (!series.isEmpty()) {
                add(
                        Place.WHAT_IF,
                        new BySessions(
                                id("sessions", metric.field()),
                                metric.label() + " by sessions",
                                metric,
                                series,
                                fit,
                                provenance.source()));
            }
        }
    }

    private static Optional<PolicyRow> row(Scenario scenario, String policy) {
        return scenario.policies().stream()
                .filter(r -> r.policy().equals(policy))
                .findFirst();
    }

    private void byPolicy(Scenario scenario) {
        for (Metric metric : DRAWN) {
            List<ByPolicy.Row> rows = new ArrayList<>();
            for (PolicyRow row : scenario.policies()) {
                OptionalDouble value = metric.of(row);
                if (value.isPresent()) {
                    rows.add(new ByPolicy.Row(
                            row.policy(), style(row.policy()), value.getAsDouble(), metric.range(row)));
                }
            }
            if (rows.size() > 1) {
                add(
                        Place.WHAT_IF,
                        new ByPolicy(
                                id("policy", metric.field(), scenario.name()),
                                titled(metric.label() + " by policy", scenario.name()),
                                metric,
                                rows,
                                source(scenario)));
            }
        }
    }

    /** Output against waiting, where the policy decides about both. */
    private void tradeOff(Scenario scenario) {
        boolean open = scenario.fleet().filter(f -> f.mode().equals("open")).isPresent();
        List<OutputVsWait.Point> points = new ArrayList<>();
        for (PolicyRow row : scenario.policies()) {
            if (row.outputTokensPerMin().isPresent() && row.ttftP95S().isPresent()) {
                points.add(new OutputVsWait.Point(
                        row.policy(),
                        style(row.policy()),
                        row.outputTokensPerMin().getAsDouble(),
                        row.ttftP95S().getAsDouble(),
                        Metric.OUTPUT_TOKENS_PER_MIN.range(row),
                        Metric.TTFT_P95_S.range(row)));
            }
        }
        if (points.size() > 1 && !open) {
            add(
                    Place.WHAT_IF,
                    new OutputVsWait(
                            id("trade", scenario.name()),
                            titled("Output against waiting", scenario.name()),
                            points,
                            source(scenario)));
        }
    }

    private void promptTokens() {
        List<PromptTokens.Row> rows = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            for (PolicyRow row : scenario.policies()) {
                if (row.cachedTokens().isPresent() && row.promptTokens() > 0) {
                    String name = scenario.name().isEmpty() ? row.policy() : scenario.name() + ", " + row.policy();
                    rows.add(new PromptTokens.Row(
                            name, row.promptTokens(), row.cachedTokens().getAsLong(), row.misses()));
                }
            }
        }
        if (!rows.isEmpty()) {
            Source source = provenance.sourceWithoutIntervals();
            add(Place.WHAT_IF, new PromptTokens("tokens", "Where the prompt tokens came from", rows, source));
        }
    }

    private void percentiles(String scenario) {
        List<Percentiles> own = percentiles.stream()
                .filter(p -> p.scenario().equals(scenario) && !p.percentiles().isEmpty())
                .toList();
        List<String> runs = own.stream().map(Percentiles::run).distinct().toList();
        List<Series> series = new ArrayList<>();
        for (Percentiles p : own) {
            String name = runs.size() > 1 ? p.policy() + ", " + p.run() : p.policy();
            series.add(new Series(name, style(p.policy()) + policies.size() * runs.indexOf(p.run()), p.percentiles()));
        }
        if (!series.isEmpty()) {
            String title = titled("Time to first token by percentile", scenario);
            add(
                    Place.WHAT_IF,
                    new TtftPercentiles(
                            id("ttft", scenario),
                            runs.size() > 1 ? title : titled(title, runs.get(0)),
                            series,
                            provenance.sourceWithoutIntervals()));
        }
    }

    private void load(Loads l) {
        double highest = loads.stream()
                .filter(o -> o.scenario().equals(l.scenario()) && o.what().equals(l.what()))
                .flatMap(o -> o.loads().stream())
                .mapToDouble(ReplicaLoad.Load::value)
                .max()
                .orElse(0);
        String what = Character.toUpperCase(l.what().charAt(0)) + l.what().substring(1);
        add(
                Place.WHAT_IF,
                new ReplicaLoad(
                        id("load", l.what(), l.policy(), l.scenario(), l.run()),
                        titled(titled(what + " per replica under " + l.policy(), l.scenario()), l.run()),
                        l.what(),
                        style(l.policy()),
                        l.loads(),
                        highest,
                        Optional.empty(),
                        provenance.sourceWithoutIntervals()));
    }

    private void predictions() {
        for (Metric metric : DRAWN) {
            List<PredictedVsMeasured.Case> cases = new ArrayList<>();
            for (Comparison c : comparisons) {
                c.line(metric)
                        .ifPresent(l -> cases.add(new PredictedVsMeasured.Case(
                                c.name(), c.policy(), style(c.policy()), l.measured(), l.predicted(), l.range())));
            }
            OptionalDouble tolerance = Comparison.tolerance(metric);
            if (!cases.isEmpty() && tolerance.isPresent()) {
                add(
                        Place.VALIDATION,
                        new PredictedVsMeasured(
                                id("predicted", metric.field()),
                                metric.label() + ", predicted and measured",
                                metric,
                                cases,
                                tolerance.getAsDouble(),
                                provenance.source()));
            }
        }
    }
}
