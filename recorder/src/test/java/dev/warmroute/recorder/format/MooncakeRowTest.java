package dev.warmroute.recorder.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The two ways of reading a row agree, whatever the row is. */
class MooncakeRowTest {
    private record Fields(
            long arrivalNanos, int input, int output, List<Long> ids, String session, int turn, long gapNanos) {
        static Fields of(MooncakeRow row) {
            return new Fields(
                    row.arrivalNanos(),
                    row.inputTokens(),
                    row.outputTokens(),
                    IntStream.range(0, row.blocks()).mapToObj(row::block).toList(),
                    row.session(),
                    row.turn(),
                    row.gapNanos());
        }
    }

    private static Optional<Fields> plain(String text) {
        MooncakeRow row = new MooncakeRow();
        byte[] line = ("#" + text + "#").getBytes(StandardCharsets.UTF_8);
        return row.readPlain(line, 1, line.length - 1) ? Optional.of(Fields.of(row)) : Optional.empty();
    }

    private static Optional<Fields> json(String text) {
        MooncakeRow row = new MooncakeRow();
        try {
            row.read(JsonRow.of(text));
            return Optional.of(Fields.of(row));
        } catch (RowException e) {
            return Optional.empty();
        }
    }

    @Property(tries = 500)
    void aWellFormedRowIsPlainAndReadAsTheJsonParserReadsIt(@ForAll("rows") String row) {
        assertThat(plain(row)).isPresent().isEqualTo(json(row));
    }

    @Property(tries = 5000)
    void whateverIsReadAsPlainIsWhatTheJsonParserReads(@ForAll("rows") String row, @ForAll("edits") Edit edit) {
        String edited = edit.of(row);
        plain(edited).ifPresent(fields -> assertThat(json(edited)).as(edited).contains(fields));
    }

    @Example
    void numbersThatAreNotPlainAreLeftToTheJsonParser() {
        String[] numbers = {"01", "1.0", "1e3", "-1", "1234567890123456", "\"1\"", "null", ""};
        for (String number : numbers) {
            assertThat(plain("{\"timestamp\":" + number + ",\"input_length\":1,\"output_length\":1,\"hash_ids\":[1]}"))
                    .as(number)
                    .isEmpty();
            assertThat(plain(
                            "{\"timestamp\":1,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1," + number + "]}"))
                    .as(number)
                    .isEmpty();
        }
    }

    /** One character put in, taken out, or put in the place of another. */
    record Edit(double where, char character, int kind) {
        String of(String row) {
            int at = (int) (where * row.length());
            String before = row.substring(0, at);
            return switch (kind) {
                case 0 -> before + character + row.substring(at);
                case 1 -> before + row.substring(at + 1);
                default -> before + character + row.substring(at + 1);
            };
        }
    }

    @Provide
    Arbitrary<Edit> edits() {
        return Combinators.combine(
                        Arbitraries.doubles().between(0, 0.9999).ofScale(4),
                        Arbitraries.of("0123456789.eE-+\"\\{}[],: \tnuax\u00e9"
                                .chars()
                                .mapToObj(c -> (char) c)
                                .toList()),
                        Arbitraries.integers().between(0, 2))
                .as(Edit::new);
    }

    @Provide
    Arbitrary<String> rows() {
        Arbitrary<String> space = Arbitraries.of("", " ");
        Arbitrary<String> ids = Arbitraries.longs()
                .between(0, 900_000_000_000_000L)
                .list()
                .ofMaxSize(70)
                .map(MooncakeRowTest::listed);
        Arbitrary<String> session = Arbitraries.strings()
                .withChars("abz_/ 09'{}[],:")
                .ofMinLength(1)
                .ofMaxLength(9);
        Arbitrary<Integer> lengths = Arbitraries.integers().between(1, Integer.MAX_VALUE);
        Arbitrary<Long> times = Arbitraries.longs().between(0, 1_000_000_000_000L);
        Arbitrary<Integer> optional = Arbitraries.integers().between(0, 7);
        return Combinators.combine(space, ids, session, lengths, lengths, times, times, optional)
                .as((s, blocks, name, in, out, time, delay, which) -> {
                    String text = "{\"timestamp\":" + s + time + ",\"input_length\":" + s + in + "," + s
                            + "\"output_length\":" + out + ",\"hash_ids\":[" + blocks + "]";
                    text += (which & 1) > 0 ? "," + s + "\"session_id\":" + s + "\"" + name + "\"" : "";
                    text += (which & 2) > 0 ? ",\"turn\":" + out : "";
                    text += (which & 4) > 0 ? ",\"delay\":" + s + delay + s : "";
                    return text + "}" + s;
                });
    }

    private static String listed(List<Long> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
