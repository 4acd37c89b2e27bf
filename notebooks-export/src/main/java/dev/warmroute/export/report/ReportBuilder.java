package dev.warmroute.export.report;

import dev.warmroute.export.chart.Series;
import dev.warmroute.export.report.ReportInput.Loads;
import dev.warmroute.export.report.ReportInput.Percentiles;
import dev.warmroute.export.report.ReportModel.PlacedChart;
import dev.warmroute.export.run.RunView;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Collects what a report is made of. Everything is optional; sections without data are left out. The same input gives the
 * same report: the time a computation took is not in it.
 *
 * <pre>{@code
 * ReportModel model = new ReportBuilder("16 sessions on four cards")
 *         .machine("4 x RTX A4000, Qwen3-4B, vLLM 0.26.0")
 *         .command("warmroute whatif ...")
 *         .capacity(capacity)
 *         .whatIf("16 sessions", OptionalInt.of(16), whatIf)
 *         .compare("16 sessions", measured, predicted)
 *         .build();
 * new HtmlReport().write(model, Path.of("report.html"));
 * }</pre>
 */
public final class ReportBuilder {
    private static final int SESSIONS_SHOWN = 8;

    private final String title;
    private final List<PendingScenario> scenarios = new ArrayList<>();
    private final List<Comparison> comparisons = new ArrayList<>();
    private final List<Assertion> assertions = new ArrayList<>();
    private final List<Percentiles> percentiles = new ArrayList<>();
    private final List<Loads> loads = new ArrayList<>();
    private final List<SessionRow> sessions = new ArrayList<>();
    private Optional<CapacityResult> capacity = Optional.empty();
    private Optional<TraceSummary> trace = Optional.empty();
    private String offsets = "";
    private String machine = "";
    private String command = "";
    private String version = "";
    private String baseline = "";
    private String recommendation = "";
    private String confidence = "";
    private String doubtful = "";
    private boolean policiesFirst;
    private final List<RunView> runs = new ArrayList<>();
    private String inside = "";
    private final List<String> caveats = new ArrayList<>();

    public ReportBuilder(String title) {
        this.title = Objects.requireNonNull(title, "title");
    }

    /** The trace of the report, where it is not that of the first result. */
    public ReportBuilder trace(TraceSummary summary) {
        trace = Optional.of(summary);
        return this;
    }

    /** Kafka offsets or segments that the trace covers, in words. */
    public ReportBuilder offsets(String words) {
        offsets = words;
        return this;
    }

    /** Model, cards and engine version, in words. */
    public ReportBuilder machine(String words) {
        machine = words;
        return this;
    }

    /** Command that makes the report again. */
    public ReportBuilder command(String line) {
        command = line;
        return this;
    }

    /** Version of warmroute. */
    public ReportBuilder version(String words) {
        version = words;
        return this;
    }

    public ReportBuilder capacity(CapacityResult result) {
        capacity = Optional.of(result);
        return this;
    }

    /** Policy that the others are held against; the first one of a result when it is not set or not among them. */
    public ReportBuilder baseline(String policy) {
        baseline = policy;
        return this;
    }

    /**
     * Adds a scenario.
     *
     * @param name distinguishes it from the others; with a single one it may be empty
     * @param concurrentSessions where that is what distinguishes it; several of these are drawn over the sessions
     */
    public ReportBuilder whatIf(String name, OptionalInt concurrentSessions, WhatIfResult result) {
        scenarios.add(new PendingScenario(name, concurrentSessions, result));
        return this;
    }

    public ReportBuilder whatIf(WhatIfResult result) {
        return whatIf("", OptionalInt.empty(), result);
    }

    /** Puts a measured run beside its prediction; the measured row's policy names both. */
    public ReportBuilder compare(String name, PolicyRow measured, PolicyRow predicted) {
        comparisons.add(Comparison.of(name, measured, predicted));
        return this;
    }

    public ReportBuilder percentiles(Percentiles distribution) {
        percentiles.add(distribution);
        return this;
    }

    public ReportBuilder loads(Loads replicas) {
        loads.add(replicas);
        return this;
    }

    /** All sessions of the trace; the report shows the longest and the costliest. */
    public ReportBuilder sessions(List<SessionRow> rows) {
        sessions.addAll(rows);
        return this;
    }

    /**
     * A replay seen from inside; those of the baseline and of the policy that is ahead are shown.
     *
     * @param scenario name of what was replayed: the same for all of them
     */
    public ReportBuilder run(String scenario, RunView view) {
        if (!runs.isEmpty() && !inside.equals(scenario)) {
            throw new IllegalArgumentException("runs of " + inside + " and of " + scenario + " in one report");
        }
        inside = scenario;
        runs.add(view);
        return this;
    }

    /** What to read the figures with, a sentence each. */
    public ReportBuilder caveats(List<String> sentences) {
        caveats.addAll(sentences);
        return this;
    }

    /** What to check when a recording, replayed as it was, comes out otherwise, in words. */
    public ReportBuilder doubtful(String check) {
        doubtful = check;
        return this;
    }

    /** The verdict is about the policies, even where a capacity was judged. */
    public ReportBuilder policiesFirst() {
        policiesFirst = true;
        return this;
    }

    public ReportBuilder assertion(Assertion assertion) {
        assertions.add(assertion);
        return this;
    }

    /** What to do, in one line, in place of what the figures alone suggest. */
    public ReportBuilder recommend(String line) {
        recommendation = line;
        return this;
    }

    /** How far to trust the report, in one sentence, in place of what the comparisons suggest. */
    public ReportBuilder confidence(String sentence) {
        confidence = sentence;
        return this;
    }

    /**
     * Ends the collection.
     *
     * @throws IllegalStateException if there is neither a capacity nor a what-if nor a comparison
     */
    public ReportModel build() {
        if (capacity.isEmpty() && scenarios.isEmpty() && comparisons.isEmpty()) {
            throw new IllegalStateException("a report needs a capacity, a what-if or a comparison");
        }
        List<Scenario> whatIfs = scenarios.stream()
                .map(s -> Scenario.of(s.name(), s.sessions(), s.result(), baseline))
                .toList();
        Provenance provenance = provenance(whatIfs);
        List<ComparisonSummary> accuracy = ComparisonSummary.of(comparisons);
        Verdicts verdicts = new Verdicts(capacity, policiesFirst, whatIfs, accuracy, recommendation, confidence);
        List<RunView> shown = shown(whatIfs);
        List<PlacedChart> placed =
                new ReportCharts(provenance, capacity, whatIfs, comparisons, distributions(), loads, shown).all();
        return new ReportModel(
                title,
                whatIfs.stream()
                        .flatMap(s -> s.selfReplay().stream())
                        .filter(r -> !r.faithful())
                        .findFirst()
                        .map(r -> Doubt.of(r, doubtful)),
                verdicts.box(),
                provenance,
                capacity,
                capacity.map(Checks::of).orElse(List.of()),
                capacity.flatMap(CapacityResult::simulation)
                        .map(s -> sentence(s.agreement()))
                        .orElse(""),
                whatIfs,
                comparisons,
                accuracy,
                top(Comparator.comparingLong(SessionRow::contextLast), r -> true),
                top(
                        Comparator.comparingLong(r -> r.recomputedTokens().orElse(0)),
                        r -> r.recomputedTokens().orElse(0) > 0),
                shown,
                assertions,
                placed,
                Glossary.of(capacity.isPresent(), !whatIfs.isEmpty(), !comparisons.isEmpty(), !shown.isEmpty()),
                allCaveats(whatIfs),
                PlotsLeftOut.of(placed));
    }

    /** The run of the baseline and that of the policy that is ahead. */
    private List<RunView> shown(List<Scenario> whatIfs) {
        List<String> policies = new ArrayList<>();
        whatIfs.stream().filter(s -> s.name().equals(inside)).findFirst().ifPresent(s -> {
            policies.add(s.baseline());
            policies.add(Verdicts.ahead(s).policy());
        });
        List<RunView> those =
                runs.stream().filter(r -> policies.contains(r.policy())).toList();
        return those.isEmpty() ? runs.stream().limit(1).toList() : those;
    }

    /** Distributions that were given, and those of the runs. */
    private List<Percentiles> distributions() {
        List<Percentiles> all = new ArrayList<>(percentiles);
        for (RunView run : runs) {
            if (!run.ttft().isEmpty()) {
                all.add(new Percentiles(
                        inside,
                        run.policy(),
                        "seed " + run.seed(),
                        run.ttft().stream()
                                .map(p -> new Series.Point(p.percentile(), p.seconds()))
                                .toList()));
            }
        }
        return all;
    }

    private List<String> allCaveats(List<Scenario> whatIfs) {
        Set<String> all = new LinkedHashSet<>(caveats);
        capacity.ifPresent(c -> all.addAll(c.warnings()));
        whatIfs.forEach(s -> all.addAll(s.notes()));
        return all.stream().map(ReportBuilder::sentence).toList();
    }

    private static String sentence(String words) {
        if (words.isEmpty()) {
            return words;
        }
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + (words.endsWith(".") ? "" : ".");
    }

    private Provenance provenance(List<Scenario> whatIfs) {
        Optional<Scenario> first = whatIfs.stream().findFirst();
        Optional<TraceSummary> of =
                trace.or(() -> capacity.flatMap(CapacityResult::trace)).or(() -> first.map(Scenario::trace));
        Optional<FleetSummary> fleet = first.flatMap(Scenario::fleet);
        String source = capacity.map(CapacityResult::capacitySource)
                .filter(s -> !s.isEmpty())
                .or(() -> fleet.map(FleetSummary::capacitySource))
                .orElse("");
        String intervals = whatIfs.stream()
                .map(Scenario::intervals)
                .filter(i -> !i.isEmpty())
                .findFirst()
                .orElse("");
        return new Provenance(of, offsets, fleet, source, machine, intervals, command, version);
    }

    private List<SessionRow> top(Comparator<SessionRow> order, Predicate<SessionRow> worth) {
        return sessions.stream()
                .filter(worth)
                .sorted(order.reversed().thenComparing(SessionRow::sessionId))
                .limit(SESSIONS_SHOWN)
                .toList();
    }

    private record PendingScenario(String name, OptionalInt sessions, WhatIfResult result) {}
}
