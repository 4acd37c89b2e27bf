/**
 * Charts: each is an immutable record that holds its data, says in words what it shows, and draws itself through JFreeChart.
 * {@link dev.warmroute.export.chart.SvgWriter} writes it as SVG that follows the reader's light or dark theme,
 * {@link dev.warmroute.export.chart.PngWriter} as a picture.
 */
package dev.warmroute.export.chart;
