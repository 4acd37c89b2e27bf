package dev.warmroute.router.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schemas say of the events what the records say, and the other way round. */
class EventSchemaTest {
    private static final RouterIdentity ROUTER = new RouterIdentity("router-a", 1_796_000_000_000L, 17);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<EventType, EventSchema> SCHEMAS = schemas();

    private static Map<EventType, EventSchema> schemas() {
        Map<EventType, EventSchema> schemas = new EnumMap<>(EventType.class);
        for (EventType type : EventType.values()) {
            schemas.put(type, EventSchema.of(type));
        }
        return schemas;
    }

    @Property(tries = 1000)
    void everyEventThatCanBeWrittenIsValid(@ForAll EventType type, @ForAll long seed) {
        String json = new String(new EventCodec().encode(new RandomEvents(new Random(seed)).of(type)), UTF_8);
        assertThat(SCHEMAS.get(type).errors(json)).as(json).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void withoutOneOfItsRequiredFieldsAnEventIsNotValid(EventType type) throws JsonProcessingException {
        EventSchema schema = SCHEMAS.get(type);
        ObjectNode event = example(type);
        List<String> tried = new ArrayList<>();
        forEachField(schema, schema.json(), event, (object, name, required) -> {
            JsonNode value = object.remove(name);
            assertThat(schema.errors(event.toString()).isEmpty())
                    .as("valid without %s", name)
                    .isEqualTo(!required);
            object.set(name, value);
            tried.add(name);
        });
        assertThat(tried).hasSizeGreaterThanOrEqualTo(type.record().getRecordComponents().length);
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void nullAndAnotherTypeAreOnlyValidWhereTheRecordAllowsThem(EventType type) throws JsonProcessingException {
        EventSchema schema = SCHEMAS.get(type);
        ObjectNode event = example(type);
        forEachField(schema, schema.json(), event, (object, name, required) -> {
            JsonNode value = object.get(name);
            object.putNull(name);
            assertThat(schema.errors(event.toString()).isEmpty())
                    .as("valid with %s null", name)
                    .isEqualTo(!required);
            object.set(name, value.isArray() ? MAPPER.createObjectNode() : MAPPER.createArrayNode());
            assertThat(schema.errors(event.toString()))
                    .as("%s has another type", name)
                    .isNotEmpty();
            object.set(name, value);
        });
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void propertiesAreTheRecordsComponentsInTheirOrder(EventType type) {
        EventSchema schema = SCHEMAS.get(type);
        assertThat(schema.json().get("title").asText()).isEqualTo(type.wireName());
        assertThat(schema.json().get("$id").asText()).isEqualTo("urn:warmroute:event:" + type.wireName());
        assertThat(schema.json().get("x-topic").asText()).isEqualTo(type.topic().shortName());
        requireSame(schema, schema.json(), type.record());
    }

    private static void requireSame(EventSchema schema, JsonNode object, Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        assertThat(names(object.get("properties")))
                .as("properties of %s", record.getSimpleName())
                .containsExactlyElementsOf(
                        Arrays.stream(components).map(EventSchemaTest::wireName).toList());
        List<String> required = new ArrayList<>();
        object.get("required").forEach(name -> required.add(name.asText()));
        assertThat(required)
                .as("required of %s", record.getSimpleName())
                .containsExactlyElementsOf(Arrays.stream(components)
                        .filter(c -> !optional(c.getType()))
                        .map(EventSchemaTest::wireName)
                        .toList());
        for (RecordComponent component : components) {
            JsonNode property = object.get("properties").get(wireName(component));
            assertThat(property.path("description").asText())
                    .as("description of %s", component)
                    .isNotEmpty();
            requireSameType(schema, schema.resolved(property), component.getGenericType(), component.toString());
        }
    }

    private static void requireSameType(EventSchema schema, JsonNode property, Type type, String where) {
        Class<?> raw = type instanceof ParameterizedType p ? (Class<?>) p.getRawType() : (Class<?>) type;
        List<String> types = new ArrayList<>();
        if (property.get("type").isArray()) {
            property.get("type").forEach(t -> types.add(t.asText()));
        } else {
            types.add(property.get("type").asText());
        }
        assertThat(types)
                .as(where)
                .containsExactlyElementsOf(optional(raw) ? List.of(jsonType(type), "null") : List.of(jsonType(type)));
        if (raw.isRecord()) {
            requireSame(schema, property, raw);
        } else if (raw == List.class) {
            requireSameType(schema, schema.resolved(property.get("items")), argument(type, 0), where);
        } else if (raw == Map.class) {
            assertThat(property.get("additionalProperties").get("type").asText())
                    .as(where)
                    .isEqualTo(jsonType(argument(type, 1)));
        } else if (raw.isEnum()) {
            List<String> values = new ArrayList<>();
            property.get("enum").forEach(value -> values.add(value.asText()));
            assertThat(values)
                    .as(where)
                    .containsExactlyElementsOf(Arrays.stream(raw.getEnumConstants())
                            .map(EventSchemaTest::wireValue)
                            .toList());
        }
    }

    private static String jsonType(Type type) {
        Class<?> raw = type instanceof ParameterizedType p ? (Class<?>) p.getRawType() : (Class<?>) type;
        if (raw == Optional.class) {
            return jsonType(argument(type, 0));
        } else if (raw == String.class || raw.isEnum()) {
            return "string";
        } else if (raw == boolean.class) {
            return "boolean";
        } else if (Set.of(int.class, long.class, Long.class, OptionalInt.class, OptionalLong.class)
                .contains(raw)) {
            return "integer";
        } else if (Set.of(double.class, Double.class, OptionalDouble.class).contains(raw)) {
            return "number";
        } else if (raw == List.class) {
            return "array";
        } else if (raw == Map.class || raw.isRecord()) {
            return "object";
        }
        throw new AssertionError("no JSON type for " + type);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }

    private static boolean optional(Class<?> type) {
        return Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class)
                .contains(type);
    }

    private static String wireName(RecordComponent component) {
        return PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName());
    }

    private static String wireValue(Object constant) {
        for (var method : constant.getClass().getMethods()) {
            if (method.isAnnotationPresent(JsonValue.class)) {
                try {
                    return method.invoke(constant).toString();
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }
        }
        throw new AssertionError(constant + " has no wire name");
    }

    private interface Field {
        void of(ObjectNode object, String name, boolean required);
    }

    private static ObjectNode example(EventType type) throws JsonProcessingException {
        return (ObjectNode) MAPPER.readTree(new String(new EventCodec().encode(EventExamples.of(type, ROUTER)), UTF_8));
    }

    private static void forEachField(EventSchema schema, JsonNode definition, ObjectNode object, Field field) {
        List<String> required = new ArrayList<>();
        definition.get("required").forEach(name -> required.add(name.asText()));
        for (String name : names(definition.get("properties"))) {
            assertThat(object.has(name)).as("the example has %s", name).isTrue();
            field.of(object, name, required.contains(name));
            JsonNode property = schema.resolved(definition.get("properties").get(name));
            if (object.get(name) instanceof ObjectNode part && property.has("properties")) {
                forEachField(schema, property, part, field);
            } else if (object.get(name) instanceof ArrayNode array
                    && property.get("items").has("$ref")) {
                forEachField(schema, schema.resolved(property.get("items")), (ObjectNode) array.get(0), field);
            }
        }
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
