package dev.warmroute.router.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Events to JSON and back. Unknown fields are ignored, so that an older reader reads a newer writer; missing ones read as
 * absent. Map entries are written in key order: the same event gives the same bytes. Thread-safe.
 */
public final class EventCodec {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule().addSerializer(RoutingDecision.class, new DecisionSerializer()))
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private final Map<EventType, ObjectReader> readers = new EnumMap<>(EventType.class);
    private final Map<EventType, ObjectWriter> writers = new EnumMap<>(EventType.class);

    public EventCodec() {
        for (EventType type : EventType.values()) {
            readers.put(type, MAPPER.readerFor(type.record()));
            writers.put(type, MAPPER.writerFor(type.record()));
        }
    }

    /** The mapper behind the wire format, for other JSON that should look the same. */
    public static ObjectMapper mapper() {
        return MAPPER;
    }

    public byte[] encode(Event event) {
        try {
            return writers.get(EventType.of(event)).writeValueAsBytes(event);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("an event could not be written: " + event, e);
        }
    }

    /**
     * Reads an event.
     *
     * @throws IllegalArgumentException if the bytes are not JSON of this type; the message says why
     */
    public Event decode(EventType type, byte[] json) {
        try {
            return readers.get(type).readValue(json);
        } catch (IOException e) {
            throw new IllegalArgumentException("not a " + type.wireName() + " event: " + e.getMessage(), e);
        }
    }
}
