package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A request's JSON, read field by field; what does not fit the schema becomes the {@link ApiError} vLLM answers with. */
final class RequestBody {
    private final ObjectNode json;

    RequestBody(ObjectNode json) {
        this.json = json;
    }

    static RequestBody parse(byte[] body) {
        return new RequestBody(Json.object(body));
    }

    ObjectNode json() {
        return json;
    }

    JsonNode at(String field) {
        return json.path(field);
    }

    boolean has(String field) {
        return json.hasNonNull(field);
    }

    /** Returns a field that must be there. */
    JsonNode required(String field) {
        if (!json.has(field)) {
            throw ApiError.missing(field, json.size());
        }
        return json.get(field);
    }

    /** Returns a list that must be there. */
    JsonNode requiredList(String field) {
        JsonNode node = required(field);
        if (!node.isArray()) {
            throw ApiError.wrongType(field, "list", shown(node));
        }
        return node;
    }

    /** Returns a whole number, or a default when the field is absent or null. */
    int whole(String field, int absent) {
        JsonNode node = json.path(field);
        if (node.isMissingNode() || node.isNull()) {
            return absent;
        }
        if (!node.canConvertToExactIntegral() || !node.canConvertToInt()) {
            throw ApiError.wrongType(field, "integer", shown(node));
        }
        return node.intValue();
    }

    /** Returns a truth value; absent and null are false. */
    boolean flag(String field) {
        JsonNode node = json.path(field);
        if (node.isMissingNode() || node.isNull()) {
            return false;
        }
        if (!node.isBoolean()) {
            throw ApiError.wrongType(field, "boolean", shown(node));
        }
        return node.booleanValue();
    }

    /** Returns a text; absent and null are empty. */
    String text(String field) {
        JsonNode node = json.path(field);
        if (node.isMissingNode() || node.isNull()) {
            return "";
        }
        if (!node.isTextual()) {
            throw ApiError.wrongType(field, "string", shown(node));
        }
        return node.textValue();
    }

    private static String shown(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "<dict of " + node.size() + " items>";
            case ARRAY -> "<list of " + node.size() + " items>";
            default -> node.asText().length() > 40 ? node.asText().substring(0, 40) + "..." : node.asText();
        };
    }
}
