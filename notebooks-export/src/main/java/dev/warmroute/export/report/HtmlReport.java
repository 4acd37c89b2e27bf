package dev.warmroute.export.report;

import dev.warmroute.export.chart.ChartTheme;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes a report as one HTML page that needs nothing else: no script, no font, no request to anywhere. It follows the
 * reader's light or dark theme, prints, and works from 360 pixels on and by keyboard.
 */
public final class HtmlReport {
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

    /** Returns the page. The same model gives the same page. */
    public String render(ReportModel model) {
        List<Section> sections = ReportSections.of(model);
        Markup html = new Markup().trusted("<!DOCTYPE html>");
        html.open("html", "lang", "en");
        head(html, model);
        html.open("body")
                .element(
                        "a",
                        "Skip to the evidence",
                        "class",
                        "skip",
                        "href",
                        "#" + sections.get(0).id());
        html.open("header", "class", "mast").element("p", "warmroute report", "class", "brand");
        html.element("h1", model.title());
        html.element("p", model.provenance().sourceWithoutIntervals().text(), "class", "source")
                .close();
        HtmlBody body = new HtmlBody(html, new InlinePictures());
        model.doubt().ifPresent(body::doubt);
        body.verdict(model.verdict());
        html.open("div", "class", "frame");
        contents(html, sections);
        html.open("main");
        sections.forEach(body::section);
        return html.close().close().close().close().trusted("\n").done();
    }

    /**
     * Writes the page to a file; its directory is made if it is missing.
     *
     * @throws UserError when the file cannot be written
     */
    public void write(ReportModel model, Path file) {
        WholeFile.save(file, render(model));
    }

    private static void head(Markup html, ReportModel model) {
        html.open("head").open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
        html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.open("meta", "name", "color-scheme", "content", "light dark");
        html.open("link", "rel", "icon", "href", "data:,");
        html.element("title", model.title() + " - " + model.verdict().headline());
        html.open("style").trusted(css() + ChartTheme.css()).close().close();
    }

    private static void contents(Markup html, List<Section> sections) {
        html.open("nav", "aria-label", "Contents").open("ol");
        for (Section section : sections) {
            html.open("li")
                    .element("a", section.title(), "href", "#" + section.id())
                    .close();
        }
        html.close().close();
    }

    private static String css() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("report.css cannot be read", e);
        }
    }
}
