package dev.warmroute.export.report;

import dev.warmroute.export.report.Section.Block;

/** The parts of a page, whatever it is written for. */
final class HtmlBody {
    private final Markup html;
    private final Pictures pictures;
    private final HtmlParts parts;

    HtmlBody(Markup html, Pictures pictures) {
        this.html = html;
        this.pictures = pictures;
        this.parts = new HtmlParts(html, pictures);
    }

    void doubt(Doubt doubt) {
        html.open("section", "class", "doubt", "aria-labelledby", "doubt")
                .element("h2", doubt.headline(), "id", "doubt");
        html.element("p", doubt.words()).close();
    }

    void verdict(VerdictBox verdict) {
        html.open(
                "section",
                "class",
                "verdict " + verdict.level().wireName().replace('_', '-'),
                "aria-labelledby",
                "verdict");
        html.open("p", "class", "word", "id", "verdict")
                .trusted(pictures.icon(verdict.level()))
                .text(verdict.headline())
                .close();
        if (!verdict.recommendation().isEmpty()) {
            html.element("p", verdict.recommendation(), "class", "advice");
        }
        if (!verdict.facts().isEmpty()) {
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

    void section(Section section) {
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
}
