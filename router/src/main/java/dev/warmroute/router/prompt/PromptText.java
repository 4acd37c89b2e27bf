package dev.warmroute.router.prompt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a request's body that becomes its prompt, in the order in which chat templates put it: tools, system,
 * messages; or the plain prompt of a completion. Everything else in the body (sampling, streaming, ids) is left out, and so
 * is the attribution line with which Claude Code opens its system prompt, since engines strip it and it may change with
 * every request. A request that goes on from a stored response says only what is new, and so tells nothing of its prompt.
 */
public final class PromptText {
    private static final ObjectMapper MAPPER = new ObjectMapper(new JsonFactory());
    private static final String CACHE_SALT = "cache_salt";
    private static final String PREVIOUS_RESPONSE = "previous_response_id";
    private static final Set<String> FIELDS =
            Set.of("tools", "system", "instructions", "messages", "prompt", "input", CACHE_SALT, PREVIOUS_RESPONSE);
    private static final String ATTRIBUTION = "x-anthropic-billing-header:";

    private PromptText() {}

    /** What a body says: text, or token ids where the client sent those. */
    public sealed interface Content permits Text, Tokens {
        /** What the client keeps its blocks apart with in the engine's cache; empty when it does not. */
        String cacheSalt();
    }

    public record Text(byte[] bytes, String cacheSalt) implements Content {}

    public record Tokens(long[] ids, String cacheSalt) implements Content {}

    /** Reads a request's body; empty when it is not JSON or says nothing. */
    public static Optional<Content> of(byte[] body) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        try (JsonParser json = MAPPER.getFactory().createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (FIELDS.contains(name)) {
                    fields.put(name, MAPPER.readTree(json));
                } else {
                    json.skipChildren();
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        if (fields.getOrDefault(PREVIOUS_RESPONSE, MissingNode.getInstance()).isTextual()) {
            return Optional.empty();
        }
        String cacheSalt =
                fields.getOrDefault(CACHE_SALT, MissingNode.getInstance()).asText("");
        JsonNode prompt = fields.get("prompt");
        Optional<long[]> ids = ids(prompt);
        if (ids.isPresent()) {
            return Optional.of(new Tokens(ids.get(), cacheSalt));
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream(body.length);
        append(text, fields.get("tools"));
        append(text, fields.get("system"));
        append(text, fields.get("instructions"));
        append(text, fields.get("messages"));
        append(text, fields.get("input"));
        append(text, prompt);
        return text.size() == 0 ? Optional.empty() : Optional.of(new Text(text.toByteArray(), cacheSalt));
    }

    /** Token ids of one prompt, whether it stands alone or in a list of one. */
    private static Optional<long[]> ids(JsonNode prompt) {
        JsonNode list = prompt != null && prompt.size() == 1 && prompt.path(0).isArray() ? prompt.get(0) : prompt;
        if (list == null || !list.isArray() || list.isEmpty()) {
            return Optional.empty();
        }
        long[] ids = new long[list.size()];
        for (int i = 0; i < ids.length; i++) {
            if (!list.get(i).isIntegralNumber()) {
                return Optional.empty();
            }
            ids[i] = list.get(i).longValue();
        }
        return Optional.of(ids);
    }

    /** Strings as they are, everything else with the names of its fields; a separator keeps neighbours apart. */
    private static void append(ByteArrayOutputStream out, JsonNode node) {
        if (node == null || node.isNull() || isAttribution(node)) {
            return;
        }
        if (node.isArray()) {
            node.forEach(item -> append(out, item));
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                if (field.getKey().equals("cache_control")) {
                    continue;
                }
                write(out, field.getKey());
                append(out, field.getValue());
            }
        } else {
            write(out, node.asText());
        }
    }

    private static boolean isAttribution(JsonNode node) {
        JsonNode text = node.isObject() ? node.path("text") : node;
        return text.isTextual()
                && text.textValue().startsWith(ATTRIBUTION)
                && !text.textValue().contains("\n");
    }

    private static void write(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.write(0);
    }
}
