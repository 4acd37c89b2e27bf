package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.Nearest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** What an entry of a file of warm prompts must look like: what a chat template can be given, as far as that can be told. */
final class WarmPromptShape {
    static final String MESSAGES = "messages";

    private static final String NAME = "name";
    private static final String TOOLS = "tools";
    private static final String KWARGS = "chat_template_kwargs";
    private static final String ROLE = "role";
    private static final String CONTENT = "content";
    private static final String TOOL_CALLS = "tool_calls";
    private static final String TYPE = "type";
    private static final String TEXT = "text";
    private static final String FUNCTION = "function";

    private static final List<String> ENTRY_FIELDS = List.of(MESSAGES, TOOLS, KWARGS, NAME);
    private static final List<String> MESSAGE_FIELDS =
            List.of(ROLE, CONTENT, NAME, TOOL_CALLS, "tool_call_id", "reasoning", "reasoning_content");
    private static final List<String> PART_FIELDS = List.of(TYPE, TEXT);
    private static final List<String> ROLES = List.of("system", "developer", "user", "assistant", "tool");
    private static final int LONGEST_NAME = 128;
    private static final Pattern A_WORD = Pattern.compile("[A-Za-z0-9_-]{1,24}");

    private final BiConsumer<String, String> problems;

    /** @param problems takes a field, empty for the entry itself, and what is wrong with it */
    WarmPromptShape(BiConsumer<String, String> problems) {
        this.problems = problems;
    }

    /** The entry as the body of a chat request. */
    ObjectNode chat(JsonNode entry) {
        ObjectNode chat = JsonNodeFactory.instance.objectNode();
        chat.set(MESSAGES, entry.isArray() ? entry : entry.get(MESSAGES));
        for (String field : List.of(TOOLS, KWARGS)) {
            if (entry.has(field)) {
                chat.set(field, entry.get(field));
            }
        }
        return chat;
    }

    void check(JsonNode entry) {
        if (entry.isArray()) {
            messages(entry);
        } else if (entry.isObject()) {
            known("", entry, ENTRY_FIELDS);
            messages(entry.path(MESSAGES));
            if (entry.has(NAME)) {
                name(entry.get(NAME));
            }
            if (entry.has(TOOLS)) {
                tools(entry.get(TOOLS));
            }
            if (entry.has(KWARGS) && !entry.get(KWARGS).isObject()) {
                expected(KWARGS, "an object, the arguments of the chat template", entry.get(KWARGS));
            }
        } else {
            expected("", "a list of messages, or an object with 'messages'", entry);
        }
        texts(entry.isArray() ? MESSAGES : "", entry);
    }

    /** Half a character, which JSON can say and no tokenizer can be sent. */
    private void texts(String at, JsonNode node) {
        if (node.isTextual() && !StandardCharsets.UTF_8.newEncoder().canEncode(node.textValue())) {
            problems.accept(at, "has a lone surrogate (\\ud800 to \\udfff), which is no character");
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            texts(at + '[' + i + ']', node.get(i));
        }
        node.properties().forEach(field -> texts(below(at, field.getKey()), field.getValue()));
    }

    private static String below(String at, String field) {
        return at.isEmpty() ? field : at + '.' + field;
    }

    private void messages(JsonNode messages) {
        if (!messages.isArray() || messages.isEmpty()) {
            expected(MESSAGES, "a list of at least one message with 'role' and 'content'", messages);
            return;
        }
        for (int i = 0; i < messages.size(); i++) {
            message(MESSAGES + '[' + i + ']', messages.get(i));
        }
    }

    private void message(String at, JsonNode message) {
        if (!message.isObject()) {
            expected(at, "an object with 'role' and 'content'", message);
            return;
        }
        known(at, message, MESSAGE_FIELDS);
        JsonNode role = message.path(ROLE);
        if (!role.isTextual() || !ROLES.contains(role.textValue())) {
            expected(at + '.' + ROLE, "one of " + String.join(", ", ROLES), role);
        }
        boolean assistant = role.asText().equals("assistant");
        if (message.has(TOOL_CALLS) && !(assistant && message.get(TOOL_CALLS).isArray())) {
            problems.accept(at + '.' + TOOL_CALLS, "must be a list, in a message of the assistant");
        }
        boolean onlyCalls = assistant && !message.path(TOOL_CALLS).isEmpty() && !message.hasNonNull(CONTENT);
        if (!onlyCalls) {
            content(at + '.' + CONTENT, message.path(CONTENT));
        }
    }

    private void content(String at, JsonNode content) {
        if (content.isTextual()) {
            return;
        }
        if (!content.isArray() || content.isEmpty()) {
            expected(at, "text, or a list of text parts", content);
            return;
        }
        for (int i = 0; i < content.size(); i++) {
            part(at + '[' + i + ']', content.get(i));
        }
    }

    private void part(String at, JsonNode part) {
        if (!part.isObject()) {
            expected(at, "an object {\"type\": \"text\", \"text\": ...}", part);
            return;
        }
        known(at, part, PART_FIELDS);
        if (!part.path(TYPE).asText().equals(TEXT)) {
            expected(at + '.' + TYPE, "'text', since only text can be warmed", part.path(TYPE));
        } else if (!part.path(TEXT).isTextual()) {
            expected(at + '.' + TEXT, "text", part.path(TEXT));
        }
    }

    private void name(JsonNode name) {
        String text = name.asText();
        boolean good = name.isTextual()
                && !text.isBlank()
                && text.length() <= LONGEST_NAME
                && text.chars().noneMatch(Character::isISOControl);
        if (!good) {
            expected(NAME, "text of 1 to " + LONGEST_NAME + " characters", name);
        }
    }

    private void tools(JsonNode tools) {
        if (!tools.isArray() || tools.isEmpty()) {
            expected(TOOLS, "a list of at least one tool, or left out", tools);
            return;
        }
        for (int i = 0; i < tools.size(); i++) {
            tool(TOOLS + '[' + i + ']', tools.get(i));
        }
    }

    private void tool(String at, JsonNode tool) {
        JsonNode function = tool.path(FUNCTION);
        if (!tool.isObject()) {
            expected(at, "an object with 'type' and 'function'", tool);
        } else if (!tool.path(TYPE).asText().equals(FUNCTION)) {
            expected(at + '.' + TYPE, "'function'", tool.path(TYPE));
        } else if (!function.isObject()) {
            expected(at + '.' + FUNCTION, "an object with 'name', 'description' and 'parameters'", function);
        } else if (!function.path(NAME).isTextual()
                || function.path(NAME).asText().isBlank()) {
            expected(at + '.' + FUNCTION + '.' + NAME, "the tool's name", function.path(NAME));
        } else if (function.has("parameters") && !function.get("parameters").isObject()) {
            expected(
                    at + '.' + FUNCTION + ".parameters",
                    "an object, the JSON Schema of its arguments",
                    function.get("parameters"));
        }
    }

    private void known(String at, JsonNode object, List<String> valid) {
        object.fieldNames().forEachRemaining(field -> {
            if (!valid.contains(field)) {
                problems.accept(
                        below(at, field),
                        "unknown; "
                                + Nearest.to(field, valid)
                                        .map(n -> "did you mean '" + n + "'?")
                                        .orElse("expected are " + String.join(", ", valid)));
            }
        });
    }

    private void expected(String at, String what, JsonNode found) {
        problems.accept(
                at,
                found.isMissingNode()
                        ? "is missing; it must be " + what
                        : "must be " + what + ", not " + described(found));
    }

    /** A text is shown only if it is a word: what a prompt says is written nowhere. */
    static String described(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> node.isEmpty() ? "an empty list" : "a list";
            case STRING ->
                A_WORD.matcher(node.textValue()).matches()
                        ? "'" + node.textValue() + "'"
                        : "a text of " + node.textValue().length() + " characters";
            default -> node.asText();
        };
    }
}
