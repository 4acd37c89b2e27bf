package dev.warmroute.router.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldScannerTest {
    private static final String[] PATHS = {"a", "b.c", "b.d.e", "list.x"};

    private static JsonFieldScanner scan(String json, String... paths) {
        JsonFieldScanner scanner = new JsonFieldScanner(JsonFields.of(paths));
        scanner.feed(ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)));
        return scanner;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"model\":\"m\"}|m",
                "{\"messages\":[{\"model\":\"no\"},\"model\",{\"a\":\"\\\"model\\\":\\\"no\\\"\"}],\"model\":\"m\"}|m",
                "{\"model\":\"first\",\"model\":\"last\"}|last",
                "{\"mod\\u0065l\":\"m\"}|m",
                "{\"model\":\"a\\\"b\\\\c\\u00e9\"}|a\"b\\cé",
                "{\"model\":null}|``",
                "{\"model\":\"m\",\"model\":null}|m",
                "{\"x\":{\"model\":\"no\"}}|``",
                "{\"x\":\"\\\\\",\"model\":\"m\"}|m",
                "{\"model\":[\"m\"]}|``",
                " \n{ \"model\" : \"m\" , \"x\" : -1.5e3 } |m",
                "[1,2]|``",
                "\"model\"|``",
                "{\"model\":tru}|tru",
            })
    void findsAFieldWhereItIsAndNowhereElse(String json, String expected) {
        assertThat(scan(json, "model").value(0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{model:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{,}", "}", "{\"a\":}", "{\"a\":1]"})
    void whatIsNotJsonIsSaidToBeNone(String text) {
        assertThat(scan(text, "a").failed()).isTrue();
    }

    @Test
    void countsAreWholeNumbersOfAtLeastZero() {
        JsonFieldScanner s = scan(
                "{\"a\":12,\"b\":-1,\"c\":1.5,\"d\":\"7\",\"e\":99999999999999999999}", "a", "b", "c", "d", "e", "f");
        assertThat(List.of(s.count(0), s.count(1), s.count(2), s.count(3), s.count(4), s.count(5)))
                .containsExactly(12L, -1L, -1L, -1L, -1L, -1L);
    }

    @Test
    void aValueLongerThanAnIdIsLeftOut() {
        assertThat(scan("{\"a\":\"" + "x".repeat(5_000) + "\",\"b\":\"y\"}", "a", "b")
                        .value(0))
                .isEmpty();
        assertThat(scan("{\"" + "k".repeat(5_000) + "\":1,\"b\":\"y\"}", "a", "b")
                        .value(1))
                .isEqualTo("y");
    }

    /** The oracle reads the whole tree with Jackson. */
    @Property(tries = 300)
    void agreesWithATreeHoweverTheBytesAreCut(
            @ForAll("trees") JsonNode tree, @ForAll @IntRange(min = 1, max = 40) int piece) throws Exception {
        byte[] json = new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(tree);
        JsonFieldScanner scanner = new JsonFieldScanner(JsonFields.of(PATHS));
        for (int i = 0; i < json.length; i += piece) {
            ByteBuffer direct = ByteBuffer.allocateDirect(Math.min(piece, json.length - i));
            scanner.feed(direct.put(json, i, direct.capacity()).flip());
        }
        assertThat(scanner.failed()).isFalse();
        assertThat(scanner.complete()).isTrue();
        for (int field = 0; field < PATHS.length; field++) {
            assertThat(scanner.value(field))
                    .as(PATHS[field])
                    .isEqualTo(last(tree, List.of(PATHS[field].split("\\.")), ""));
        }
    }

    /** The last value at a path; lists on the way are looked through, nested ones too, but a list is no value. */
    private static String last(JsonNode node, List<String> path, String before) {
        String last = before;
        if (node.isArray() && !path.isEmpty()) {
            for (JsonNode element : node) {
                last = last(element, path, last);
            }
        } else if (path.isEmpty()) {
            last = text(node).isEmpty() ? last : text(node);
        } else if (node.isObject()) {
            last = last(node.path(path.get(0)), path.subList(1, path.size()), last);
        }
        return last;
    }

    private static String text(JsonNode node) {
        return node.isValueNode() && !node.isNull() ? node.asText() : "";
    }

    @Provide
    Arbitrary<JsonNode> trees() {
        return Arbitraries.of("a", "b", "c", "d", "e", "x", "list", "\u00e9\"\\", "longer name")
                .list()
                .ofMaxSize(6)
                .flatMap(names -> values(3).list().ofSize(names.size()).map(values -> object(names, values)));
    }

    private static JsonNode object(List<String> names, List<JsonNode> values) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < names.size(); i++) {
            node.set(names.get(i), values.get(i));
        }
        return node;
    }

    private static Arbitrary<JsonNode> values(int depth) {
        Arbitrary<JsonNode> scalars = Arbitraries.oneOf(
                Arbitraries.strings()
                        .withChars("ab\"\\{}[],:\n\u00e9\u4e16 ")
                        .ofMaxLength(30)
                        .filter(s -> !s.isEmpty())
                        .map(JsonNodeFactory.instance::textNode),
                Arbitraries.integers().map(JsonNodeFactory.instance::numberNode),
                Arbitraries.of(true, false).map(JsonNodeFactory.instance::booleanNode),
                Arbitraries.just(JsonNodeFactory.instance.nullNode()));
        if (depth == 0) {
            return scalars;
        }
        Arbitrary<JsonNode> objects = Arbitraries.of("a", "c", "d", "e", "x")
                .list()
                .ofMaxSize(4)
                .flatMap(names -> values(depth - 1).list().ofSize(names.size()).map(v -> object(names, v)));
        Arbitrary<JsonNode> arrays = values(depth - 1).list().ofMaxSize(4).map(v -> {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            v.forEach(array::add);
            return array;
        });
        return Arbitraries.oneOf(scalars, objects, arrays);
    }
}
