package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One prompt of a benchmark.
 *
 * @param messages of a chat, at least one of them a user's, each with a text as its content; not to be changed
 */
public record BenchPrompt(ArrayNode messages) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** A prompt of one message. */
    static BenchPrompt user(String text) {
        return new BenchPrompt(NODES.arrayNode().add(message("user", text)));
    }

    /** Whether it has a system prompt of its own. */
    boolean hasSystem() {
        for (JsonNode message : messages) {
            if (message.path("role").asText().equals("system")) {
                return true;
            }
        }
        return false;
    }

    /**
     * The messages as sent.
     *
     * @param system system prompt in front; empty for none
     * @param mark put in front of the first user message, so that nothing from there on was said before; empty for none
     */
    ArrayNode asked(String system, String mark) {
        ArrayNode asked = NODES.arrayNode();
        if (!system.isEmpty()) {
            asked.add(message("system", system));
        }
        boolean marked = mark.isEmpty();
        for (JsonNode message : messages) {
            ObjectNode copy = message.deepCopy();
            if (!marked && message.path("role").asText().equals("user")) {
                copy.put("content", mark + ' ' + message.path("content").asText());
                marked = true;
            }
            asked.add(copy);
        }
        return asked;
    }

    private static ObjectNode message(String role, String text) {
        return NODES.objectNode().put("role", role).put("content", text);
    }
}
