package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.recorder.file.WholeFile;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** How a benchmark's rows are written; see {@link BenchColumn}. */
public enum BenchFileFormat {
    /** A header and a row a request; nothing where there is no value; quoted where it must be. */
    CSV {
        @Override
        String text(BenchRun run, List<BenchWave> waves) {
            StringBuilder text = new StringBuilder(Arrays.stream(BenchColumn.values())
                            .map(BenchColumn::columnName)
                            .collect(Collectors.joining(",")))
                    .append('\n');
            waves.forEach(wave -> wave.requests()
                    .forEach(r -> text.append(Arrays.stream(BenchColumn.values())
                                    .map(column -> quoted(plain(column.of(run, wave, r))))
                                    .collect(Collectors.joining(",")))
                            .append('\n')));
            return text.toString();
        }
    },

    /** A list of objects with the columns' names; null where there is no value. */
    JSON {
        @Override
        String text(BenchRun run, List<BenchWave> waves) {
            ObjectMapper mapper = new ObjectMapper();
            ArrayNode rows = mapper.createArrayNode();
            for (BenchWave wave : waves) {
                for (RequestOutcome r : wave.requests()) {
                    ObjectNode row = rows.addObject();
                    for (BenchColumn column : BenchColumn.values()) {
                        put(row, column.columnName(), column.of(run, wave, r));
                    }
                }
            }
            return rows.toPrettyString() + "\n";
        }
    };

    abstract String text(BenchRun run, List<BenchWave> waves);

    /** Writes the rows of these waves into a file, which is replaced in one step. */
    public void write(Path file, BenchRun run, List<BenchWave> waves) {
        WholeFile.save(file, text(run, waves));
    }

    private static String plain(Object value) {
        return switch (value) {
            case OptionalDouble d -> d.isPresent() ? String.format(Locale.ROOT, "%.3f", d.getAsDouble()) : "";
            case OptionalInt i -> i.isPresent() ? Integer.toString(i.getAsInt()) : "";
            case OptionalLong l -> l.isPresent() ? Long.toString(l.getAsLong()) : "";
            default -> value.toString();
        };
    }

    /** A line break would be a row for many readers: it becomes a space. */
    private static String quoted(String field) {
        String line = field.replaceAll("[\r\n]+", " ");
        return line.indexOf(',') < 0 && line.indexOf('"') < 0 ? line : '"' + line.replace("\"", "\"\"") + '"';
    }

    private static void put(ObjectNode row, String name, Object value) {
        switch (value) {
            case Boolean b -> row.put(name, b);
            case String s -> row.put(name, s);
            case Integer i -> row.put(name, i);
            default -> {
                String number = plain(value);
                if (number.isEmpty()) {
                    row.putNull(name);
                } else {
                    row.put(name, new BigDecimal(number));
                }
            }
        }
    }
}
