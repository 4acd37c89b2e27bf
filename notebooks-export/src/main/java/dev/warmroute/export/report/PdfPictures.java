package dev.warmroute.export.report;

import com.openhtmltopdf.extend.FSObjectDrawer;
import com.openhtmltopdf.extend.FSObjectDrawerFactory;
import com.openhtmltopdf.extend.OutputDevice;
import com.openhtmltopdf.render.RenderingContext;
import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import dev.warmroute.export.chart.Chart;
import dev.warmroute.export.chart.ChartPainter;
import dev.warmroute.export.report.ReportModel.PlacedChart;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;
import org.w3c.dom.Element;

/** Charts in a PDF: an object of the page names a chart, which is drawn in its place. */
final class PdfPictures implements Pictures, FSObjectDrawerFactory, FSObjectDrawer, Closeable {
    private static final String TYPE = "application/x-warmroute-chart";
    /** CSS pixels across a page's text. */
    private static final double PAGE = 680;
    /** Across one of two columns of them. */
    private static final double HALF_PAGE = 322;

    private final Map<String, Chart> charts = new HashMap<>();
    private final PdfTextDrawer text = new PdfTextDrawer();

    PdfPictures(ReportModel model) {
        for (PlacedChart placed : model.charts()) {
            charts.put(placed.chart().id(), placed.chart());
        }
    }

    @Override
    public void chart(Markup html, Chart chart) {
        Chart.Layout layout = chart.layouts().get(0);
        double scale = (layout.isWide() ? PAGE : HALF_PAGE) / layout.width();
        html.open(
                "object",
                "type",
                TYPE,
                "data",
                chart.id(),
                "title",
                chart.title(),
                "style",
                "width:" + Math.round(layout.width() * scale) + "px;height:" + Math.round(layout.height() * scale)
                        + "px");
        html.close();
    }

    @Override
    public String icon(Level level) {
        return "";
    }

    @Override
    public boolean unfolds() {
        return false;
    }

    @Override
    public FSObjectDrawer createDrawer(Element element) {
        return this;
    }

    @Override
    public boolean isReplacedObject(Element element) {
        return element.getAttribute("type").equals(TYPE);
    }

    @Override
    public Map<Shape, String> drawObject(
            Element element,
            double x,
            double y,
            double width,
            double height,
            OutputDevice device,
            RenderingContext context,
            int dotsPerPixel) {
        Chart chart = charts.get(element.getAttribute("data"));
        float w = (float) width / dotsPerPixel, h = (float) height / dotsPerPixel;
        device.drawWithGraphics((float) x, (float) y, w, h, g -> {
            Graphics2D graphics = g;
            if (graphics instanceof PdfBoxGraphics2D pdf) {
                pdf.setFontTextDrawer(text);
            }
            Chart.Layout layout = chart.layouts().get(0);
            graphics.scale(w / layout.width(), h / layout.height());
            ChartPainter.paint(chart, layout, graphics);
        });
        return Map.of();
    }

    @Override
    public void close() {
        text.close();
    }
}
