package dev.warmroute.export.chart;

import dev.warmroute.export.figure.XmlText;
import java.awt.Color;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Makes a page's {@code svg} element of what JFreeSVG wrote: placeholder colours become classes, styles become short
 * attributes, text keeps the width it was measured with, and the whole is one image with a name and a description.
 */
final class SvgElement {
    private static final Pattern RGB = Pattern.compile("rgb\\((\\d+),(\\d+),(\\d+)\\)");
    private static final Pattern MOVED = Pattern.compile("matrix\\(1,0,0,1,([^,]+),([^,]+)\\)");
    private static final Set<String> GEOMETRY = Set.of(
            "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "rx", "ry", "r", "width", "height", "d", "id", "clip-path");
    private static final Set<String> STYLES =
            Set.of("stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "font-size", "font-weight");
    private static final Map<String, String> DEFAULTS =
            Map.of("stroke-width", "1", "stroke-linejoin", "miter", "stroke-linecap", "butt");

    private final String id;
    private final String title;
    private final String description;
    private final String classes;
    private final int width;
    private final int height;
    private final Set<String> fullClips = new HashSet<>();
    private final StringBuilder out = new StringBuilder();

    SvgElement(String id, String title, String description, String classes, int width, int height) {
        this.id = id;
        this.title = title;
        this.description = description;
        this.classes = classes;
        this.width = width;
        this.height = height;
    }

    /**
     * Writes the element.
     *
     * @param drawn the element that JFreeSVG made
     * @param css style sheet to put into it; empty for none
     */
    String write(String drawn, String css) {
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"")
                .append(classes)
                .append("\" role=\"img\"");
        out.append(" aria-labelledby=\"").append(id).append("-t ").append(id).append("-d\"");
        out.append(String.format(Locale.ROOT, " viewBox=\"0 0 %d %d\"", width, height));
        out.append(String.format(Locale.ROOT, " width=\"%d\" height=\"%d\">", width, height));
        out.append("<title id=\"")
                .append(id)
                .append("-t\">")
                .append(XmlText.escaped(title))
                .append("</title>");
        out.append("<desc id=\"")
                .append(id)
                .append("-d\">")
                .append(XmlText.escaped(description))
                .append("</desc>");
        if (!css.isEmpty()) {
            out.append("<style>").append(css).append("</style>");
        }
        Element svg = parsed(drawn);
        dropFullClips(svg);
        children(svg);
        return out.append("</svg>").toString();
    }

    /** Removes the clip that is the whole image, and what refers to it. */
    private void dropFullClips(Element svg) {
        String whole = String.format(Locale.ROOT, "M0,0L%d,0L%d,%dL0,%d", width, width, height, height);
        NodeList clips = svg.getElementsByTagName("clipPath");
        for (int i = clips.getLength() - 1; i >= 0; i--) {
            Element clip = (Element) clips.item(i);
            if (((Element) clip.getFirstChild()).getAttribute("d").startsWith(whole)) {
                fullClips.add("url(#" + clip.getAttribute("id") + ")");
                clip.getParentNode().removeChild(clip);
            }
        }
    }

    private void children(Element parent) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                element(element);
            }
        }
    }

    private void element(Element element) {
        switch (element.getTagName()) {
            case "g" -> group(element);
            case "text" -> text(element);
            case "title" ->
                out.append("<title>")
                        .append(XmlText.escaped(element.getTextContent()))
                        .append("</title>");
            default -> {
                out.append('<').append(element.getTagName());
                attributes(element);
                if (element.hasChildNodes()) {
                    out.append('>');
                    children(element);
                    out.append("</").append(element.getTagName()).append('>');
                } else {
                    out.append("/>");
                }
            }
        }
    }

    /** Writes a group, or only what is in it when the group says nothing. */
    private void group(Element group) {
        if (!group.hasChildNodes()) {
            return;
        }
        int before = out.length();
        out.append("<g");
        int bare = out.length();
        attributes(group);
        boolean titled = group.getFirstChild().getNodeName().equals("title");
        if (out.length() == bare && !titled) {
            out.setLength(before);
            children(group);
        } else {
            out.append('>');
            children(group);
            out.append("</g>");
        }
    }

    private void text(Element text) {
        String words = text.getTextContent();
        Map<String, String> style = style(text);
        double size = Double.parseDouble(style.get("font-size").replace("px", ""));
        boolean bold = "bold".equals(style.get("font-weight"));
        out.append("<text");
        attributes(text);
        out.append(String.format(Locale.ROOT, " textLength=\"%.1f\"", TextWidths.of(words, size, bold)));
        out.append(" lengthAdjust=\"spacingAndGlyphs\">")
                .append(XmlText.escaped(words))
                .append("</text>");
    }

    private void attributes(Element element) {
        Map<String, String> kept = new LinkedHashMap<>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            Node attribute = element.getAttributes().item(i);
            if (GEOMETRY.contains(attribute.getNodeName()) && !fullClips.contains(attribute.getNodeValue())) {
                kept.put(attribute.getNodeName(), attribute.getNodeValue());
            }
        }
        moved(element, kept);
        Map<String, String> style = style(element);
        StringBuilder inks = new StringBuilder();
        for (String paint : new String[] {"fill", "stroke"}) {
            String value = style.getOrDefault(paint, "");
            Matcher rgb = RGB.matcher(value);
            if (rgb.matches()) {
                Color colour = new Color(number(rgb, 1), number(rgb, 2), number(rgb, 3));
                inks.append(inks.isEmpty() ? "" : " ")
                        .append(paint.charAt(0))
                        .append('-')
                        .append(Ink.of(colour).css());
            } else if (!value.isEmpty()) {
                kept.put(paint, value);
            }
        }
        if (!inks.isEmpty()) {
            kept.put("class", inks.toString());
        }
        style.forEach((name, value) -> {
            String tidy = value.endsWith(".0") ? value.substring(0, value.length() - 2) : value.replace("px", "");
            if (STYLES.contains(name) && !tidy.equals(DEFAULTS.get(name))) {
                kept.put(name, tidy);
            }
        });
        kept.forEach((name, value) -> out.append(' ')
                .append(name)
                .append("=\"")
                .append(XmlText.escaped(value))
                .append('"'));
    }

    private static void moved(Element element, Map<String, String> kept) {
        String transform = element.getAttribute("transform");
        if (transform.isEmpty()) {
            return;
        }
        Matcher moved = MOVED.matcher(transform);
        kept.put("transform", moved.matches() ? "translate(" + moved.group(1) + ',' + moved.group(2) + ')' : transform);
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static Map<String, String> style(Element element) {
        Map<String, String> style = new LinkedHashMap<>();
        for (String part : element.getAttribute("style").split(";")) {
            int colon = part.indexOf(':');
            if (colon > 0) {
                style.put(
                        part.substring(0, colon).strip(),
                        part.substring(colon + 1).strip());
            }
        }
        return style;
    }

    private static Element parsed(String svg) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalStateException("JFreeSVG wrote what is not XML", e);
        }
    }
}
