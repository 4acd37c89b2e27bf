/**
 * An export: tables, pictures, the figures as JSON and a Jupyter notebook that reads them, in one directory.
 * {@link dev.warmroute.export.notebook.ExportDirectory} is what is written; where the rows come from is
 * {@link dev.warmroute.export.notebook.RecordedTables} for a recording and
 * {@link dev.warmroute.export.notebook.ReplayedTurns} for a what-if.
 */
package dev.warmroute.export.notebook;
