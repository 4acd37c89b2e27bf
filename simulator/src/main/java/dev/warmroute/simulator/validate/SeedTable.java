package dev.warmroute.simulator.validate;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.validate.SeedResult.Figures;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The published table of LM Warden: a row for each number of sessions, affinity off and on. */
final class SeedTable {
    private static final String HEADER =
            "sessions,affinity,sessions_per_hour,output_tokens_per_min,ttfb_p50_s,ttfb_p95_s,replicas_busy,prefix_hit_pct,stayed_pct";
    private static final String RESOURCE = "lm-warden-4xa4000.csv";

    private SeedTable() {}

    /** One row. */
    record Row(int sessions, boolean affinity, Figures measured) {}

    /** The table as published. */
    static List<Row> published() {
        try (Reader in = new InputStreamReader(SeedTable.class.getResourceAsStream(RESOURCE), StandardCharsets.UTF_8)) {
            return read(in, RESOURCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A table with the same columns. */
    static List<Row> read(Path file) {
        try (Reader in = Files.newBufferedReader(file)) {
            return read(in, file.toString());
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + file, e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    private static List<Row> read(Reader in, String name) throws IOException {
        List<Row> rows = new ArrayList<>();
        BufferedReader lines = new BufferedReader(in);
        String header = lines.readLine();
        if (!HEADER.equals(header)) {
            throw new UserError(name + ": line 1 must be '" + HEADER + "'");
        }
        int number = 1;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!line.isBlank()) {
                rows.add(row(line.split(",", -1), name + ": line " + number));
            }
        }
        if (rows.isEmpty()) {
            throw new UserError(name + " has no rows below its header: there is nothing to compare with");
        }
        return rows;
    }

    private static Row row(String[] fields, String place) {
        String[] columns = HEADER.split(",");
        if (fields.length != columns.length) {
            throw new UserError(place + ": " + fields.length + " fields instead of " + columns.length);
        }
        if (!fields[1].equals("on") && !fields[1].equals("off")) {
            throw new UserError(place + ": affinity must be on or off, not '" + fields[1] + "'");
        }
        double[] numbers = new double[fields.length];
        for (int i = 0; i < fields.length; i++) {
            if (i != 1 && !(i == fields.length - 1 && fields[i].isEmpty())) {
                numbers[i] = number(fields[i], place + ": " + columns[i]);
            }
        }
        return new Row(
                (int) numbers[0],
                fields[1].equals("on"),
                new Figures(
                        numbers[3],
                        numbers[4],
                        numbers[5],
                        numbers[6],
                        numbers[7],
                        fields[8].isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(numbers[8])));
    }

    private static double number(String text, String what) {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new UserError(what + " must be a number, not '" + text + "'", e);
        }
        if (!Double.isFinite(number)) {
            throw new UserError(what + " must be a finite number, not '" + text + "'");
        }
        return number;
    }
}
