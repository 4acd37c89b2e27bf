package dev.warmroute.simulator.kv;

import dev.warmroute.recorder.format.CsvLine;
import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
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
import java.util.Locale;

/** A small CSV table with a header; every complaint names file, row and field. */
public final class CsvTable {
    private final String file;
    private final List<String> header;
    private final List<Row> rows = new ArrayList<>();

    private CsvTable(String file, List<String> header) {
        this.file = file;
        this.header = header;
    }

    /** Reads a table; {@code file} is its name in messages. */
    public static CsvTable read(String file, Reader reader) {
        try {
            return read(file, file, reader);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static CsvTable read(String file, String path, Reader reader) throws IOException {
        BufferedReader lines = new BufferedReader(reader);
        String first = lines.readLine();
        if (first == null) {
            throw new UserError(path + ": empty; expected a header and one row for each entry");
        }
        CsvTable table = new CsvTable(file, split(path + " row 1", first));
        int number = 1;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!line.isBlank()) {
                table.addRow(number, split(file + " row " + number, line));
            }
        }
        return table;
    }

    /** Reads a file. */
    public static CsvTable read(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            return read(file.getFileName().toString(), file.toString(), reader);
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + file, e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** Reads a table that this package has beside its classes. */
    static CsvTable resource(String name) {
        var stream = CsvTable.class.getResourceAsStream(name);
        if (stream == null) {
            throw new IllegalStateException("the resource " + name + " is missing from this build");
        }
        try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            return read(name, reader);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /** Whether the header has a column. */
    public boolean has(String column) {
        return header.contains(column);
    }

    public List<Row> rows() {
        return rows;
    }

    private void addRow(int number, List<String> cells) {
        if (cells.size() != header.size()) {
            throw new UserError(
                    file + " row " + number + ": " + cells.size() + " cells, but the header has " + header.size());
        }
        rows.add(new Row(number, cells));
    }

    private static List<String> split(String place, String line) {
        return CsvLine.fields(line)
                .orElseThrow(() -> new UserError(place + ": a quote is opened and not closed; close it"));
    }

    /** One row; cells are read by the name of their column. */
    public final class Row {
        private final int number;
        private final List<String> cells;

        private Row(int number, List<String> cells) {
            this.number = number;
            this.cells = cells;
        }

        /** A cell as it is. */
        public String text(String column) {
            int at = header.indexOf(column);
            if (at < 0) {
                throw new UserError(
                        file + ": there is no column '" + column + "'; the header has " + String.join(", ", header));
            }
            return cells.get(at);
        }

        /** Reads a cell that must not be empty. */
        public String required(String column) {
            String value = text(column);
            if (value.isEmpty()) {
                throw wrong(column, "is empty");
            }
            return value;
        }

        public List<String> list(String column) {
            String value = text(column);
            return value.isEmpty() ? List.of() : List.of(value.split("\\s*;\\s*"));
        }

        /** Reads a whole number; an empty cell is 0. */
        public int integer(String column) {
            String value = text(column);
            try {
                return value.isEmpty() ? 0 : Integer.parseInt(value);
            } catch (NumberFormatException e) {
                throw wrong(column, "is '" + value + "', expected a whole number");
            }
        }

        public double number(String column) {
            String value = required(column);
            try {
                return Double.parseDouble(value);
            } catch (NumberFormatException e) {
                throw wrong(column, "is '" + value + "', expected a number");
            }
        }

        public boolean flag(String column) {
            String value = required(column).toLowerCase(Locale.ROOT);
            if (!value.equals("true") && !value.equals("false")) {
                throw wrong(column, "is '" + value + "', expected true or false");
            }
            return value.equals("true");
        }

        /** What is wrong with a cell, with its place. */
        public UserError wrong(String column, String what) {
            return new UserError(where() + ": " + column + " " + what);
        }

        public String where() {
            return file + " row " + number;
        }
    }
}
