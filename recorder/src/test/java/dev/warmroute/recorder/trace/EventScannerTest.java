package dev.warmroute.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.recorder.Traffic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventScannerTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<EventColumn> COLUMNS = List.of(
            EventColumn.text("a"),
            EventColumn.whole("b"),
            EventColumn.number("c"),
            EventColumn.flag("d"),
            EventColumn.text("e").at("inner.e"),
            EventColumn.whole("f").at("inner.f"));

    private static final String LETTERS = "ab\"\\/{}[],:\n\u0001\u00e9\u20ac";

    /** What a tree says of the same columns. */
    private static Object[] oracle(List<EventColumn> columns, JsonNode json) {
        Object[] out = new Object[columns.size()];
        for (int i = 0; i < out.length; i++) {
            JsonNode at = json;
            for (String name : columns.get(i).path().split("\\.")) {
                at = at.path(name);
            }
            out[i] = switch (columns.get(i).type()) {
                case TEXT -> at.isTextual() ? at.asText() : null;
                case LONG -> at.isIntegralNumber() ? (Object) at.asLong() : null;
                case DOUBLE -> at.isNumber() ? (Object) at.asDouble() : null;
                case FLAG -> at.isBoolean() ? (Object) at.asBoolean() : null;
            };
        }
        return out;
    }

    private static Object[] scanned(List<EventColumn> columns, byte[] json) {
        Object[] values = new Object[columns.size()];
        assertThat(new EventScanner(columns).scan(json, values)).isTrue();
        return values;
    }

    /** Any JSON value, at most {@code depth} levels deep. */
    private static JsonNode value(SplittableRandom random, int depth) {
        JsonNodeFactory f = JsonNodeFactory.instance;
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> f.textNode(text(random));
            case 1 -> f.numberNode(random.nextLong(-999_999_999_999_999_999L, 1_000_000_000_000_000_000L));
            case 2 -> f.numberNode((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-20, 20)));
            case 3 -> f.booleanNode(random.nextBoolean());
            case 4 -> f.nullNode();
            case 5 -> f.numberNode(random.nextInt(100));
            case 6 -> object(random, depth - 1);
            default -> {
                ArrayNode list = f.arrayNode();
                for (int n = random.nextInt(4); n > 0; n--) {
                    list.add(value(random, depth - 1));
                }
                yield list;
            }
        };
    }

    private static ObjectNode object(SplittableRandom random, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (int n = random.nextInt(8); n > 0; n--) {
            String name = List.of("a", "b", "c", "d", "e", "f", "inner", "other", "x\"y", "")
                    .get(random.nextInt(10));
            object.set(
                    name, name.equals("inner") && random.nextBoolean() ? object(random, depth) : value(random, depth));
        }
        return object;
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(10); n > 0; n--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    @Property(tries = 500)
    void columnsAreWhatATreeSaysWhateverTheOrderAndTheNesting(@ForAll long seed) throws IOException {
        JsonNode json = object(new SplittableRandom(seed), 3);
        Object[] expected = oracle(COLUMNS, MAPPER.readTree(MAPPER.writeValueAsBytes(json)));
        assertThat(scanned(COLUMNS, MAPPER.writeValueAsBytes(json))).isEqualTo(expected);
        byte[] pretty = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
        assertThat(scanned(COLUMNS, pretty)).isEqualTo(expected);
    }

    @Test
    void everyEventOfARouterIsScannedAsATreeWouldBe() throws IOException {
        for (RecordedEvent e : Traffic.events("warden", 3, 1, 8, 300, 2)) {
            List<EventColumn> columns = TopicColumns.of(e.topic());
            assertThat(scanned(columns, e.data())).isEqualTo(oracle(columns, MAPPER.readTree(e.data())));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "[]",
                "3",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{\"a\":}",
                "{a:1}",
                "{\"a\":\"x",
                "{} {}",
                "{\"b\":{\"x\":[}"
            })
    void whatIsNoObjectIsSaidToBeNone(String json) {
        assertThat(new EventScanner(COLUMNS).scan(json.getBytes(StandardCharsets.UTF_8), new Object[6]))
                .isFalse();
    }

    @Property(tries = 500)
    void timesAreReadAsTheJdkReadsThem(
            @ForAll @LongRange(min = 0, max = 4_000_000_000_000_000L) long micros, @ForAll boolean whole) {
        Instant at = Instant.ofEpochSecond(micros / 1_000_000, whole ? 0 : micros % 1_000_000 * 1000);
        assertThat(Timestamps.micros(at.toString())).hasValue(whole ? micros / 1_000_000 * 1_000_000 : micros);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-30T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-01-01T25:00:00Z",
                "2026-01-01 00:00:00Z",
                "yesterday",
                "",
                "2026-01-01T00:00:0xZ"
            })
    void whatIsNoTimeIsNone(String text) {
        assertThat(Timestamps.micros(text)).isEmpty();
    }

    @Test
    void othersFormsOfATimeAreRead() throws JsonProcessingException {
        assertThat(Timestamps.micros("2026-02-28T01:00:00+01:00")).isEqualTo(Timestamps.micros("2026-02-28T00:00:00Z"));
        assertThat(Timestamps.micros("2024-02-29T00:00:00.123456789Z")).hasValue(1_709_164_800_123_456L);
    }
}
