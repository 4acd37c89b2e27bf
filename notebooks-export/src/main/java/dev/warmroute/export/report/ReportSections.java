package dev.warmroute.export.report;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.Source;
import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.report.ReportModel.Place;
import dev.warmroute.export.report.Section.Block;
import dev.warmroute.export.report.Section.Charts;
import dev.warmroute.export.report.Section.Facts;
import dev.warmroute.export.report.Section.TableBlock;
import dev.warmroute.export.report.Section.Text;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.TraceSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The order of the report and what each section shows; sections without data are left out. */
final class ReportSections {
    private final ReportModel model;
    private final List<Section> sections = new ArrayList<>();

    private ReportSections(ReportModel model) {
        this.model = model;
    }

    static List<Section> of(ReportModel model) {
        ReportSections report = new ReportSections(model);
        report.assertions();
        report.capacity();
        report.whatIf();
        report.validation();
        report.sessions();
        report.provenance();
        report.definitions();
        return List.copyOf(report.sections);
    }

    private void add(String id, String title, String lead, List<Block> blocks) {
        if (!blocks.isEmpty()) {
            sections.add(new Section(id, title, lead, blocks));
        }
    }

    private void assertions() {
        if (model.assertions().isEmpty()) {
            return;
        }
        DataTable.Builder table = DataTable.captioned("Assertions").words("Assertion").words("Outcome");
        table.numbers("Value", Unit.COUNT).numbers("Low", Unit.COUNT).numbers("High", Unit.COUNT);
        for (Assertion a : model.assertions()) {
            table.row(
                    Cell.words(a.text()),
                    Cell.words(a.ok() ? "\u2713 passed" : "\u2717 failed"),
                    Cell.of(a.value(), Unit.COUNT),
                    Cell.of(a.low(), Unit.COUNT),
                    Cell.of(a.high(), Unit.COUNT));
        }
        add("assertions", "Assertions", "", List.of(table(table.build().withoutEmptyColumns(), "")));
    }

    private TableBlock table(DataTable table, String note) {
        return new TableBlock(table, Optional.of(model.provenance().source()), note);
    }

    private TableBlock plainTable(DataTable table, String note) {
        return new TableBlock(table, Optional.of(model.provenance().sourceWithoutIntervals()), note);
    }

    private void capacity() {
        List<Block> blocks = new ArrayList<>();
        if (!model.checks().isEmpty()) {
            DataTable.Builder table = DataTable.captioned("The same question asked in different ways")
                    .words("Check")
                    .words("Finds")
                    .words("Says")
                    .words("What kind of answer");
            for (Check check : model.checks()) {
                table.row(
                        Cell.words(check.name()),
                        Cell.words(check.result()),
                        check.level().map(l -> Cell.words(l.words())).orElse(new Cell.Missing("gives a bound")),
                        Cell.words(check.meaning()));
            }
            blocks.add(plainTable(table.build().withoutEmptyColumns(), ""));
        }
        if (!model.agreement().isEmpty()) {
            blocks.add(new Text(model.agreement()));
        }
        model.capacity().flatMap(CapacityResult::rule).ifPresent(r -> {
            blocks.add(plainTable(
                    LedgerTables.replicas(r), "A replica whose sessions use more than its whole cache cannot keep them all."));
            blocks.add(plainTable(LedgerTables.machine(r), ""));
        });
        charts(blocks, Place.CAPACITY);
        add("capacity", "Does it fit", "The rule first, then what a perfect cache could have had, then the simulation.", blocks);
    }

    private void charts(List<Block> blocks, Place place) {
        List<Chart> charts = model.charts(place);
        if (!charts.isEmpty()) {
            blocks.add(new Charts(charts));
        }
    }

    private void whatIf() {
        List<Block> blocks = new ArrayList<>();
        charts(blocks, Place.WHAT_IF);
        List<String> baselines = model.scenarios().stream().map(Scenario::baseline).distinct().toList();
        for (String baseline : baselines) {
            List<Scenario> own = model.scenarios().stream()
                    .filter(s -> s.baseline().equals(baseline) && !s.changes().isEmpty())
                    .toList();
            if (!own.isEmpty()) {
                blocks.add(plainTable(WhatIfTables.changes(baseline, own), ""));
            }
        }
        for (Scenario scenario : model.scenarios()) {
            Optional<Source> source = Optional.of(model.provenance().source(scenario.intervals()));
            String note = scenario.policies().size() > 1
                    ? "Bold is the best of its column, and what cannot be told apart from it."
                    : "";
            blocks.add(new TableBlock(WhatIfTables.policies(scenario), source, note));
            ComparisonTables.of(scenario).forEach(t -> blocks.add(new TableBlock(t, source, "")));
        }
        WhatIfTables.overflows(model.scenarios())
                .ifPresent(t -> blocks.add(plainTable(t, "The turn that went elsewhere, and the way back of the next one.")));
        add(
                "what-if",
                "What if",
                "The same requests, replayed under each policy.",
                blocks);
    }

    private void validation() {
        List<Block> blocks = new ArrayList<>();
        if (!model.accuracy().isEmpty()) {
            blocks.add(table(ValidationTables.accuracy(model.accuracy()), ""));
        }
        if (!model.comparisons().isEmpty()) {
            blocks.add(table(ValidationTables.lines(model.comparisons()), ""));
        }
        charts(blocks, Place.VALIDATION);
        add(
                "validation",
                "Predicted and measured",
                "What the simulation said beside what happened. On the line they are equal; between the dashes the error is"
                        + " tolerable.",
                blocks);
    }

    private void sessions() {
        List<Block> blocks = new ArrayList<>();
        if (!model.largestSessions().isEmpty()) {
            blocks.add(plainTable(sessionTable("Sessions with the longest contexts", model.largestSessions()), ""));
        }
        if (!model.costliestSessions().isEmpty()) {
            blocks.add(plainTable(sessionTable("Sessions computed again most", model.costliestSessions()), ""));
        }
        add("sessions", "Sessions to look at", "", blocks);
    }

    private static DataTable sessionTable(String caption, List<SessionRow> rows) {
        DataTable.Builder table = DataTable.captioned(caption)
                .words("Session")
                .numbers("First seen", Unit.SECONDS)
                .numbers("Turns", Unit.COUNT)
                .numbers("First context", Unit.TOKENS)
                .numbers("Last context", Unit.TOKENS)
                .numbers("Replicas visited", Unit.COUNT)
                .numbers("Computed again", Unit.TOKENS);
        for (SessionRow r : rows) {
            table.row(
                    Cell.words(r.sessionId()),
                    Cell.of(r.firstSeenS(), Unit.SECONDS),
                    Cell.of(r.turns(), Unit.COUNT),
                    Cell.of(r.contextFirst(), Unit.TOKENS),
                    Cell.of(r.contextLast(), Unit.TOKENS),
                    Cell.of(r.replicasVisited(), Unit.COUNT),
                    Cell.of(r.recomputedTokens(), Unit.TOKENS));
        }
        return table.build().withoutEmptyColumns();
    }

    private void provenance() {
        Provenance p = model.provenance();
        List<Facts.Entry> entries = new ArrayList<>();
        p.trace().ifPresent(t -> trace(entries, t));
        words(entries, "Offsets", p.offsets(), false);
        words(entries, "Machine", p.machine(), false);
        words(entries, "Capacity", Provenance.capacityWords(p.capacitySource()), false);
        p.cacheTokens().ifPresent(c -> number(entries, "Cache of a simulated replica", c, Unit.TOKENS));
        p.fleet().ifPresent(f -> fleet(entries, f));
        words(entries, "Intervals", p.intervals(), false);
        words(entries, "Command", p.command(), true);
        words(entries, "warmroute", p.version(), false);
        add("provenance", "Where the figures come from", "", entries.isEmpty() ? List.of() : List.of(new Facts(entries)));
    }

    private static void trace(List<Facts.Entry> entries, TraceSummary t) {
        words(entries, "Trace", t.source(), false);
        words(entries, "Content hash", t.hash(), true);
        number(entries, "Requests", t.requests(), Unit.COUNT);
        number(entries, "Sessions", t.sessions(), Unit.COUNT);
        if (t.withoutSession() > 0) {
            number(entries, "Requests without a session", t.withoutSession(), Unit.COUNT);
        }
        number(entries, "Prompt tokens", t.promptTokens(), Unit.TOKENS);
        number(entries, "Output tokens", t.outputTokens(), Unit.TOKENS);
        number(entries, "Span", t.spanS(), Unit.SECONDS);
    }

    private static void fleet(List<Facts.Entry> entries, FleetSummary f) {
        number(entries, "Simulated replicas", f.replicas(), Unit.COUNT);
        number(entries, "Block size", f.blockSize(), Unit.TOKENS);
        words(entries, "Replay", mode(f.mode()), false);
        words(entries, "Step times", f.timing(), false);
        number(entries, "Seeds", f.seeds(), Unit.COUNT);
        if (f.scrapeIntervalS() > 0) {
            number(entries, "Counters scraped every", f.scrapeIntervalS(), Unit.SECONDS);
        }
    }

    private static String mode(String mode) {
        return switch (mode) {
            case "serial" -> "one request after another, no timing";
            case "open" -> "recorded arrival times";
            case "partly_open" -> "sessions start at random, each turn after the one before";
            case "closed" -> "each turn after the one before, recorded gaps kept";
            default -> mode;
        };
    }

    private static void words(List<Facts.Entry> entries, String label, String value, boolean code) {
        if (!value.isEmpty()) {
            entries.add(new Facts.Entry(label, Cell.words(value), code));
        }
    }

    private static void number(List<Facts.Entry> entries, String label, double value, Unit unit) {
        entries.add(new Facts.Entry(label, Cell.of(value, unit), false));
    }

    private void definitions() {
        add("definitions", "Terms", "", List.of(new Section.Definitions(model.definitions())));
    }

    /** Metric with this field name. */
    static Metric metric(String field) {
        for (Metric metric : Metric.values()) {
            if (metric.field().equals(field)) {
                return metric;
            }
        }
        throw new IllegalArgumentException("no metric has the field " + field);
    }
}
