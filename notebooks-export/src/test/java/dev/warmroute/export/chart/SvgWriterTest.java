package dev.warmroute.export.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.warmroute.export.GoldenFile;
import dev.warmroute.export.figure.Metric;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgWriterTest {
    private final SvgWriter writer = new SvgWriter();

    static List<Chart> charts() {
        return SampleCharts.all();
    }

    @ParameterizedTest
    @MethodSource("charts")
    void isAnImageWithANameAndADescription(Chart chart) throws Exception {
        for (Chart.Layout layout : chart.layouts()) {
            Element svg = parse(writer.inline(chart, layout));
            assertThat(svg.getAttribute("role")).isEqualTo("img");
            String[] labels = svg.getAttribute("aria-labelledby").split(" ");
            assertThat(labels).hasSize(2);
            Element title = (Element) svg.getFirstChild(), description = (Element) title.getNextSibling();
            assertThat(title.getAttribute("id")).isEqualTo(labels[0]);
            assertThat(title.getTextContent()).isEqualTo(chart.title());
            assertThat(description.getAttribute("id")).isEqualTo(labels[1]);
            assertThat(description.getTextContent()).isEqualTo(chart.summary()).isNotBlank();
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void hasNoColourOfItsOwnAndRefersToNothingOutside(Chart chart) {
        for (Chart.Layout layout : chart.layouts()) {
            String svg = writer.inline(chart, layout);
            assertThat(svg).doesNotContain("rgb(", "style=", "font-family", "href", "<image", "<script");
            assertThat(svg.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
            assertThat(svg.length()).as("size").isLessThan(60_000);
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void idsAreThoseOfTheChartAndEveryClipIsDefined(Chart chart) throws Exception {
        for (Chart.Layout layout : chart.layouts()) {
            Element svg = parse(writer.inline(chart, layout));
            List<String> ids = new ArrayList<>();
            NodeList all = svg.getElementsByTagName("*");
            for (int i = 0; i < all.getLength(); i++) {
                String id = ((Element) all.item(i)).getAttribute("id");
                if (!id.isEmpty()) {
                    ids.add(id);
                }
            }
            assertThat(ids)
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id.startsWith(chart.id() + '-' + layout.name() + '-'));
            for (int i = 0; i < all.getLength(); i++) {
                String clip = ((Element) all.item(i)).getAttribute("clip-path");
                if (!clip.isEmpty()) {
                    assertThat(ids).contains(clip.substring("url(#".length(), clip.length() - 1));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void isDrawnTheSameAgain(Chart chart) {
        assertThat(writer.document(chart)).isEqualTo(writer.document(chart));
    }

    /** Fonts of the machine, time and locale would show here. */
    @Test
    void isTheSameOnEveryMachine() {
        GoldenFile.named("policy-hit.svg").check(writer.document(SampleCharts.byPolicy()));
    }

    @Test
    void everyTextIsTextAndFitsTheMeasuredWidth() throws Exception {
        Element svg = parse(writer.inline(
                SampleCharts.byPolicy(), SampleCharts.byPolicy().layouts().get(0)));
        NodeList texts = svg.getElementsByTagName("text");
        List<String> words = new ArrayList<>();
        for (int i = 0; i < texts.getLength(); i++) {
            Element text = (Element) texts.item(i);
            words.add(text.getTextContent().strip());
            assertThat(Double.parseDouble(text.getAttribute("textLength"))).isPositive();
        }
        assertThat(words)
                .contains("random", "round_robin", "least_in_flight", "hash", "warden", "51.3", "Prefix hit, %", "40");
    }

    @Test
    void namesAreEscaped() throws Exception {
        String name = "a<b&\"c\" '</svg><script>";
        ByPolicy chart = new ByPolicy(
                "odd",
                name,
                Metric.HIT_PCT,
                List.of(new ByPolicy.Row(name, 0, 1, Optional.empty())),
                SampleCharts.SOURCE);
        Element svg = parse(writer.inline(chart, chart.layouts().get(0)));
        assertThat(svg.getFirstChild().getTextContent()).isEqualTo(name);
        assertThat(svg.getElementsByTagName("script").getLength()).isZero();
        assertThat(svg.getTextContent()).contains(name);
    }

    @Test
    void aTextInAFontOfTheMachineIsRefused() {
        MeasuredGraphics graphics =
                new MeasuredGraphics(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics());
        assertThatIllegalStateException()
                .isThrownBy(() -> graphics.getFontMetrics(new Font(Font.SANS_SERIF, Font.PLAIN, 12)))
                .withMessageContaining("fonts");
    }

    private static Element parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getDocumentElement();
    }
}
