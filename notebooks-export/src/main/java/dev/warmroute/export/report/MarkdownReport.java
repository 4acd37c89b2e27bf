package dev.warmroute.export.report;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Cell.Mark;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.DataTable.Column;
import dev.warmroute.export.report.Section.Block;
import dev.warmroute.export.report.Section.Bullets;
import dev.warmroute.export.report.Section.Charts;
import dev.warmroute.export.report.Section.Definitions;
import dev.warmroute.export.report.Section.Facts;
import dev.warmroute.export.report.Section.TableBlock;
import dev.warmroute.export.report.Section.Text;
import dev.warmroute.recorder.file.WholeFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes a report as Markdown, for a merge request or a wiki; a chart is told by its summary, its points are in the JSON. */
public final class MarkdownReport {
    private static final String SPECIAL = "\\`*_{}[]<>#|~";

    /** Returns the text. The same model gives the same text. */
    public String render(ReportModel model) {
        StringBuilder out = new StringBuilder();
        VerdictBox verdict = model.verdict();
        out.append("# ").append(escaped(model.title())).append("\n\n");
        model.doubt()
                .ifPresent(d -> out.append("> **")
                        .append(escaped(d.headline()))
                        .append(".** ")
                        .append(escaped(d.words()))
                        .append("\n\n"));
        out.append("**").append(escaped(verdict.headline())).append(".** ");
        out.append(escaped(verdict.recommendation())).append("\n");
        paragraph(out, verdict.answer());
        paragraph(out, verdict.confidence());
        if (!verdict.facts().isEmpty()) {
            out.append("\n");
            for (Fact fact : verdict.facts()) {
                out.append("- ").append(escaped(fact.label())).append(": **").append(escaped(withUnit(fact.value())));
                out.append("**")
                        .append(fact.note().isEmpty() ? "" : " (" + escaped(fact.note()) + ")")
                        .append("\n");
            }
        }
        for (Section section : ReportSections.of(model)) {
            out.append("\n## ").append(escaped(section.title())).append("\n");
            paragraph(out, section.lead());
            section.blocks().forEach(b -> block(out, b));
        }
        return out.toString();
    }

    /** Writes it to a file; its directory is made if it is missing. */
    public void write(ReportModel model, Path file) {
        WholeFile.save(file, render(model));
    }

    private static void paragraph(StringBuilder out, String words) {
        if (!words.isEmpty()) {
            out.append("\n").append(escaped(words)).append("\n");
        }
    }

    private static void block(StringBuilder out, Block block) {
        switch (block) {
            case Text text -> paragraph(out, text.words());
            case TableBlock table -> table(out, table);
            case Charts charts -> charts(out, charts.charts());
            case Facts facts -> {
                out.append("\n");
                for (Facts.Entry entry : facts.entries()) {
                    String value = entry.code() ? code(entry.value().text()) : escaped(withUnit(entry.value()));
                    out.append("- ")
                            .append(escaped(entry.label()))
                            .append(": ")
                            .append(value)
                            .append("\n");
                }
            }
            case Bullets bullets -> {
                out.append("\n").append(escaped(bullets.heading())).append(":\n\n");
                bullets.sentences()
                        .forEach(s -> out.append("- ").append(escaped(s)).append("\n"));
            }
            case Definitions definitions -> {
                out.append("\n");
                for (Definition term : definitions.terms()) {
                    out.append("- **")
                            .append(escaped(term.term()))
                            .append("**: ")
                            .append(escaped(term.meaning()))
                            .append("\n");
                }
            }
        }
    }

    private static void table(StringBuilder out, TableBlock block) {
        DataTable table = block.table();
        out.append("\n").append(escaped(table.caption())).append(":\n\n|");
        table.columns().forEach(c -> out.append(' ').append(escaped(c.head())).append(" |"));
        out.append("\n|");
        for (Column column : table.columns()) {
            out.append(column.numeric() ? "---:|" : "---|");
        }
        for (List<Cell> row : table.rows()) {
            out.append("\n|")
                    .append(row.stream().map(MarkdownReport::cell).collect(Collectors.joining("|")))
                    .append("|");
        }
        out.append("\n");
        paragraph(out, block.note());
        block.source().ifPresent(s -> out.append("\n").append(escaped(s.text())).append("\n"));
    }

    private static String cell(Cell cell) {
        String text = escaped(cell.text());
        if (cell instanceof Cell.Number number) {
            String mark = number.mark() == Mark.BEST ? "**" : number.mark() == Mark.BAD ? "*" : "";
            String range = number.visibleRange()
                    .map(r -> " (" + number.unit().digits(r.low()) + " to "
                            + number.unit().digits(r.high()) + ")")
                    .orElse("");
            return " " + mark + text + mark + range + " ";
        }
        return " " + text + " ";
    }

    private static void charts(StringBuilder out, List<Chart> charts) {
        for (Chart chart : charts) {
            out.append("\n**")
                    .append(escaped(chart.title()))
                    .append(".** ")
                    .append(escaped(chart.summary()))
                    .append("\n");
            out.append(escaped(chart.source().text())).append("\n");
        }
    }

    private static String withUnit(Cell cell) {
        return cell instanceof Cell.Number number ? number.unit().text(number.value()) : cell.text();
    }

    private static String code(String text) {
        return text.contains("`") ? "`` " + text.replace('\n', ' ') + " ``" : "`" + text.replace('\n', ' ') + "`";
    }

    /** Takes the meaning away from characters that Markdown or HTML would read. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (SPECIAL.indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c == '\n' || c == '\r' ? ' ' : c);
        }
        return escaped.toString();
    }
}
