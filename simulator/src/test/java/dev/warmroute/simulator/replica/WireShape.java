package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Takes out of an answer what may differ between two servers (ids, times, words), so that the rest can be compared. */
final class WireShape {
    private static final Set<String> IDS = Set.of("id", "item_id", "system_fingerprint");
    private static final Set<String> TIMES = Set.of("created", "created_at");
    private static final Set<String> WORDS = Set.of("text", "content");

    private WireShape() {}

    /** Returns a JSON text without what may differ; fields keep their order. */
    static String of(String json) {
        try {
            return blank(Json.MAPPER.readTree(json)).toPrettyString();
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + json, e);
        }
    }

    /**
     * Returns the events of a stream in that form, each with the line that names it. Consecutive events of the same form are
     * given once: how many tokens an event carries is a matter of timing.
     */
    static List<String> ofEvents(List<String> chunks) {
        List<String> shapes = new ArrayList<>();
        for (String chunk : chunks) {
            int data = chunk.indexOf("data: ");
            String payload = chunk.substring(data + 6).strip();
            String shape = chunk.substring(0, data) + (payload.equals("[DONE]") ? payload : of(payload));
            if (shapes.isEmpty() || !shapes.getLast().equals(shape)) {
                shapes.add(shape);
            }
        }
        return shapes;
    }

    private static JsonNode blank(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (String field :
                    object.propertyStream().map(java.util.Map.Entry::getKey).toList()) {
                JsonNode value = object.get(field);
                if (value.isTextual()
                        && (IDS.contains(field)
                                || WORDS.contains(field) && !value.asText().isEmpty())) {
                    object.put(field, IDS.contains(field) ? "<id>" : "<words>");
                } else if (TIMES.contains(field) || field.equals("sequence_number")) {
                    object.put(field, 0);
                } else if (field.equals("delta") && value.isTextual()) {
                    object.put(field, "<words>");
                } else {
                    blank(value);
                }
            }
        } else if (node instanceof ArrayNode array) {
            array.forEach(WireShape::blank);
        }
        return node;
    }
}
