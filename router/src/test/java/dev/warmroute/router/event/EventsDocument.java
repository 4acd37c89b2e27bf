package dev.warmroute.router.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Writes docs/EVENTS.md from the schemas and the examples. */
final class EventsDocument {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final RouterIdentity ROUTER = new RouterIdentity("router-a", 1_796_000_000_000L, 4813);

    private static final String HEAD = """
            # Events

            Everything that a router sees and decides goes to Kafka. This page is generated from the JSON Schemas in
            `router/src/main/resources/dev/warmroute/router/event/`; a test fails when it is out of date, and
            `mvn -pl router test -Dtest=EventsDocumentTest -Dupdate` writes it anew.

            ## Records

            An event is a Kafka record as the CloudEvents Kafka binding has it in binary mode: the value is JSON, the attributes
            are headers.

            | header | value |
            |---|---|
            | `ce_specversion` | `1.0` |
            | `ce_id` | instance, epoch and sequence of the router, joined by `-`: unique among all events |
            | `ce_type` | type and version, as in `routing.decision.v1` |
            | `ce_source` | `/router/INSTANCE` |
            | `ce_subject` | request, conversation, replica or router that the event is about |
            | `ce_time` | when the event was built, RFC 3339 |
            | `ce_partitionkey` | the record's key, where there is one |
            | `ce_sequence` | the event's place in its router's sequence, over all topics |
            | `ce_saltid` | id of the secret salt behind all hashes in the event; hashes under different salts cannot be compared |
            | `content-type` | `application/json` |

            The key keeps the order within a conversation or a replica. A field that may be null is null when its value is not
            known; it is never 0 for that. A reader passes over fields that it does not know; a field that is removed or changes
            its meaning is a new version of the type.

            **Nothing is missed silently.** A router numbers its events from 0, so a gap shows, whichever topic it is in. What was
            lost while Kafka was away is announced by `events.lost.v1`, with the range of numbers and the counts by topic. An
            event that Kafka wrote without confirming it in time can be announced as lost and still be there.

            **Nothing is given away.** No prompt text, no id, key or cookie of a client is in any event. Conversations and prompts
            appear as hashes under a secret salt, whose id is in the header `ce_saltid`.

            ## Which requests have events

            A request is **accepted** when it has been read whole, is well-formed, names a model that is served here (or none, on
            one of the engines' own paths) and, where it names one, a data-parallel rank that exists. Every accepted request has one
            `routing.decision.v1` for each attempt and exactly one `request.completed.v1`, whoever ended it: the replica's answer,
            the client by leaving, a failing replica, or the router for want of one. A router that is killed leaves decisions
            without a completion behind; its next events carry a new epoch.

            Without events are requests that were never accepted: cut off before their end, refused for their form (400, 413, 414,
            431, 501, 505), for their method or path (403, 404, 405), an unknown model (404) or rank (400). So are those that are
            not routed: what the router answers itself (models, health, probes), other `GET`, `HEAD` and `OPTIONS` requests, which
            go to any replica that is up, and requests about a stored response, which go to the replica that holds it.

            ## Topics

            The prefix is `kafka.prefix`, `warmroute` unless configured.

            """;

    private EventsDocument() {}

    static String markdown() {
        StringBuilder out = new StringBuilder(HEAD);
        out.append("| topic | events | key |\n|---|---|---|\n");
        for (Topic topic : Topic.values()) {
            List<EventType> types = Arrays.stream(EventType.values())
                    .filter(t -> t.topic() == topic)
                    .toList();
            String keys = types.stream()
                    .map(t -> EventSchema.of(t).json().get("x-key").asText())
                    .distinct()
                    .collect(Collectors.joining(", or "));
            out.append("| `").append(topic.name("warmroute")).append(topic.compacted() ? "` (compacted) | " : "` | ");
            out.append(types.stream().map(EventsDocument::link).collect(Collectors.joining(", ")));
            out.append(" | ").append(keys).append(" |\n");
        }
        for (EventType type : EventType.values()) {
            event(out, type);
        }
        return out.toString();
    }

    private static String link(EventType type) {
        return "[`" + type.wireName() + "`](#" + type.wireName().replace(".", "") + ')';
    }

    private static void event(StringBuilder out, EventType type) {
        EventSchema schema = EventSchema.of(type);
        out.append("\n## ").append(type.wireName()).append("\n\n");
        out.append(schema.json().get("description").asText()).append("\n\n");
        List<String> parts = new ArrayList<>();
        fields(out, schema, schema.json(), parts);
        for (int i = 0; i < parts.size(); i++) {
            JsonNode part = schema.json().get("$defs").get(parts.get(i));
            out.append("\n**").append(parts.get(i)).append("**: ");
            out.append(part.get("description").asText()).append("\n\n");
            fields(out, schema, part, parts);
        }
        out.append("\n```json\n").append(example(type)).append("\n```\n");
    }

    /** The table of an object's fields; adds to {@code parts} what it refers to. */
    private static void fields(StringBuilder out, EventSchema schema, JsonNode object, List<String> parts) {
        out.append("| field | type | meaning |\n|---|---|---|\n");
        object.get("properties").properties().forEach(field -> {
            JsonNode property = field.getValue();
            out.append("| `").append(field.getKey()).append("` | ");
            out.append(typeName(property)).append(" | ");
            out.append(property.get("description").asText().replace("|", "\\|")).append(" |\n");
            JsonNode reference = property.has("items") ? property.get("items") : property;
            if (reference.has("$ref")) {
                String part = partName(reference);
                if (!parts.contains(part)) {
                    parts.add(part);
                }
            }
        });
    }

    private static String typeName(JsonNode property) {
        if (property.has("$ref")) {
            return partName(property);
        } else if (property.has("items")) {
            return "list of " + typeName(property.get("items"));
        } else if (property.has("additionalProperties")) {
            return "map to " + property.get("additionalProperties").get("type").asText();
        } else if (property.has("enum")) {
            StringJoiner values = new StringJoiner(", ");
            property.get("enum").forEach(value -> values.add('`' + value.asText() + '`'));
            return "one of " + values;
        }
        JsonNode type = property.get("type");
        return type.isArray() ? type.get(0).asText() + " or null" : type.asText();
    }

    private static String partName(JsonNode reference) {
        String path = reference.get("$ref").asText();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String example(EventType type) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(indenter)
                .withArrayIndenter(indenter);
        try {
            byte[] json = new EventCodec().encode(EventExamples.of(type, ROUTER));
            return MAPPER.writer(printer).writeValueAsString(MAPPER.readTree(new String(json, UTF_8)));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
