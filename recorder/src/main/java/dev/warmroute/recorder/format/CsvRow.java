package dev.warmroute.recorder.format;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The fields of one line by the names of their columns, checked against what the caller expects. */
final class CsvRow {
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE / 2);

    private final CsvHeader header;
    private final List<String> fields;

    /** @throws RowException if the line has another number of fields than the header */
    CsvRow(CsvHeader header, List<String> fields) {
        if (fields.size() != header.names().size()) {
            throw new RowException(
                    "expected " + header.names().size() + " fields as in the header, found " + fields.size());
        }
        this.header = header;
        this.fields = fields;
    }

    /** Whether the column is there and not blank. */
    boolean has(String name) {
        return !text(name).isEmpty();
    }

    /** A field; empty when it is blank or there is no such column. */
    String text(String name) {
        int at = header.position(name);
        return at < 0 ? "" : fields.get(at);
    }

    /** A whole number in a range; one written with a point and zeros is whole. */
    long whole(String name, long least, long most) {
        try {
            long value = new BigDecimal(text(name)).longValueExact();
            if (value >= least && value <= most) {
                return value;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // said below, with the value
        }
        throw wrong(name, "expected a whole number from " + least + " to " + most);
    }

    /** A number of tokens that a prompt or an answer may have. */
    int tokens(String name, int least) {
        return (int) whole(name, least, Histories.maxTokens());
    }

    /** A time in a unit as nanoseconds, rounded to one. */
    long nanos(String name, long unitNanos) {
        try {
            BigDecimal nanos = new BigDecimal(text(name))
                    .multiply(BigDecimal.valueOf(unitNanos))
                    .setScale(0, RoundingMode.HALF_UP);
            if (nanos.abs().compareTo(LONGEST) < 0) {
                return nanos.longValueExact();
            }
        } catch (NumberFormatException e) {
            // said below, with the value
        }
        throw wrong(name, "expected a number");
    }

    RowException wrong(String name, String expected) {
        String found = text(name);
        return new RowException(name, expected + ", found " + (found.isEmpty() ? "nothing" : "'" + found + "'"));
    }
}
