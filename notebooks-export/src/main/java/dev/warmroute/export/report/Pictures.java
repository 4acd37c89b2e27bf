package dev.warmroute.export.report;

import dev.warmroute.export.chart.Chart;

/** How a page shows pictures. */
interface Pictures {
    /** Writes the picture of a chart. */
    void chart(Markup html, Chart chart);

    /** The level of a verdict as a shape, as markup; may be empty. */
    String icon(Level level);

    /** Whether the figures of a chart can be unfolded below it. */
    boolean unfolds();
}
