package dev.warmroute.export.report;

import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.SvgWriter;

/** Pictures for a browser: SVG in the page, in every size of a chart. */
final class InlinePictures implements Pictures {
    private final SvgWriter svg = new SvgWriter();

    @Override
    public void chart(Markup html, Chart chart) {
        for (Chart.Layout layout : chart.layouts()) {
            html.trusted(svg.inline(chart, layout));
        }
    }

    @Override
    public boolean unfolds() {
        return true;
    }

    /** For readers who do not go by colour. */
    @Override
    public String icon(Level level) {
        String path = switch (level) {
            case FITS -> "<circle cx=\"12\" cy=\"12\" r=\"11\"/><path d=\"M6.5 12.5l4 4 7-8.5\"/>";
            case EDGE -> "<path class=\"body\" d=\"M12 1.5L23 21.5H1Z\"/><path d=\"M12 9v6M12 17.6v1.4\"/>";
            case DOES_NOT_FIT ->
                "<path class=\"body\" d=\"M7.5 1h9L23 7.5v9L16.500 23h-9L1 16.500v-9Z\"/><path d=\"M8 8l8 8M16 8l-8 8\"/>";
            case COMPARED -> "<circle cx=\"12\" cy=\"12\" r=\"11\"/><path d=\"M7 16V11M12 16V7M17 16v-3\"/>";
        };
        return "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">" + path + "</svg>";
    }
}
