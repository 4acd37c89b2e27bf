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
import java.util.List;

/**
 * Writes the blocks of a section. Every figure stands in a {@code data} element with the number itself as its value, so that
 * a page can be read by programs and held against the JSON.
 */
final class HtmlParts {
    private final Markup html;
    private final Pictures pictures;

    HtmlParts(Markup html, Pictures pictures) {
        this.html = html;
        this.pictures = pictures;
    }

    void block(Block block) {
        switch (block) {
            case Text text -> html.element("p", text.words());
            case TableBlock table -> table(table);
            case Charts charts -> charts(charts.charts());
            case Facts facts -> facts(facts);
            case Bullets bullets -> bullets(bullets);
            case Definitions definitions -> definitions(definitions);
        }
    }

    private void table(TableBlock block) {
        scrolling(block.table());
        html.open("table").open("caption").element("span", block.table().caption(), "class", "caption");
        block.source().ifPresent(s -> html.element("span", s.text(), "class", "source"));
        html.close();
        rows(block.table());
        html.close().close();
        if (!block.note().isEmpty()) {
            html.element("p", block.note(), "class", "note");
        }
    }

    /** Opens what a wide table scrolls in, by keyboard too. */
    private void scrolling(DataTable table) {
        html.open("div", "class", "scroll", "role", "region", "aria-label", table.caption(), "tabindex", "0");
    }

    private void rows(DataTable table) {
        html.open("thead").open("tr");
        for (Column column : table.columns()) {
            html.open("th", "scope", "col", "class", column.numeric() ? "n" : "")
                    .text(column.name());
            if (!column.unit().isEmpty()) {
                html.text(" ").element("span", column.unit(), "class", "unit");
            }
            html.close();
        }
        html.close().close().open("tbody");
        for (List<Cell> row : table.rows()) {
            html.open("tr");
            for (int i = 0; i < row.size(); i++) {
                cell(row.get(i), i == 0, table.columns().get(i).numeric());
            }
            html.close();
        }
        html.close();
    }

    private void cell(Cell cell, boolean head, boolean numeric) {
        if (head) {
            html.open("th", "scope", "row").text(cell.text()).close();
            return;
        }
        html.open("td", "class", numeric ? "n" : "");
        switch (cell) {
            case Cell.Words words -> html.text(words.text());
            case Cell.Missing missing -> missing(missing);
            case Cell.Number number -> {
                String element = number.mark() == Mark.NONE ? "" : number.mark() == Mark.BEST ? "strong" : "em";
                if (!element.isEmpty()) {
                    html.open(element, "class", number.mark() == Mark.BAD ? "bad" : "");
                }
                data(number.value(), number.text());
                if (!element.isEmpty()) {
                    html.close();
                }
                number.visibleRange().ifPresent(r -> {
                    html.open("span", "class", "range");
                    data(r.low(), number.unit().digits(r.low()));
                    html.text(" to ");
                    data(r.high(), number.unit().digits(r.high()));
                    html.close();
                });
            }
        }
        html.close();
    }

    private void missing(Cell.Missing missing) {
        html.open("span", "class", "missing", "title", missing.why());
        html.open("span", "aria-hidden", "true").text(missing.text()).close();
        html.element("span", missing.why(), "class", "hidden").close();
    }

    private void data(double value, String text) {
        html.element("data", text, "value", JsonNumbers.text(value));
    }

    /** A value with its unit. */
    void value(Cell cell) {
        switch (cell) {
            case Cell.Number number -> {
                data(number.value(), number.text());
                if (!number.unit().symbol().isEmpty()) {
                    html.text(" ").element("span", number.unit().symbol(), "class", "unit");
                }
            }
            case Cell.Words words -> html.text(words.text());
            case Cell.Missing missing -> missing(missing);
        }
    }

    private void charts(List<Chart> charts) {
        html.open("div", "class", "charts");
        for (Chart chart : charts) {
            boolean wide = chart.layouts().size() > 1;
            html.open("figure", "class", wide ? "wide" : "", "id", "chart-" + chart.id());
            html.element("h3", chart.title());
            pictures.chart(html, chart);
            html.open("figcaption").text(chart.summary());
            html.element("span", chart.source().text(), "class", "source").close();
            if (pictures.unfolds()) {
                figures(chart);
            }
            html.close();
        }
        html.close();
    }

    private void figures(Chart chart) {
        html.open("details").element("summary", "Figures of this chart");
        scrolling(chart.data());
        html.open("table").element("caption", chart.data().caption(), "class", "hidden");
        rows(chart.data());
        html.close().close().close();
    }

    private void facts(Facts facts) {
        html.open("dl", "class", "facts");
        for (Facts.Entry entry : facts.entries()) {
            html.element("dt", entry.label()).open("dd");
            if (entry.code()) {
                html.element("code", entry.value().text());
            } else {
                value(entry.value());
            }
            html.close();
        }
        html.close();
    }

    private void bullets(Bullets bullets) {
        html.element("h3", bullets.heading()).open("ul", "class", "notes");
        bullets.sentences().forEach(s -> html.element("li", s));
        html.close();
    }

    private void definitions(Definitions definitions) {
        html.open("dl", "class", "terms");
        for (Definition term : definitions.terms()) {
            html.element("dt", term.term()).element("dd", term.meaning());
        }
        html.close();
    }
}
