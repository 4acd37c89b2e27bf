package dev.warmroute.simulator.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a file of prompts: a JSON list, or a JSON value a line. An entry is a text, a list of chat messages, or an object with
 * {@code prompt} (a text) or {@code messages}; the last are what {@code vllm bench serve --dataset-name custom} reads.
 */
public final class BenchPromptFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ENTRY = "expected a text, a list of messages, or an object with 'prompt' or 'messages'";

    private final Path file;
    private final List<BenchPrompt> prompts = new ArrayList<>();

    private BenchPromptFile(Path file) {
        this.file = file;
    }

    /** @throws UserError that names entry and field */
    public static BenchPrompts read(Path file) {
        BenchPromptFile reading = new BenchPromptFile(file);
        String text = text(file);
        if (text.stripLeading().startsWith("[")) {
            reading.list(text);
        } else {
            reading.lines(text);
        }
        if (reading.prompts.isEmpty()) {
            throw new UserError(file + " has no prompts: expected a JSON list, or a JSON value a line");
        }
        return new BenchPrompts(file.getFileName().toString(), reading.prompts);
    }

    /** Reads a text file, such as a system prompt, as it is. */
    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new UserError("there is no file " + file, e);
        } catch (IOException e) {
            throw new UserError(file + " cannot be read as UTF-8 text: " + e.getMessage(), e);
        }
    }

    private void list(String text) {
        for (JsonNode entry : json(text, file.toString())) {
            prompts.add(prompt(entry, file + ": entry " + (prompts.size() + 1)));
        }
    }

    private void lines(String text) {
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank()) {
                String place = file + ": line " + number;
                prompts.add(prompt(json(line, place), place));
            }
        }
    }

    private static JsonNode json(String text, String place) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new UserError(place + " is not JSON (line " + line + " of it): " + e.getOriginalMessage(), e);
        }
    }

    private static BenchPrompt prompt(JsonNode entry, String place) {
        if (entry.isObject() && entry.has("prompt")) {
            return BenchPrompt.user(text(entry.path("prompt"), place + ": prompt"));
        }
        if (entry.isObject() && entry.has("messages")) {
            return messages(entry.path("messages"), place + ": messages");
        }
        if (entry.isArray()) {
            return messages(entry, place);
        }
        if (entry.isTextual()) {
            return BenchPrompt.user(text(entry, place));
        }
        throw new UserError(place + ": " + ENTRY + ", found " + shown(entry));
    }

    private static BenchPrompt messages(JsonNode messages, String place) {
        if (!messages.isArray() || messages.isEmpty()) {
            throw new UserError(place + ": expected a list of messages that is not empty, found " + shown(messages));
        }
        boolean user = false;
        int number = 0;
        for (JsonNode message : messages) {
            String at = place + ": message " + ++number;
            if (!message.isObject()) {
                throw new UserError(at + ": expected an object with 'role' and 'content', found " + shown(message));
            }
            String role = text(message.path("role"), at + ": role");
            text(message.path("content"), at + ": content");
            user |= role.equals("user");
        }
        if (!user) {
            throw new UserError(place + ": no message has the role 'user'; a benchmark's prompt needs one");
        }
        return new BenchPrompt((ArrayNode) messages);
    }

    private static String text(JsonNode value, String place) {
        if (!value.isTextual() || value.asText().isEmpty()) {
            throw new UserError(place + ": expected a text that is not empty, found " + shown(value));
        }
        return value.asText();
    }

    private static String shown(JsonNode value) {
        String text = value.isMissingNode() ? "nothing" : value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
