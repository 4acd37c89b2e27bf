package dev.warmroute.export.report;

import dev.warmroute.export.figure.XmlText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Writes HTML that is well-formed XML too: every element that is opened is closed, and everything that comes from outside is
 * escaped. Only {@link #trusted} text goes through as it is.
 */
final class Markup {
    private static final Set<String> VOID = Set.of("br", "link", "meta", "col");
    private static final Set<String> BLOCK = Set.of(
            "html", "head", "body", "header", "main", "section", "nav", "footer", "table", "thead", "tbody", "tr",
            "div", "dl", "figure", "details", "ol", "ul", "h1", "h2", "h3", "p", "meta", "title", "link", "style",
            "caption", "dt", "li");

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Writes what is already markup and was made here. */
    Markup trusted(String markup) {
        out.append(markup);
        return this;
    }

    /**
     * Opens an element.
     *
     * @param attributes names and values in turn; a value that is empty is left out with its name
     */
    Markup open(String element, String... attributes) {
        if (BLOCK.contains(element)) {
            out.append('\n');
        }
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            if (!attributes[i + 1].isEmpty()) {
                out.append(' ')
                        .append(attributes[i])
                        .append("=\"")
                        .append(XmlText.escaped(attributes[i + 1]))
                        .append('"');
            }
        }
        if (VOID.contains(element)) {
            out.append("/>");
        } else {
            out.append('>');
            open.push(element);
        }
        return this;
    }

    /** Closes the element that was opened last. */
    Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    Markup text(String words) {
        out.append(XmlText.escaped(words));
        return this;
    }

    /** An element with nothing but text in it. */
    Markup element(String element, String words, String... attributes) {
        return open(element, attributes).text(words).close();
    }

    /** Returns what was written; all elements must be closed. */
    String done() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("still open: " + open);
        }
        return out.toString();
    }
}
