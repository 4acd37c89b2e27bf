package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** JSON of this package: reading a request body, quoting a string. */
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    /**
     * Reads a request body.
     *
     * @throws ApiError if it is not a JSON object, with the position of the first character that is wrong
     */
    static ObjectNode object(byte[] body) {
        JsonNode node;
        try {
            node = MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            long at = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
            throw ApiError.brokenJson(Math.min(at, body.length), "Expecting value");
        } catch (IOException e) {
            throw ApiError.brokenJson(0, "Expecting value");
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        if (node == null || node.isMissingNode()) {
            throw ApiError.brokenJson(0, "Expecting value");
        }
        throw ApiError.wrongType("", "dictionary", node.getNodeType().toString().toLowerCase(java.util.Locale.ROOT));
    }

    /** Returns a string as a JSON string, quotes included. */
    static String quote(String text) {
        return MAPPER.getNodeFactory().textNode(text).toString();
    }
}
