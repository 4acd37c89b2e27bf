package dev.warmroute.router.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.ControlEvent.ReplicaUp;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EventCodecTest {
    private static final RouterIdentity ROUTER = new RouterIdentity("router-a", 1_796_000_000_000L, 17);

    private final EventCodec codec = new EventCodec();

    @Property(tries = 1000)
    void everyEventIsReadBackAsItWas(@ForAll EventType type, @ForAll long seed) {
        Event event = new RandomEvents(new Random(seed)).of(type);
        byte[] json = codec.encode(event);
        assertThat(codec.decode(type, json)).isEqualTo(event);
        assertThat(codec.encode(codec.decode(type, json))).isEqualTo(json);
    }

    /** Decisions have a serializer of their own, for speed; it must not show. */
    @Property(tries = 300)
    void aDecisionIsWrittenAsTheMapperWouldWriteIt(@ForAll long seed) throws JsonProcessingException {
        ObjectMapper plain = JsonMapper.builder()
                .addModule(new Jdk8Module())
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
        Event decision = new RandomEvents(new Random(seed)).of(EventType.ROUTING_DECISION);
        assertThat(new String(codec.encode(decision), UTF_8)).isEqualTo(plain.writeValueAsString(decision));
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void everyTypeHasItsOwnRecordAndName(EventType type) {
        Event event = EventExamples.of(type, ROUTER);
        assertThat(EventType.of(event)).isEqualTo(type);
        assertThat(EventType.named(type.wireName())).isEqualTo(type);
        assertThat(type.wireName()).endsWith(".v1");
    }

    @Test
    void theOrderInWhichAMapWasFilledDoesNotShow() {
        Map<String, Long> filled = new LinkedHashMap<>();
        Map<String, Long> otherwise = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            filled.put("topic" + i, (long) i);
            otherwise.put("topic" + (19 - i), 19L - i);
        }
        assertThat(codec.encode(new EventsLost(1, 2, 3, filled, "full", ROUTER)))
                .isEqualTo(codec.encode(new EventsLost(1, 2, 3, otherwise, "full", ROUTER)));
    }

    @Test
    void absentValuesAreWrittenAsNullAndFieldsInSnakeCase() {
        assertThat(new String(codec.encode(new ReplicaUp(5, "r0", "http://h", Optional.empty(), ROUTER)), UTF_8))
                .isEqualTo("""
                        {"at_us":5,"replica":"r0","url":"http://h","engine_version":null,\
                        "router":{"instance":"router-a","epoch":1796000000000,"sequence":17}}""");
    }

    @Test
    void whatANewerWriterAddsIsPassedOverAndWhatAnOlderOneLacksIsAbsent() {
        byte[] json = """
                {"at_us":5,"replica":"r0","url":"http://h","colour":"red",
                 "router":{"instance":"router-a","epoch":1796000000000,"sequence":17,"shard":3}}""".getBytes(UTF_8);
        assertThat(codec.decode(EventType.REPLICA_UP, json))
                .isEqualTo(new ReplicaUp(5, "r0", "http://h", Optional.empty(), ROUTER));
    }

    @Test
    void bytesThatAreNotSuchAnEventAreRefusedWithItsType() {
        assertThatThrownBy(() -> codec.decode(EventType.REPLICA_UP, "{\"at_us\":\"soon\"}".getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a replica.up.v1 event: ");
        assertThatThrownBy(() -> EventType.named("replica.sideways.v1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replica.sideways.v1")
                .hasMessageContaining("replica.up.v1");
    }

    @ParameterizedTest
    @CsvSource({"spilled,OVERFLOW", "client_pinned,PINNED", "overflow,OVERFLOW", "sticky,STICKY"})
    void kindsAreReadUnderOldNamesToo(String name, Kind kind) {
        assertThat(Kind.of(name)).isEqualTo(kind);
    }
}
