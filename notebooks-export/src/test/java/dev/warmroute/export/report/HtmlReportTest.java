package dev.warmroute.export.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

class HtmlReportTest {
    static List<ReportModel> models() {
        return List.of(SampleReports.full(), SampleReports.comparison(), SampleReports.fits());
    }

    @ParameterizedTest
    @MethodSource("models")
    void asksNobodyForAnything(ReportModel model) {
        ReportPage page = ReportPage.of(model);
        assertThat(page.text().replace("http://www.w3.org/2000/svg", "").replace("http-equiv", ""))
                .doesNotContain("http:", "https:", "//cdn", "@import", "<script", "<iframe", "<img");
        assertThat(page.withAttribute("src")).isEmpty();
        assertThat(page.withAttribute("href"))
                .allMatch(e -> e.getAttribute("href").startsWith("#")
                        || e.getAttribute("href").equals("data:,"));
        assertThat(page.text()).contains("default-src &#39;none&#39;");
        assertThat(page.text().replaceAll("url\\(#", "")).doesNotContain("url(");
    }

    @ParameterizedTest
    @MethodSource("models")
    void isStructuredForReadersWhoCannotSeeIt(ReportModel model) {
        ReportPage page = ReportPage.of(model);
        assertThat(page.root().getAttribute("lang")).isEqualTo("en");
        assertThat(page.all("h1")).hasSize(1);
        assertThat(page.all("main")).hasSize(1);
        int level = 0;
        for (Element heading : page.all("*").stream()
                .filter(e -> e.getTagName().matches("h[1-6]"))
                .toList()) {
            int next = heading.getTagName().charAt(1) - '0';
            assertThat(next).as(heading.getTextContent()).isLessThanOrEqualTo(level + 1);
            level = next;
        }
        for (Element table : page.all("table")) {
            assertThat(ReportPage.all(table, "caption")).as("caption").hasSize(1);
            assertThat(ReportPage.all(table, "th"))
                    .isNotEmpty()
                    .allMatch(th -> th.getAttribute("scope").matches("col|row"));
            assertThat(ReportPage.all(table, "tr"))
                    .allMatch(r -> ReportPage.all(r, "th").size() >= 1);
            Element region = (Element) table.getParentNode();
            assertThat(region.getAttribute("tabindex"))
                    .as("can be scrolled by keyboard")
                    .isEqualTo("0");
            assertThat(region.getAttribute("aria-label")).isNotBlank();
        }
        for (Element svg : page.all("svg")) {
            assertThat(svg.getAttribute("role").equals("img")
                            || svg.getAttribute("aria-hidden").equals("true"))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyLinkAndLabelLeadsSomewhere(ReportModel model) {
        ReportPage page = ReportPage.of(model);
        List<String> ids =
                page.withAttribute("id").stream().map(e -> e.getAttribute("id")).toList();
        assertThat(ids).doesNotHaveDuplicates();
        for (Element link : page.all("a")) {
            assertThat(ids).contains(link.getAttribute("href").substring(1));
        }
        for (Element labelled : page.withAttribute("aria-labelledby")) {
            assertThat(ids).contains(labelled.getAttribute("aria-labelledby").split(" "));
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyFigureNamesItsTraceAndItsInterval(ReportModel model) {
        ReportPage page = ReportPage.of(model);
        String trace = model.provenance().sourceWithoutIntervals().text();
        String start = trace.substring(0, trace.length() - 1);
        for (Element figure : page.all("figure")) {
            assertThat(sources(figure)).hasSize(1).allMatch(s -> s.startsWith(start));
        }
        for (Element table : page.all("table")) {
            boolean ofChart = hasAncestor(table, "details");
            if (!ofChart && !ReportPage.all(table, "data").isEmpty()) {
                assertThat(sources(table)).as(table.getTextContent()).hasSize(1).allMatch(s -> s.startsWith(start));
            }
            boolean ranges = ReportPage.all(table, "span").stream()
                    .anyMatch(s -> s.getAttribute("class").equals("range"));
            if (ranges && !ofChart) {
                assertThat(sources(table)).allMatch(s -> s.contains("Intervals: "));
            }
        }
    }

    private static List<String> sources(Element in) {
        return ReportPage.all(in, "span").stream()
                .filter(s -> s.getAttribute("class").equals("source"))
                .map(Element::getTextContent)
                .toList();
    }

    private static boolean hasAncestor(Element element, String name) {
        for (var node = element.getParentNode(); node instanceof Element e; node = node.getParentNode()) {
            if (e.getTagName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyFigureIsInTheJson(ReportModel model) {
        JsonNode json = new JsonReport().node(model);
        Set<Double> numbers = new HashSet<>();
        List<String> strings = new ArrayList<>();
        collect(json, numbers, strings);
        strings.sort(Comparator.comparingInt(String::length).reversed());
        ReportPage page = ReportPage.of(model);
        assertThat(page.all("data")).isNotEmpty();
        for (Element data : page.all("data")) {
            double value = Double.parseDouble(data.getAttribute("value"));
            assertThat(numbers).as(data.getTextContent()).contains(value);
            assertThat(Stream.of(Unit.values()).map(u -> u.digits(value))).contains(data.getTextContent());
        }
        for (ReportPage.Words words : page.words()) {
            if (!words.in().getTagName().equals("data") && !strings.contains(words.text())) {
                assertThat(withoutLabels(words.text(), strings))
                        .as(words.text())
                        .doesNotContainPattern("[0-9]");
            }
        }
    }

    /** What is left of a text without what the JSON says in words and without names such as TTFT p95 or r0. */
    private static String withoutLabels(String text, List<String> strings) {
        String left = text;
        for (String string : strings.stream().filter(s -> s.length() > 3).toList()) {
            left = left.replace(string, "");
        }
        return left.replaceAll("\\b(p(50|95)|r[0-9]+)\\b", "")
                .replace("95th percentile", "")
                .replaceAll("\\ball \\d+ replicas\\b", "");
    }

    private static void collect(JsonNode node, Set<Double> numbers, List<String> strings) {
        if (node.isNumber()) {
            numbers.add(node.asDouble());
        } else if (node.isTextual() && !node.asText().isEmpty()) {
            strings.add(node.asText());
        }
        node.forEach(child -> collect(child, numbers, strings));
    }

    @Test
    void theSameResultsGiveTheSameBytesWhateverTheMachine() {
        String english = new HtmlReport().render(SampleReports.full());
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            assertThat(new HtmlReport().render(SampleReports.full())).isEqualTo(english);
        } finally {
            Locale.setDefault(before);
        }
        assertThat(english).as("how long the computation took").doesNotContain("3.25 s", "wall");
    }

    @Test
    void whatAClientSaysStaysText() {
        String evil = "</style></title><script>alert(1)</script>\"' onload=x & \u0000\ud800";
        PolicyRow row = SampleReports.row(evil, 1000, 50, 1, 100, 5, 1, 2, 3, 4, 1, 50, 0, new TreeMap<>());
        TraceSummary trace = new TraceSummary(evil, evil, 1, 1, 0, 1000, 10, 60);
        ReportModel model = new ReportBuilder(evil)
                .machine(evil)
                .command(evil)
                .whatIf(
                        evil,
                        OptionalInt.empty(),
                        new WhatIfResult(trace, Optional.empty(), 1, evil, List.of(row, row)))
                .build();
        ReportPage page = ReportPage.of(model);
        assertThat(page.all("script")).isEmpty();
        assertThat(page.withAttribute("onload")).isEmpty();
        assertThat(page.text()).doesNotContain("<script");
        assertThat(page.all("h1").get(0).getTextContent())
                .startsWith("</style></title><script>alert(1)</script>\"' onload=x &");
    }

    @Test
    void aLargeTraceStillMakesASmallPage() {
        List<ReuseCurve.Point> curve = new ArrayList<>();
        for (int i = 1; i <= 100_000; i++) {
            curve.add(new ReuseCurve.Point(512L * i, 90 * (1 - Math.exp(-i / 20_000.0)) + (i % 7) * 1e-3));
        }
        CapacityResult capacity = new CapacityResult(
                Optional.of(SampleReports.TRACE),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.of(new ReuseCurve(5_000_000, 400_000, curve)),
                Optional.empty());
        ReportBuilder report = new ReportBuilder("Large").capacity(capacity);
        for (int s = 1; s <= 20; s++) {
            List<PolicyRow> rows = new ArrayList<>();
            for (int p = 0; p < 12; p++) {
                rows.add(SampleReports.row(
                        "policy" + p,
                        1_000_000,
                        50 + p,
                        1,
                        10_000 + 37 * p,
                        90,
                        1 + p,
                        9 + p,
                        60,
                        90,
                        3,
                        50,
                        1,
                        new TreeMap<>()));
            }
            report.whatIf(
                    s + " sessions",
                    OptionalInt.of(s),
                    new WhatIfResult(SampleReports.TRACE, Optional.empty(), 1, "seeds", rows));
        }
        ReportPage page = ReportPage.of(report.build());
        assertThat(page.text().length()).isLessThan(3_000_000);
        assertThat(page.all("svg")).isNotEmpty();
    }
}
