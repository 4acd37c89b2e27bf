package dev.warmroute.simulator.validate;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.CsvTable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The published table of times to first token with a cold and a warm system prompt. */
final class WarmTable {
    private static final String RESOURCE = "warm-prompts-m4max.csv";
    private static final int MOST_CONCURRENT = 256;

    private WarmTable() {}

    /** One cell; times in seconds. */
    record Cell(String model, int concurrency, double coldS, double warmS) {
        double speedUp() {
            return coldS / warmS;
        }
    }

    /** The table as published. */
    static List<Cell> published() {
        try (Reader in = new InputStreamReader(WarmTable.class.getResourceAsStream(RESOURCE), StandardCharsets.UTF_8)) {
            return cells(CsvTable.read(RESOURCE, in), RESOURCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A table with the same columns. */
    static List<Cell> read(Path file) {
        return cells(CsvTable.read(file), file.toString());
    }

    private static List<Cell> cells(CsvTable table, String name) {
        if (table.rows().isEmpty()) {
            throw new UserError(name + " has no rows below its header: there is nothing to compare with");
        }
        return table.rows().stream()
                .map(row -> new Cell(
                        row.required("model"),
                        concurrency(row),
                        seconds(row, "cold_ttft_ms"),
                        seconds(row, "warm_ttft_ms")))
                .toList();
    }

    private static int concurrency(CsvTable.Row row) {
        int value = row.integer("concurrency");
        if (value < 1 || value > MOST_CONCURRENT) {
            throw row.wrong("concurrency", "is " + row.text("concurrency") + ", expected 1 to " + MOST_CONCURRENT);
        }
        return value;
    }

    private static double seconds(CsvTable.Row row, String column) {
        double millis = row.number(column);
        if (!(millis > 0) || Double.isInfinite(millis)) {
            throw row.wrong(column, "is " + row.text(column) + ", expected a time above 0");
        }
        return millis / 1e3;
    }
}
