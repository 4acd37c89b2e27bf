package dev.warmroute.router.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The first user message of a request, up to 16 Ki characters of it: what stays the same over the turns of a conversation and
 * differs between conversations, even where a harness wraps each task in the same long words. Left out is what an agent says
 * alike in all of them, or anew with every turn: the system prompt (and with it Claude Code's attribution line), and the
 * messages and parts of messages that it sends in the user's name.
 */
public final class Opening {
    private static final int MAX_CHARS = 16 * 1024;
    private static final JsonFactory JSON = new JsonFactory();

    /** Beginnings of messages, or parts of them, that agents send in the user's name. */
    private static final List<String> PREAMBLES = List.of(
            // Claude Code
            "<system-reminder>",
            // Codex
            "<environment_context>",
            "<user_instructions>",
            "# AGENTS.md instructions",
            // Aider: its examples, the end of them, and its map of the files
            "Change get_factorial() to use math.factorial",
            "Refactor hello() into its own file.",
            "Change the greeting to be more casual",
            "Replace is_prime with a call to sympy.",
            "I switched to a new code base",
            "Here are summaries of some files present in my git repository",
            "Below here are summaries of some files present in this git repository",
            "Here are some READ ONLY files",
            "I have *added these files to the chat*",
            "I am not sharing any",
            "These are the *read-write* files");

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
            if (role.equals("user") && !told.isEmpty() && !isPreamble(told)) {
                return cut(told);
            }
        }
        return "";
    }

    private static boolean isPreamble(String text) {
        return PREAMBLES.stream().anyMatch(text::startsWith);
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
                append(texts, json.getText());
                continue;
            }
            if (json.currentToken() != JsonToken.START_OBJECT) {
                json.skipChildren();
                continue;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean text = json.currentName().equals("text");
                if (json.nextToken() == JsonToken.VALUE_STRING && text) {
                    append(texts, json.getText());
                }
                json.skipChildren();
            }
        }
        return texts.toString();
    }

    private static void append(StringBuilder texts, String part) {
        if (texts.length() < MAX_CHARS && !isPreamble(part.stripLeading())) {
            texts.append(part);
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
    }
}
