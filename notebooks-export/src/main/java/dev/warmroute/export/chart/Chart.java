package dev.warmroute.export.chart;

import dev.warmroute.export.figure.DataTable;
import java.util.List;
import org.jfree.chart.JFreeChart;

/**
 * A chart: its data, what it says in words, and how it is drawn. Immutable. A new chart is a record here and its name in the
 * list of permitted ones.
 */
public sealed interface Chart
        permits ByPolicy,
                BySessions,
                CacheOccupancy,
                ColdAndWarm,
                ContextByTurn,
                HitByCapacity,
                LoadOverTime,
                OutputVsWait,
                PredictedVsMeasured,
                PromptTokens,
                ReplicaLoad,
                ReuseHistogram,
                SessionLanes,
                TokenRate,
                TtftPercentiles {

    /** Identifier within a report: lower case letters, digits and dashes. */
    String id();

    /** Plot of the modelling notes that it is, {@code P1} to {@code P13}. */
    String plot();

    /** What is drawn. */
    String title();

    /** What it shows, in a sentence or two with figures; the text alternative of the picture. */
    String summary();

    Source source();

    /** Every figure drawn, as a table. */
    DataTable data();

    /** Sizes it is drawn in, the widest first. */
    List<Layout> layouts();

    /** Draws it. */
    JFreeChart draw(ChartStyle style, Layout layout);

    /**
     * Size of a drawing.
     *
     * @param width in CSS pixels; text keeps its size, so a narrow layout is another drawing and not a smaller one
     */
    record Layout(String name, int width, int height) {
        /** Across the page. */
        static Layout wide(int height) {
            return new Layout("wide", 760, height);
        }

        /** Across a telephone. */
        static Layout narrow(int height) {
            return new Layout("narrow", 350, height);
        }

        /** One of several side by side, or across a telephone. */
        static Layout small(int height) {
            return new Layout("small", 370, height);
        }

        /** Whether it goes across a page. */
        public boolean isWide() {
            return width > 500;
        }
    }
}
