package dev.warmroute.recorder.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;

/** Writes JSON, one object a line. Fields without a value are left out. */
final class JsonRows {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    private final JsonGenerator json;
    private final Writer text;

    JsonRows(Writer text) {
        this.text = text;
        try {
            json = new JsonFactory()
                    .createGenerator(text)
                    .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                    .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
                    .setPrettyPrinter(new MinimalPrettyPrinter(""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private JsonRows step(Step step) {
        try {
            step.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins the object of a line, or one within a list. */
    JsonRows begin() {
        return step(json::writeStartObject);
    }

    JsonRows begin(String name) {
        return step(() -> json.writeObjectFieldStart(name));
    }

    JsonRows end() {
        return step(json::writeEndObject);
    }

    /** Ends the object of a line, and the line. */
    JsonRows endLine() {
        return step(() -> {
            json.writeEndObject();
            json.flush();
            text.write('\n');
        });
    }

    JsonRows beginList(String name) {
        return step(() -> json.writeArrayFieldStart(name));
    }

    /** Begins a list within a list, or one that is a whole document. */
    JsonRows beginList() {
        return step(json::writeStartArray);
    }

    JsonRows endList() {
        return step(json::writeEndArray);
    }

    JsonRows whole(String name, long value) {
        return step(() -> json.writeNumberField(name, value));
    }

    JsonRows whole(long value) {
        return step(() -> json.writeNumber(value));
    }

    JsonRows text(String name, String value) {
        return step(() -> json.writeStringField(name, value));
    }

    JsonRows text(String value) {
        return step(() -> json.writeString(value));
    }

    /** A text, unless it is empty. */
    JsonRows textIfAny(String name, String value) {
        return value.isEmpty() ? this : text(name, value);
    }

    JsonRows nothing(String name) {
        return step(() -> json.writeNullField(name));
    }

    JsonRows flag(String name, boolean value) {
        return step(() -> json.writeBooleanField(name, value));
    }

    /** A time in a unit, with as many decimals as it needs. */
    JsonRows time(String name, long nanos, long unitNanos) {
        return step(() -> {
            json.writeFieldName(name);
            if (nanos % unitNanos == 0) {
                json.writeNumber(nanos / unitNanos);
            } else {
                json.writeNumber(decimal(nanos, unitNanos));
            }
        });
    }

    /** A time that is left out when it is unknown. */
    JsonRows timeIfKnown(String name, long nanos, long unitNanos) {
        return nanos < 0 ? this : time(name, nanos, unitNanos);
    }

    JsonRows wholes(String name, long[] values) {
        return step(() -> {
            json.writeFieldName(name);
            json.writeArray(values, 0, values.length);
        });
    }

    /** Brings what was written to the file's buffer. */
    void flush() {
        step(json::flush);
    }

    /** Nanoseconds in a unit that is a power of ten of them, exactly. */
    static BigDecimal decimal(long nanos, long unitNanos) {
        int digits = Long.toString(unitNanos).length() - 1;
        return BigDecimal.valueOf(nanos, digits).stripTrailingZeros();
    }
}
