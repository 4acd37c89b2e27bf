package dev.warmroute.export.notebook;

import dev.warmroute.export.table.Column;
import dev.warmroute.export.table.TableSchema;
import dev.warmroute.export.table.Tables;

/** Writes docs/NOTEBOOKS.md from the tables' schemas. */
final class NotebooksDocument {
    private static final String HEAD = """
            # Tables and notebooks

            ```
            warmroute export data/real-vllm-fleet --out ./export
            warmroute export workload:lm-warden --out ./export --sessions 16 --policy random,warden
            ```

            `export` writes one directory: `tables/*.parquet` and `tables/*.csv`, `charts/*.svg` (or `.png`), `report.json` with the figures of
            the same run, `notebook.ipynb` and `export.json`, which lists the others. An earlier export in the directory is replaced
            once the new one is whole: an export that fails or is stopped leaves it as it was. Anything else is left alone and refused. The
            same input gives the same bytes, for any number of threads; PNG charts also
            depend on the machine's fonts. Rows are written as they come: memory grows with what a replay itself needs, and for a
            recording with its sessions, its distinct prompt blocks and a few hundred bytes a request, not with the tables.

            | input | tables |
            |---|---|
            | a recording of a router | `turns` as measured (seed 0), `decisions`, `replica_ts`, `sessions`, `rule`, `mrc`, `sweep` as measured |
            | any other trace | `turns` as far as its format says, `sessions`, `mrc`; `rule` with a cache (`--usable-blocks`, or `--model` and `--gpu`) |
            | with `--policy` | also every request of every replay in `turns`, and `sweep` of the what-if instead of the measured one; `validation` when a recording is replayed on its own fleet under a policy that it was recorded with |

            A table without a row is left out. Every table has the column `schema_version`; within a version, columns are only added. What
            is not known is null, never 0. Parquet has lists as lists, CSV joins them by semicolons. Units and meanings are in the
            metadata of each Parquet file: `select * from parquet_kv_metadata('tables/turns.parquet')`.

            ## The notebook

            `pip install jupyter duckdb`, then `jupyter lab notebook.ipynb` in its directory. It runs from top to bottom: hits by policy,
            percentiles of the time to first token, causes of misses, intervals, the rule, the reuse curve, growth of contexts, sessions,
            decisions, replicas, predicted and measured, as far as the tables are there; each cell is a query to change. Its last cell
            holds what it computed from single requests against `report.json` and fails where they differ. `ExportNotebookTest` executes
            it with a Python that has DuckDB: `python3`, or the one that `-Dwarmroute.python` or `WARMROUTE_PYTHON` names; it is
            skipped without one. `.ci/run` makes such a Python.

            This page is generated from the schemas, `notebooks-export/.../table/*Row.java`; a test fails when it is out of date, and
            `mvn -pl notebooks-export -am test -Dtest=NotebooksDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -Dupdate` writes
            it anew.
            """;

    private NotebooksDocument() {}

    static String markdown() {
        StringBuilder out = new StringBuilder(HEAD);
        for (TableSchema<?> table : Tables.all()) {
            out.append("\n## ")
                    .append(table.name())
                    .append("\n\nA row is ")
                    .append(table.meaning())
                    .append(".\n\n");
            out.append("| column | type | unit | what it holds |\n|---|---|---|---|\n");
            for (Column<?> column : table.columns()) {
                out.append("| `")
                        .append(column.name())
                        .append("` | ")
                        .append(type(column.kind()))
                        .append(" | ");
                out.append(column.unit().symbol())
                        .append(" | ")
                        .append(column.meaning())
                        .append(" |\n");
            }
        }
        return out.toString();
    }

    private static String type(Column.Kind kind) {
        return switch (kind) {
            case TEXT -> "text";
            case WHOLE -> "integer";
            case NUMBER -> "double";
            case FLAG -> "boolean";
            case TEXTS -> "list of text";
            case NUMBERS -> "list of double";
        };
    }
}
