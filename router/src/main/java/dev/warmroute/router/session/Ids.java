package dev.warmroute.router.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/** What may be an id. */
final class Ids {
    private static final int MAX_LENGTH = 256;
    private static final JsonFactory JSON = new JsonFactory();

    /** What clients send that have an id no longer, or not yet: it would make one conversation of all of them. */
    private static final Set<String> PLACEHOLDERS = Set.of("null", "none", "undefined", "nil", "[object object]");

    private Ids() {}

    /** Whether a value may be an id: 1 to 256 characters, no control characters, and not a word for having none. */
    static boolean usable(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return false;
            }
        }
        return value.length() > 15 || !PLACEHOLDERS.contains(value.toLowerCase(Locale.ROOT));
    }

    /** A text among the top fields of a JSON object; empty when it is not there, or this is not JSON. */
    static String textIn(String json, String field) {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = parser.currentName().equals(field);
                if (parser.nextToken() == JsonToken.VALUE_STRING && wanted) {
                    return parser.getText();
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            return "";
        }
        return "";
    }
}
