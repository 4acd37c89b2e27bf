package dev.warmroute.simulator.gate;

import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A check as JUnit XML, which build servers show as tests: one test case an assertion, and one for the replay of the recording as
 * it was. No times: the same check gives the same bytes.
 */
public final class JUnitXml {
    private static final String CLASS = "warmroute.check";
    private static final String FAITHFUL = "the recording replayed as it was";

    private final CheckResult result;
    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter xml;

    private JUnitXml(CheckResult result) throws XMLStreamException {
        this.result = result;
        this.xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
    }

    /** The whole document. */
    public static String of(CheckResult result) {
        try {
            JUnitXml document = new JUnitXml(result);
            document.write();
            return document.text.toString();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a check could not be written as XML", e);
        }
    }

    private void write() throws XMLStreamException {
        List<Judgement> assertions = result.evidence().assertions();
        boolean replayed = result.evidence().selfReplay().isPresent();
        String tests = Integer.toString(assertions.size() + (replayed ? 1 : 0));
        String failures = Long.toString(assertions.stream().filter(a -> !a.ok()).count()
                + (result.evidence().trusted() ? 0 : 1));
        xml.writeStartDocument("UTF-8", "1.0");
        line(0);
        open("testsuites", "name", "warmroute check", "tests", tests, "failures", failures, "errors", "0", "time", "0");
        line(1);
        open(
                "testsuite",
                "name",
                "check of " + result.policy(),
                "tests",
                tests,
                "failures",
                failures,
                "errors",
                "0",
                "skipped",
                "0",
                "time",
                "0");
        line(2);
        open("properties");
        property("trace", result.source());
        property("trace_hash", result.evidence().traceHash());
        property("policy_config_hash", result.evidence().policy().configHash());
        property("check_hash", result.hash());
        property("simulator", result.evidence().simulator());
        close(2);
        if (replayed) {
            testCase(
                    FAITHFUL,
                    result.evidence().trusted(),
                    "Unfaithful",
                    result.warning().orElse(""));
        }
        for (Judgement a : assertions) {
            testCase(a.text(), a.ok(), a.outcome().wireName(), a.line());
        }
        close(1);
        close(0);
        xml.writeEndDocument();
        line(0);
    }

    private void property(String name, String value) throws XMLStreamException {
        line(3);
        xml.writeEmptyElement("property");
        attributes("name", name, "value", value);
    }

    private void testCase(String name, boolean ok, String type, String said) throws XMLStreamException {
        line(2);
        open("testcase", "classname", CLASS, "name", name, "time", "0");
        line(3);
        if (ok) {
            open("system-out");
            xml.writeCharacters(clean(said));
        } else {
            open("failure", "type", type, "message", said);
        }
        xml.writeEndElement();
        close(2);
    }

    private void open(String element, String... attributes) throws XMLStreamException {
        xml.writeStartElement(element);
        attributes(attributes);
    }

    private void attributes(String... namesAndValues) throws XMLStreamException {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            xml.writeAttribute(namesAndValues[i], clean(namesAndValues[i + 1]));
        }
    }

    private void close(int depth) throws XMLStreamException {
        line(depth);
        xml.writeEndElement();
    }

    private void line(int depth) throws XMLStreamException {
        if (depth > 0) {
            xml.writeCharacters("\n" + "  ".repeat(depth));
        } else if (text.getBuffer().length() > 0) {
            xml.writeCharacters("\n");
        }
    }

    /** XML 1.0 knows no control characters, not even written as numbers. */
    private static String clean(String s) {
        return s.replaceAll("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\uFFFE\\uFFFF]", "?");
    }
}
