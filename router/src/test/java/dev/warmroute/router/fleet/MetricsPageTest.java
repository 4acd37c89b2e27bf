package dev.warmroute.router.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsPageTest {
    @Test
    void namesLabelsAndValuesAreRead() {
        String page = """
                # HELP vllm:prompt_tokens_total Number of prefill tokens processed.
                # TYPE vllm:prompt_tokens_total counter
                vllm:prompt_tokens_total{engine="0",model_name="a b"} 3.802635e+06
                up 1
                \t spaced { x = "1" , y = "2", }   7   1395066363000
                """;
        assertThat(all(page))
                .containsExactly(
                        new Sample("vllm:prompt_tokens_total", Map.of("engine", "0", "model_name", "a b"), 3_802_635),
                        new Sample("up", Map.of(), 1),
                        new Sample("spaced", Map.of("x", "1", "y", "2"), 7));
    }

    @Test
    void escapesInLabelsAreUndone() {
        assertThat(all("m{path=\"C:\\\\DIR\\n\\\"x\\\"\",b=\"{,=}\"} 1")
                        .getFirst()
                        .labels())
                .isEqualTo(Map.of("path", "C:\\DIR\n\"x\"", "b", "{,=}"));
    }

    @ParameterizedTest
    @CsvSource({
        "NaN,NaN",
        "+Inf,Infinity",
        "Inf,Infinity",
        "-Inf,-Infinity",
        "1e3,1000",
        "-0.5,-0.5",
        "1.795984045e+09,1795984045"
    })
    void specialNumbersAndExponentsAreRead(String text, Double value) {
        assertThat(all("m " + text).getFirst().value()).isEqualTo(value);
    }

    @Test
    void bucketsCommentsAndTimesOfCreationArePassedBy() {
        String page = """
                h_bucket{le="1.0"} 1.0
                h_sum 3.0
                h_count 2.0
                h_created 1.79e+09
                # EOF
                """;
        assertThat(all(page)).extracting(Sample::name).containsExactly("h_sum", "h_count");
    }

    @Test
    void onlyWantedSamplesAreTakenApart() {
        assertThat(MetricsPage.read("a{broken 1\nb 2", "b"::equals)).containsExactly(new Sample("b", Map.of(), 2));
    }

    @Test
    void carriageReturnsExemplarsAndAMissingLastLineBreakDoNoHarm() {
        assertThat(all("a 1\r\n\r\nb 2 # {trace=\"x\"} 0.5\nc 3"))
                .extracting(Sample::name, Sample::value)
                .containsExactly(tuple("a", 1.0), tuple("b", 2.0), tuple("c", 3.0));
        assertThat(all("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<!DOCTYPE html>|line 2, column 1: expected the name of a metric",
                "m{a=\"1\"|line 2, column 8: expected more",
                "m{a=1} 1|line 2, column 5: expected '\"'",
                "m{a=\"\\x\"} 1|line 2, column 7: expected \\\\",
                "m{=\"1\"} 1|line 2, column 3: expected the name of a label",
                "m{a=\"1\" b=\"2\"} 1|line 2, column 9: expected ','",
                "m|line 2, column 2: expected a number",
                "m one|expected a number, not 'one'",
                "m 1 soon|expected a timestamp",
            })
    void aLineThatIsNotOneIsRefusedWithItsPlace(String line, String message) {
        assertThatThrownBy(() -> all("a 1\n" + line + "\nb 2\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a page of metrics: line 2")
                .hasMessageContaining(message);
    }

    @Property(tries = 300)
    void whatIsWrittenIsReadBack(@ForAll("samples") List<Sample> samples, @ForAll("separators") String separator) {
        String page = samples.stream().map(MetricsPageTest::line).collect(Collectors.joining(separator));
        assertThat(all(page)).isEqualTo(samples);
    }

    @Provide
    Arbitrary<List<Sample>> samples() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars("_:")
                .ofMinLength(1)
                .ofMaxLength(12)
                .filter(name -> !name.endsWith("_bucket") && !name.endsWith("_created"));
        Arbitrary<Map<String, String>> labels = Arbitraries.maps(
                        Arbitraries.strings()
                                .withCharRange('a', 'z')
                                .ofMinLength(1)
                                .ofMaxLength(6),
                        Arbitraries.strings()
                                .ascii()
                                .withChars("\\\"\n{}=,# é語")
                                .ofMaxLength(10))
                .ofMaxSize(4);
        Arbitrary<Double> values = Arbitraries.oneOf(
                Arbitraries.doubles(),
                Arbitraries.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0));
        return Combinators.combine(names, labels, values).as(Sample::new).list().ofMaxSize(20);
    }

    @Provide
    Arbitrary<String> separators() {
        return Arbitraries.of("\n", "\r\n", "\n\n", "\n# HELP x y\n", "\nh_bucket{le=\"1\"} 4\n");
    }

    private static String line(Sample sample) {
        String labels = sample.labels().entrySet().stream()
                .map(e -> e.getKey() + "=\""
                        + e.getValue()
                                .replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n") + '"')
                .collect(Collectors.joining(",", "{", "}"));
        double v = sample.value();
        String value = Double.isNaN(v) ? "NaN" : Double.isInfinite(v) ? (v > 0 ? "+Inf" : "-Inf") : Double.toString(v);
        return sample.name() + (sample.labels().isEmpty() ? "" : labels) + ' ' + value;
    }

    private static List<Sample> all(String page) {
        return MetricsPage.read(page, name -> true);
    }
}
