package dev.warmroute.simulator.load;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.CsvTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A benchmark's rows as they were written, by this program or by vllm-mlx: one run, or several of the same.
 *
 * @param name of the file, in messages
 * @param facts what all rows have in common, by column; those of {@link #SAME} that the file has
 * @param place where the first row is, in messages
 * @param waves requests that were sent together
 * @param left rows without a complete answer, which are left out
 */
public record BenchFile(String name, Map<String, String> facts, String place, List<Wave> waves, int left) {
    /** Columns that have one value in a file. */
    static final List<String> SAME =
            List.of("tag", "model_id", "prompt_set", "prompts_id", "max_tokens", "enable_thinking", "extra_body");

    private static final String TAG = "tag";

    public BenchFile {
        facts = Map.copyOf(facts);
        waves = List.copyOf(waves);
    }

    /** Requests that were sent together, each a row. */
    public record Wave(int concurrency, List<Request> requests) {
        public Wave {
            requests = List.copyOf(requests);
        }
    }

    /**
     * One request, times in seconds.
     *
     * @param ttftS time to first token
     * @param latencyS time to the last byte
     * @param throughputTps output tokens a second of its whole wave
     * @param promptTokens empty when the file does not say, as {@code cachedTokens}
     */
    public record Request(
            double ttftS,
            OptionalDouble latencyS,
            OptionalDouble throughputTps,
            OptionalDouble promptTokens,
            OptionalDouble cachedTokens) {}

    /** The tag of its rows. */
    public String tag() {
        return facts.getOrDefault(TAG, "");
    }

    /** @throws UserError with row and column if it is not such a file, or of different runs */
    public static BenchFile read(Path path) {
        CsvTable table = CsvTable.read(path);
        List<CsvTable.Row> rows = table.rows();
        if (rows.isEmpty()) {
            throw new UserError(path + " has no rows below its header: there is nothing to compare");
        }
        CsvTable.Row first = rows.get(0);
        Map<String, String> facts = new LinkedHashMap<>();
        SAME.stream().filter(table::has).forEach(column -> facts.put(column, first.text(column)));
        Map<String, Draft> waves = new LinkedHashMap<>();
        int left = 0;
        for (CsvTable.Row row : rows) {
            facts.forEach((column, value) -> {
                if (!row.text(column).equals(value)) {
                    throw row.wrong(
                            column,
                            "is '" + row.text(column) + "', but " + first.where() + " has '" + value
                                    + "': a file has one run, or several of the same");
                }
            });
            if (row.text("ttft_ms").isEmpty() || table.has("validated") && !row.flag("validated")) {
                left++;
                continue;
            }
            int concurrency = whole(row, "concurrency");
            String run = (table.has("run_id") ? row.text("run_id") : "")
                    + '/'
                    + concurrency
                    + '/'
                    + whole(row, "repetition");
            waves.computeIfAbsent(run, r -> new Draft(concurrency)).requests.add(request(table, row));
        }
        if (waves.isEmpty()) {
            throw new UserError(path + ": none of its " + rows.size() + " rows has a complete answer");
        }
        return new BenchFile(
                path.toString(),
                facts,
                first.where(),
                waves.values().stream()
                        .map(d -> new Wave(d.concurrency, d.requests))
                        .toList(),
                left);
    }

    private static final class Draft {
        private final int concurrency;
        private final List<Request> requests = new ArrayList<>();

        Draft(int concurrency) {
            this.concurrency = concurrency;
        }
    }

    private static Request request(CsvTable table, CsvTable.Row row) {
        return new Request(
                positive(row, "ttft_ms") / 1e3,
                scaled(optional(table, row, "e2e_latency_ms"), 1e-3),
                optional(table, row, "throughput_tps"),
                optional(table, row, "prompt_tokens"),
                optional(table, row, "tokens_saved"));
    }

    private static OptionalDouble optional(CsvTable table, CsvTable.Row row, String column) {
        return !table.has(column) || row.text(column).isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(notNegative(row, column));
    }

    private static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    private static double positive(CsvTable.Row row, String column) {
        double value = notNegative(row, column);
        if (value == 0) {
            throw row.wrong(column, "is 0, expected more");
        }
        return value;
    }

    private static double notNegative(CsvTable.Row row, String column) {
        double value = row.number(column);
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw row.wrong(column, "is " + row.text(column) + ", expected a number of at least 0");
        }
        return value;
    }

    private static int whole(CsvTable.Row row, String column) {
        row.required(column);
        int value = row.integer(column);
        if (value < 0) {
            throw row.wrong(column, "is " + value + ", expected 0 or more");
        }
        return value;
    }
}
