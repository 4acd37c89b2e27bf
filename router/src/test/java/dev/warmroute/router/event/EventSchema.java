package dev.warmroute.router.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The JSON Schema of an event type, to look at and to validate with. */
final class EventSchema {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final JsonNode json;
    private final Schema schema;

    private EventSchema(JsonNode json, Schema schema) {
        this.json = json;
        this.schema = schema;
    }

    static EventSchema of(EventType type) {
        String name = type.wireName() + ".json";
        try (InputStream in = EventType.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("there is no schema " + name + " beside the event records");
            }
            byte[] bytes = in.readAllBytes();
            return new EventSchema(
                    MAPPER.readTree(bytes), REGISTRY.getSchema(new String(bytes, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode json() {
        return json;
    }

    /** What a node says, or what it refers to says. */
    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? json.at(node.get("$ref").asText().substring(1)) : node;
    }

    /** What is wrong with an event; nothing when it is valid. */
    List<String> errors(String event) {
        return schema.validate(event, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }
}
