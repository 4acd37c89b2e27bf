package dev.warmroute.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** Walks the text of a report page and looks every figure up in the report's JSON. */
final class ReportFigures {
    /** Labels with digits that are no figures. */
    private static final String LABELS = "\\b(p50|p95|r[0-9]+|95th percentile)\\b|\\ball \\d+ replicas\\b";

    private final Set<Double> numbers = new HashSet<>();
    private final List<String> strings = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private int found;

    private ReportFigures() {}

    /** Looks at both files of a report. */
    static ReportFigures of(Path html, Path json) throws Exception {
        ReportFigures figures = new ReportFigures();
        figures.collect(new ObjectMapper().readTree(json.toFile()));
        figures.strings.sort(Comparator.comparingInt(String::length).reversed());
        String page = Files.readString(html).replace("<!DOCTYPE html>", "");
        figures.walk(DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page)))
                .getDocumentElement());
        return figures;
    }

    /** Figures of the page that are in the JSON. */
    int found() {
        return found;
    }

    /** Those that are not, as they read. */
    List<String> missing() {
        return missing;
    }

    private void collect(JsonNode node) {
        if (node.isNumber()) {
            numbers.add(node.asDouble() + 0.0); // 0 has no sign
        } else if (node.isTextual() && !node.asText().isEmpty()) {
            strings.add(node.asText());
        }
        node.forEach(this::collect);
    }

    private void walk(Element element) {
        if (element.getTagName().equals("data")) {
            boolean known = numbers.contains(Double.parseDouble(element.getAttribute("value")) + 0.0);
            found += known ? 1 : 0;
            if (!known) {
                missing.add(element.getTextContent() + " = " + element.getAttribute("value"));
            }
            return;
        }
        // Drawings repeat the table below them, at round places of their axes.
        if (element.getTagName().matches("svg|style")) {
            return;
        }
        for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element child) {
                walk(child);
            } else if (n.getNodeType() == Node.TEXT_NODE) {
                words(n.getTextContent().strip());
            }
        }
    }

    private void words(String text) {
        if (!text.matches("(?s).*[0-9].*")) {
            return;
        }
        String left = text;
        for (String s : strings) {
            if (left.equals(s)) {
                left = "";
            } else if (s.length() > 3 && left.length() > s.length()) {
                left = left.replace(s, "");
            }
            if (left.isEmpty()) {
                break;
            }
        }
        if (left.replaceAll(LABELS, "").matches("(?s).*[0-9].*")) {
            missing.add(text);
        } else {
            found++;
        }
    }
}
