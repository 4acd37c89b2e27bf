package dev.warmroute.recorder.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamReadException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * One line that holds a JSON object, read field by field without a tree: rows of public traces carry hundreds of block
 * ids. Every value is checked against what the caller expects; what does not fit is a {@link RowException} that names the
 * field.
 */
final class JsonRow {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(1 << 26).build())
            .build();
    private static final double MAX_EXACT = 1L << 53;

    private final JsonParser parser;
    private String field = "";

    private JsonRow(JsonParser parser) {
        this.parser = parser;
    }

    /** Starts reading a line. */
    static JsonRow of(String line) {
        try {
            JsonRow row = new JsonRow(FACTORY.createParser(line));
            if (row.next() != JsonToken.START_OBJECT) {
                throw new RowException("expected a JSON object in one line");
            }
            return row;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves to the next field and its value; false after the last one, when nothing but space follows. */
    boolean nextField() {
        JsonToken token = next();
        if (token == JsonToken.FIELD_NAME) {
            try {
                field = parser.currentName();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            next();
            return true;
        }
        if (next() != null) {
            throw new RowException("expected one JSON object a line, found more after it");
        }
        return false;
    }

    String field() {
        return field;
    }

    boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Leaves the value out, whatever it is. */
    void skip() {
        try {
            parser.skipChildren();
        } catch (StreamReadException e) {
            throw broken(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A whole number in a range. */
    long whole(long least, long most) {
        try {
            if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
                long value = parser.getLongValue();
                if (value >= least && value <= most) {
                    return value;
                }
            }
        } catch (IOException e) {
            // too large for a long: said below, with the value
        }
        throw wrong("expected a whole number from " + least + (most == Long.MAX_VALUE ? "" : " to " + most));
    }

    int whole(int least) {
        return (int) whole(least, Integer.MAX_VALUE);
    }

    /** A finite number of at least {@code least}. */
    double number(double least) {
        try {
            if (parser.currentToken().isNumeric()) {
                double value = parser.getDoubleValue();
                if (value >= least && value < Double.POSITIVE_INFINITY) {
                    return value;
                }
            }
        } catch (IOException e) {
            // said below
        }
        throw wrong("expected a number of at least " + least);
    }

    /** A time of at least 0 in units of {@code unitNanos}, as nanoseconds; fractions are rounded to a nanosecond. */
    long nanos(long unitNanos) {
        double value = number(0);
        if (value * unitNanos >= MAX_EXACT * 1000) {
            throw wrong("expected a time from the start of the trace");
        }
        long units = (long) value;
        return units * unitNanos + Math.round((value - units) * unitNanos);
    }

    boolean bool() {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw wrong("expected true or false");
        }
        return token == JsonToken.VALUE_TRUE;
    }

    /** A string that is not empty. */
    String text() {
        try {
            if (parser.currentToken() == JsonToken.VALUE_STRING && parser.getTextLength() > 0) {
                return parser.getText();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw wrong("expected a string");
    }

    /** A string that may be empty, or null for an empty one. */
    String textOrEmpty() {
        try {
            if (isNull()) {
                return "";
            }
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                return parser.getText();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw wrong("expected a string");
    }

    /** Enters an array. */
    void array() {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw wrong("expected a list");
        }
    }

    /** Moves to the next element of the array; false at its end. */
    boolean nextElement() {
        return next() != JsonToken.END_ARRAY;
    }

    /** Moves to the next element, which has to be there. */
    void element(String what) {
        if (!nextElement()) {
            throw new RowException(field, "expected " + what);
        }
    }

    /** Leaves the array, which has to end here. */
    void end(String what) {
        if (nextElement()) {
            throw new RowException(field, "expected " + what);
        }
    }

    /** Refuses the row if a field that has to be there was not. */
    void require(String name, boolean found) {
        if (!found) {
            throw new RowException(name, "missing");
        }
    }

    RowException wrong(String expected) {
        String found;
        try {
            found = switch (parser.currentToken()) {
                case START_OBJECT -> "an object";
                case START_ARRAY -> "a list";
                case END_ARRAY, END_OBJECT -> "its end";
                case VALUE_STRING -> "'" + abbreviate(parser.getText()) + "'";
                default -> abbreviate(parser.getText());
            };
        } catch (IOException e) {
            found = "something unreadable";
        }
        return new RowException(field, expected + ", found " + found);
    }

    private JsonToken next() {
        try {
            return parser.nextToken();
        } catch (StreamReadException e) {
            throw broken(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RowException broken(StreamReadException e) {
        int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
        return new RowException("not JSON (column " + column + "): "
                + abbreviate(e.getOriginalMessage().replaceAll("\\s+", " ")));
    }

    private static String abbreviate(String text) {
        return text.length() <= 80 ? text : text.substring(0, 77) + "...";
    }
}
