package dev.warmroute.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table for the terminal: first column left, the others right, columns as wide as their widest cell. */
final class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    TextTable(String... header) {
        rows.add(header);
    }

    TextTable row(String... cells) {
        if (cells.length != rows.get(0).length) {
            throw new IllegalArgumentException(
                    "a row of " + cells.length + " cells under " + rows.get(0).length + " columns");
        }
        rows.add(cells);
        return this;
    }

    void print(PrintWriter out) {
        int columns = rows.get(0).length;
        int[] width = new int[columns];
        for (String[] row : rows) {
            for (int c = 0; c < columns; c++) {
                width[c] = Math.max(width[c], row[c].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < columns; c++) {
                String pad = " ".repeat(width[c] - row[c].length());
                line.append(c == 0 ? row[c] + pad : "  " + pad + row[c]);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
