package dev.warmroute.router.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ${NAME}} and {@code ${NAME:-otherwise}} in values, replaced after parsing, so that a variable can never change the
 * structure of the file. {@code $$} before a brace keeps the text as it is.
 */
final class EnvironmentReferences {
    private static final Pattern REFERENCE = Pattern.compile("(\\$)?\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

    private final UnaryOperator<String> environment;
    private final Problems problems;

    /** @param environment value of a variable, or null when it is not set, like {@link System#getenv(String)} */
    EnvironmentReferences(UnaryOperator<String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** Replaces references in all texts below this node, in place; returns the node itself or its replacement. */
    JsonNode expand(JsonNode node, String path) {
        if (node instanceof ObjectNode map) {
            for (Map.Entry<String, JsonNode> e : map.properties()) {
                e.setValue(expand(e.getValue(), path.isEmpty() ? e.getKey() : path + '.' + e.getKey()));
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, expand(list.get(i), path + '[' + i + ']'));
            }
        } else if (node instanceof TextNode text && text.textValue().contains("${")) {
            return TextNode.valueOf(expand(text.textValue(), path));
        }
        return node;
    }

    private String expand(String text, String path) {
        Matcher m = REFERENCE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (m.find()) {
            m.appendReplacement(
                    out,
                    Matcher.quoteReplacement(
                            m.group(1) == null ? value(m, path) : m.group().substring(1)));
        }
        return m.appendTail(out).toString();
    }

    private String value(Matcher m, String path) {
        String value = environment.apply(m.group(2));
        if (value != null) {
            return value;
        }
        if (m.group(3) != null) {
            return m.group(3);
        }
        problems.add(
                path,
                "environment variable " + m.group(2) + " is not set; set it, or write ${" + m.group(2)
                        + ":-otherwise}");
        return "";
    }
}
