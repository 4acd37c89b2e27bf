package dev.warmroute.recorder.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The fields of a small JSON object by name, checked as {@link JsonRow} checks them; for rows whose order is not fixed. */
final class JsonFields {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final JsonNode object;

    JsonFields(JsonNode object) {
        this.object = object;
    }

    static JsonFields of(String line) {
        try {
            JsonNode node = MAPPER.readTree(line);
            if (!node.isObject()) {
                throw new RowException("expected a JSON object in one line");
            }
            return new JsonFields(node);
        } catch (JsonProcessingException e) {
            throw new RowException("not JSON: " + e.getOriginalMessage().replaceAll("\\s+", " "));
        }
    }

    /** Whether the field is there and not null. */
    boolean has(String name) {
        return object.hasNonNull(name);
    }

    String text(String name) {
        JsonNode value = required(name);
        if (!value.isTextual() || value.asText().isEmpty()) {
            throw wrong(name, "a string", value);
        }
        return value.asText();
    }

    /** A text, or {@code otherwise} where the field is absent or null. */
    String textOr(String name, String otherwise) {
        return has(name) && !object.get(name).asText().isEmpty() ? text(name) : otherwise;
    }

    /** A number of tokens that a prompt or an answer may have. */
    int tokens(String name, int least) {
        long value = whole(name, least);
        if (value > Histories.maxTokens()) {
            throw new RowException(name, "expected at most " + Histories.maxTokens() + " tokens, found " + value);
        }
        return (int) value;
    }

    /** The fields of an object within. */
    JsonFields object(String name) {
        JsonNode value = required(name);
        if (!value.isObject()) {
            throw wrong(name, "an object", value);
        }
        return new JsonFields(value);
    }

    long whole(String name, long least) {
        JsonNode value = required(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least) {
            throw wrong(name, "a whole number of at least " + least, value);
        }
        return value.asLong();
    }

    int count(String name, int least) {
        long value = whole(name, least);
        if (value > Integer.MAX_VALUE) {
            throw new RowException(name, "expected at most " + Integer.MAX_VALUE + ", found " + value);
        }
        return (int) value;
    }

    /** A count, or {@code otherwise} where the field is absent or null. */
    long wholeOr(String name, long otherwise) {
        return has(name) ? whole(name, 0) : otherwise;
    }

    double number(String name) {
        return number(name, required(name));
    }

    double numberOr(String name, double otherwise) {
        return has(name) ? number(name) : otherwise;
    }

    /** Seconds from the start as nanoseconds, to the nearest nanosecond. */
    long nanos(String name) {
        double seconds = number(name);
        if (seconds < 0 || seconds > 1e9) {
            throw wrong(name, "seconds from the start", required(name));
        }
        return Math.round(seconds * 1e9);
    }

    long nanosOr(String name, long otherwise) {
        return has(name) ? nanos(name) : otherwise;
    }

    /** Milliseconds as nanoseconds, or {@code otherwise} where the field is absent or null. */
    long millisOr(String name, long otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        double millis = number(name);
        if (millis < 0 || millis > 1e12) {
            throw wrong(name, "milliseconds from 0 on", required(name));
        }
        return Math.round(millis * JsonRows.MILLI);
    }

    /** True or false; false where the field is absent or null. */
    boolean flag(String name) {
        if (!has(name)) {
            return false;
        }
        JsonNode value = required(name);
        if (!value.isBoolean()) {
            throw wrong(name, "true or false", value);
        }
        return value.asBoolean();
    }

    /** A list of numbers, NaN for null; empty where the field is absent or null. */
    double[] numbers(String name) {
        if (!has(name)) {
            return new double[0];
        }
        JsonNode list = list(name);
        double[] out = new double[list.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = list.get(i).isNull() ? Double.NaN : number(name, list.get(i));
        }
        return out;
    }

    JsonNode list(String name) {
        JsonNode value = required(name);
        if (!value.isArray()) {
            throw wrong(name, "a list", value);
        }
        return value;
    }

    Iterable<String> names() {
        return object::fieldNames;
    }

    static RowException wrong(String name, String expected, JsonNode found) {
        String text = found.toString();
        return new RowException(
                name,
                "expected " + expected + ", found " + (text.length() <= 80 ? text : text.substring(0, 77) + "..."));
    }

    private JsonNode required(String name) {
        if (!has(name)) {
            throw new RowException(name, "missing");
        }
        return object.get(name);
    }

    private static double number(String name, JsonNode value) {
        if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
            throw wrong(name, "a number", value);
        }
        return value.asDouble();
    }
}
