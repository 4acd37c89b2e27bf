package dev.warmroute.export.notebook;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.table.TableSchema;
import dev.warmroute.export.table.TableSet.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The notebook of an export: the sections that its tables allow, and its charts. */
final class ExportNotebook {
    private ExportNotebook() {}

    /**
     * @param charts those that were drawn, and {@code extension} of their files; may be empty
     */
    static Notebook of(Findings found, List<Written> tables, List<Chart> charts, String extension) {
        Set<TableSchema<?>> there = tables.stream().map(Written::schema).collect(Collectors.toSet());
        List<Notebook.Cell> cells = new ArrayList<>();
        cells.add(new Notebook.Cell("title", false, head(found, tables)));
        cells.addAll(NotebookSection.split("begin", NotebookSection.resource("begin.md")));
        for (NotebookSection section : NotebookSection.values()) {
            if (section.allowedBy(there)) {
                cells.addAll(section.cells());
            }
        }
        if (!charts.isEmpty()) {
            cells.add(new Notebook.Cell("charts", false, pictures(charts, extension)));
        }
        return new Notebook(cells);
    }

    private static String head(Findings found, List<Written> tables) {
        StringBuilder text = new StringBuilder();
        text.append("# ").append(found.title()).append("\n\n");
        text.append("""
                Written by `warmroute export`. It reads the Parquet files beside it with [DuckDB](https://duckdb.org)
                (`pip install jupyter duckdb`) and runs from top to bottom; start it in its own directory. Each cell is a query to
                change. Every table has a column `schema_version`; units and meanings of the columns are in the files' metadata
                (`select * from parquet_kv_metadata('tables/turns.parquet')`) and in warmroute's `docs/NOTEBOOKS.md`.

                | table | rows | a row is |
                |---|---:|---|
                """);
        for (Written table : tables) {
            text.append("| `").append(table.schema().name()).append("` | ");
            text.append(String.format(Locale.ROOT, "%,d", table.rows())).append(" | ");
            text.append(table.schema().meaning()).append(" |\n");
        }
        if (!found.remarks().isEmpty()) {
            text.append("\nTo be read with the figures:\n\n");
            found.remarks().forEach(r -> text.append("- ").append(r).append('\n'));
        }
        return text.toString();
    }

    private static String pictures(List<Chart> charts, String extension) {
        StringBuilder text = new StringBuilder("## The report's charts\n");
        for (Chart chart : charts) {
            text.append("\n![")
                    .append(chart.title())
                    .append("](charts/")
                    .append(chart.id())
                    .append('.')
                    .append(extension);
            text.append(")\n\n").append(chart.summary()).append('\n');
        }
        return text.toString();
    }
}
