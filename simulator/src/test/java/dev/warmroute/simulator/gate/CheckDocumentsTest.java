package dev.warmroute.simulator.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.gate.Judgement.Outcome;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What a check writes for build servers and merge requests. */
class CheckDocumentsTest {
    private static final String NASTY = "a<b>&\"'|`\u0001\u00e9\n]]>";

    private static Judgement judgement(String text, Outcome outcome) {
        return new Judgement(
                text,
                outcome,
                OptionalDouble.of(71.25),
                OptionalDouble.of(70.5),
                OptionalDouble.of(72),
                OptionalDouble.of(70),
                OptionalDouble.empty(),
                "%",
                "71.25 % (70.50 % to 72.00 %)");
    }

    private static CheckResult result(boolean faithful) {
        SelfReplay.Figures figures = new SelfReplay.Figures(
                100, 50, 10, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        PolicyRow row = new PolicyRow(
                NASTY,
                1,
                2,
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
        return new CheckResult(
                new Evidence(
                        List.of(
                                judgement("hit>=70%", Outcome.OK),
                                judgement(NASTY, Outcome.FAILED),
                                judgement("hit>=71%", Outcome.TOO_UNCERTAIN)),
                        new PolicyIdentity("warden", 1, "0123", Map.of()),
                        Optional.empty(),
                        JudgeBy.INTERVAL,
                        false,
                        Optional.of(new SelfReplay(
                                "warden", 10, figures, Optional.empty(), figures, Optional.empty(), 9, 3, faithful)),
                        "f00d",
                        Optional.empty(),
                        List.of(row),
                        "1.0"),
                NASTY,
                List.of());
    }

    @Test
    void junitXmlIsOneTestCaseAnAssertionAndOneForTheRecordingItself() throws Exception {
        String xml = JUnitXml.of(result(false));
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        Element suite = (Element) document.getElementsByTagName("testsuite").item(0);
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("testsuites");
        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("3");
        NodeList cases = document.getElementsByTagName("testcase");
        assertThat(cases.getLength()).isEqualTo(4);
        assertThat(((Element) cases.item(1)).getAttribute("name")).isEqualTo("hit>=70%");
        assertThat(((Element) cases.item(2)).getAttribute("name"))
                .startsWith("a<b>&\"'|`?\u00e9")
                .endsWith("]]>");
        NodeList failures = document.getElementsByTagName("failure");
        assertThat(failures.getLength()).isEqualTo(3);
        assertThat(((Element) failures.item(0)).getAttribute("message")).contains("NOT FAITHFUL");
        assertThat(((Element) failures.item(2)).getAttribute("type")).isEqualTo("too_uncertain");
        assertThat(JUnitXml.of(result(false))).as("no times").isEqualTo(xml);
        assertThat(JUnitXml.of(result(true))).contains("failures=\"2\"");
    }

    @Test
    void markdownIsATableThatNothingBreaks() {
        String text = MarkdownSummary.of(result(false));
        assertThat(text).startsWith("### warmroute check: not passed\n\n> **NOT FAITHFUL");
        assertThat(text.lines().filter(l -> l.startsWith("|")))
                .hasSize(5)
                .allMatch(
                        l -> l.replace("\\|", "").chars().filter(c -> c == '|').count() == 6);
        assertThat(text)
                .contains(
                        "| ok | `hit>=70%` | 71.25 % | 70.50 % to 72.00 % | 70.00 % |",
                        "**FAIL**", "**too uncertain**");
    }
}
