package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import java.util.Objects;

/**
 * A figure of the verdict box.
 *
 * @param label what it is
 * @param value the figure; a number is written with its unit
 * @param note what to hold it against, in words; may be empty
 */
public record Fact(String label, Cell value, String note) {
    public Fact {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(note, "note");
    }
}
