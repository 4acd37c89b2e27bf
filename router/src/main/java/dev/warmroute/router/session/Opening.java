package dev.warmroute.router.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The first user message of a request, up to 512 characters of it: what stays the same over the turns of a conversation. The
 * system prompt is left out, since it would make one conversation of all that an agent does; so are the user messages with
 * which some agents introduce every conversation alike.
 */
public final class Opening {
    private static final int MAX_CHARS = 512;
    private static final JsonFactory JSON = new JsonFactory();

    /** Beginnings of messages that agents send in the user's name: Codex, Aider. */
    private static final List<String> PREAMBLES =
            List.of("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "I switched to a new code base");

    private Opening() {}

    /** Reads a body up to its first user message; empty when there is none, or it is not JSON. */
    public static String of(InputStream body) {
        try (JsonParser json = JSON.createParser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                String found = switch (name) {
                    case "messages", "input" -> messages(json);
                    case "prompt" -> cut(content(json));
                    default -> {
                        json.skipChildren();
                        yield "";
                    }
                };
                if (!found.isEmpty()) {
                    return found;
                }
            }
        } catch (IOException e) {
            return "";
        }
        return "";
    }

    private static String messages(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return cut(content(json));
        }
        while (json.nextToken() == JsonToken.START_OBJECT) {
            String role = "";
            String content = "";
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals("role")) {
                    role = json.getValueAsString("");
                    json.skipChildren();
                } else if (name.equals("content")) {
                    content = content(json);
                } else {
                    json.skipChildren();
                }
            }
            String told = content.strip();
            if (role.equals("user") && !told.isEmpty() && PREAMBLES.stream().noneMatch(told::startsWith)) {
                return cut(told);
            }
        }
        return "";
    }

    /** A text, or the texts of a list of parts. */
    private static String content(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            json.skipChildren();
            return "";
        }
        StringBuilder texts = new StringBuilder();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                texts.append(json.getText());
                continue;
            }
            if (json.currentToken() != JsonToken.START_OBJECT) {
                json.skipChildren();
                continue;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean text = json.currentName().equals("text");
                if (json.nextToken() == JsonToken.VALUE_STRING && text && texts.length() < MAX_CHARS) {
                    texts.append(json.getText());
                }
                json.skipChildren();
            }
        }
        return texts.toString();
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
    }
}
