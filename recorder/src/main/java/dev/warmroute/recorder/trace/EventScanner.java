package dev.warmroute.recorder.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.warmroute.recorder.trace.EventColumn.Type;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the values of a topic's typed columns out of an event's JSON in one pass, without building the event: the recorder
 * reads every event that way.
 */
final class EventScanner {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** What to do with a field: fill a column, or look into it. */
    private static final class Field {
        private int column = -1;
        private final Map<String, Field> inner = new HashMap<>();
    }

    private final List<EventColumn> columns;
    private final Field root = new Field();

    EventScanner(List<EventColumn> columns) {
        this.columns = columns;
        for (int i = 0; i < columns.size(); i++) {
            Field at = root;
            for (String name : columns.get(i).path().split("\\.")) {
                at = at.inner.computeIfAbsent(name, n -> new Field());
            }
            at.column = i;
        }
    }

    /**
     * Reads the columns' values into an array: Long, Double, String, Boolean or null.
     *
     * @return whether the bytes are a JSON object; if not, what was found before the fault is there
     */
    boolean scan(byte[] json, Object[] values) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            object(parser, root, values);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void object(JsonParser parser, Field field, Object[] values) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            Field inner = field.inner.get(name);
            if (inner == null) {
                parser.skipChildren();
            } else if (inner.column >= 0) {
                values[inner.column] = value(parser, token, columns.get(inner.column).type());
                parser.skipChildren();
            } else if (token == JsonToken.START_OBJECT) {
                object(parser, inner, values);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static Object value(JsonParser parser, JsonToken token, Type type) throws IOException {
        return switch (type) {
            case LONG -> token == JsonToken.VALUE_NUMBER_INT ? (Object) parser.getLongValue() : null;
            case DOUBLE -> token != null && token.isNumeric() ? (Object) parser.getDoubleValue() : null;
            case TEXT -> token == JsonToken.VALUE_STRING ? parser.getText() : null;
            case FLAG -> token != null && token.isBoolean() ? (Object) (token == JsonToken.VALUE_TRUE) : null;
        };
    }
}
