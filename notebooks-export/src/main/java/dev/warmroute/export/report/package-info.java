/**
 * The report: {@link dev.warmroute.export.report.ReportBuilder} collects results into a
 * {@link dev.warmroute.export.report.ReportModel}, and three writers tell it: one offline HTML page, Markdown, and JSON. A
 * figure that a reader sees is a figure in the JSON.
 */
package dev.warmroute.export.report;
