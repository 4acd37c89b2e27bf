package dev.warmroute.export.report;

import dev.warmroute.export.chart.ChartTheme;
import dev.warmroute.export.report.Section.Block;
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
        html.open("body").element("a", "Skip to the evidence", "class", "skip", "href", "#" + sections.get(0).id());
        html.open("header", "class", "mast").element("p", "warmroute report", "class", "brand");
        html.element("h1", model.title());
        html.element("p", model.provenance().sourceWithoutIntervals().text(), "class", "source").close();
        verdict(html, model.verdict());
        html.open("div", "class", "frame");
        contents(html, sections);
        html.open("main");
        HtmlParts parts = new HtmlParts(html);
        for (Section section : sections) {
            html.open("section", "id", section.id(), "aria-labelledby", section.id() + "-h");
            html.element("h2", section.title(), "id", section.id() + "-h");
            if (!section.lead().isEmpty()) {
                html.element("p", section.lead(), "class", "lead");
            }
            for (Block block : section.blocks()) {
                parts.block(block);
            }
            html.close();
        }
        return html.close().close().close().close().trusted("\n").done();
    }

    /**
     * Writes the page to a file; its directory is made if it is missing.
     *
     * @throws UserError when the file cannot be written
     */
    public void write(ReportModel model, Path file) {
        ReportFiles.write(file, render(model));
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

    private static void verdict(Markup html, VerdictBox verdict) {
        html.open("section", "class", "verdict " + verdict.level().wireName().replace('_', '-'), "aria-labelledby", "verdict");
        html.open("p", "class", "word", "id", "verdict").trusted(icon(verdict.level())).text(verdict.headline()).close();
        if (!verdict.recommendation().isEmpty()) {
            html.element("p", verdict.recommendation(), "class", "advice");
        }
        if (!verdict.facts().isEmpty()) {
            HtmlParts parts = new HtmlParts(html);
            html.open("dl", "class", "tiles");
            for (Fact fact : verdict.facts()) {
                html.open("div").element("dt", fact.label()).open("dd");
                parts.value(fact.value());
                if (!fact.note().isEmpty()) {
                    html.element("span", fact.note(), "class", "tile-note");
                }
                html.close().close();
            }
            html.close();
        }
        if (!verdict.answer().isEmpty()) {
            html.element("p", verdict.answer());
        }
        if (!verdict.confidence().isEmpty()) {
            html.element("p", verdict.confidence(), "class", "confidence");
        }
        html.close();
    }

    /** The level as a shape, for readers who do not go by colour. */
    private static String icon(Level level) {
        String path =
                switch (level) {
                    case FITS -> "<circle cx=\"12\" cy=\"12\" r=\"11\"/><path d=\"M6.5 12.5l4 4 7-8.5\"/>";
                    case EDGE -> "<path class=\"body\" d=\"M12 1.5L23 21.5H1Z\"/><path d=\"M12 9v6M12 17.6v1.4\"/>";
                    case DOES_NOT_FIT ->
                        "<path class=\"body\" d=\"M7.5 1h9L23 7.5v9L16.500 23h-9L1 16.500v-9Z\"/><path d=\"M8 8l8 8M16 8l-8 8\"/>";
                    case COMPARED -> "<circle cx=\"12\" cy=\"12\" r=\"11\"/><path d=\"M7 16V11M12 16V7M17 16v-3\"/>";
                };
        return "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">" + path + "</svg>";
    }

    private static void contents(Markup html, List<Section> sections) {
        html.open("nav", "aria-label", "Contents").open("ol");
        for (Section section : sections) {
            html.open("li").element("a", section.title(), "href", "#" + section.id()).close();
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
