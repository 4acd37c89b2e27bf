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
        report.inside();
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
        DataTable.Builder table =
                DataTable.captioned("Assertions").words("Assertion").words("Outcome");
        table.numbers("Value", Unit.COUNT).numbers("Low", Unit.COUNT).numbers("High", Unit.COUNT);
        for (Assertion a : model.assertions()) {
            table.row(
                    Cell.words(a.text()),
                    Cell.words(a.ok() ? "passed" : "failed"),
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
        model.capacity()
                .flatMap(CapacityResult::checks)
                .filter(c -> !c.reasons().isEmpty())
                .ifPresent(c -> blocks.add(new Section.Bullets("What the differences mean", c.reasons())));
        model.capacity()
                .filter(c -> !c.limits().isEmpty())
                .ifPresent(c -> blocks.add(
                        plainTable(OutlookTables.limits(c.limits()), "The one with the fewest binds first.")));
        model.capacity()
                .filter(c -> !c.advice().isEmpty())
                .ifPresent(
                        c -> blocks.add(
                                plainTable(
                                        OutlookTables.advice(c.advice()),
                                        "Gained is against the fleet as it is; kept are the sessions of which the simulation loses little.")));
        model.capacity().flatMap(CapacityResult::rule).ifPresent(r -> {
            blocks.add(plainTable(
                    LedgerTables.replicas(r),
                    "A replica whose sessions use more than its whole cache cannot keep them all."));
            blocks.add(plainTable(LedgerTables.machine(r), ""));
        });
        charts(blocks, Place.CAPACITY);
        add(
                "capacity",
                "Does it fit",
                "The rule first, then what a perfect cache could have had, then the simulation.",
                blocks);
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
        List<String> baselines =
                model.scenarios().stream().map(Scenario::baseline).distinct().toList();
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
                .ifPresent(t ->
                        blocks.add(plainTable(t, "The turn that went elsewhere, and the way back of the next one.")));
        add("what-if", "What if", "The same requests, replayed under each policy.", blocks);
    }

    private void inside() {
        List<Block> blocks = new ArrayList<>();
        charts(blocks, Place.INSIDE);
        add(
                "inside",
                "Inside one replay",
                "What happened where, in the first replay of the baseline and of the policy that is ahead.",
                blocks);
    }

    private void validation() {
        List<Block> blocks = new ArrayList<>();
        for (Scenario scenario : model.scenarios()) {
            scenario.selfReplay()
                    .ifPresent(r -> blocks.add(plainTable(
                            ValidationTables.itself(r),
                            "If the simulator were the fleet, the rows would be equal: how far they are apart is how far any other figure"
                                    + " may be off.")));
        }
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
        model.runs().stream()
                .filter(r -> !r.growers().isEmpty() && model.largestSessions().isEmpty())
                .findFirst()
                .ifPresent(r -> blocks.add(plainTable(RunTables.growers(r), "")));
        model.runs().forEach(r -> RunTables.costs(r).forEach(t -> blocks.add(plainTable(t, ""))));
        add(
                "sessions",
                "Sessions to look at",
                "Cost is the time of computing the tokens again, with nothing beside it.",
                blocks);
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
        List<Facts.Entry> entries = ProvenanceFacts.of(model.provenance());
        add(
                "provenance",
                "Where the figures come from",
                "",
                entries.isEmpty() ? List.of() : List.of(new Facts(entries)));
    }

    private void definitions() {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Section.Definitions(model.definitions()));
        if (!model.caveats().isEmpty()) {
            blocks.add(new Section.Bullets("What to read the figures with", model.caveats()));
        }
        if (!model.leftOut().isEmpty()) {
            blocks.add(new Section.Bullets(
                    "Plots that these data do not allow",
                    model.leftOut().stream()
                            .map(d -> d.term() + ": " + d.meaning())
                            .toList()));
        }
        add("definitions", "Terms and caveats", "", blocks);
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
