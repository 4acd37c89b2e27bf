package dev.warmroute.export.report;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** A rendered page, parsed strictly. */
record ReportPage(String text, Element root) {

    static ReportPage of(ReportModel model) {
        String text = new HtmlReport().render(model);
        String doctype = "<!DOCTYPE html>";
        if (!text.startsWith(doctype)) {
            throw new AssertionError("no doctype");
        }
        try {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(
                            new StringReader(text.substring(doctype.length()).strip())));
            return new ReportPage(text, document.getDocumentElement());
        } catch (Exception e) {
            throw new AssertionError("the page is not well-formed", e);
        }
    }

    List<Element> all(String name) {
        return all(root, name);
    }

    static List<Element> all(Element in, String name) {
        NodeList nodes = in.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    List<Element> withAttribute(String name) {
        return all("*").stream().filter(e -> e.hasAttribute(name)).toList();
    }

    /** Text of the body, element by element, without style sheets and the inside of drawings. */
    List<Words> words() {
        List<Words> words = new ArrayList<>();
        collect(root, words);
        return words;
    }

    private static void collect(Node node, List<Words> words) {
        if (node instanceof Element e) {
            if (e.getTagName().equals("style")
                    || e.getTagName().equals("text")
                    || e.getTagName().equals("g")) {
                return;
            }
        }
        for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeType() == Node.TEXT_NODE) {
                words.add(new Words((Element) node, child.getNodeValue()));
            } else {
                collect(child, words);
            }
        }
    }

    record Words(Element in, String text) {}
}
