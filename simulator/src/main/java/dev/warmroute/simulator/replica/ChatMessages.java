package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads the messages of the three chat protocols; what a model would not see (thinking, ids, cache hints) is left out. */
final class ChatMessages {
    /** Claude Code's first system block, which changes from one conversation to the next; vLLM drops it. */
    private static final String BILLING = "x-anthropic-billing-header";

    private ChatMessages() {}

    /** Reads {@code messages} of {@code /v1/chat/completions}. */
    static List<ChatMessage> openAi(JsonNode messages) {
        List<ChatMessage> read = new ArrayList<>();
        for (JsonNode message : messages) {
            String text = content(message.path("content"), "\n");
            read.add(new ChatMessage(role(message), text + toolCalls(message.path("tool_calls"))));
        }
        return read;
    }

    /**
     * Reads {@code system} and {@code messages} of {@code /v1/messages}: all system texts become one message at the start,
     * and a tool's result a message of its own.
     */
    static List<ChatMessage> anthropic(JsonNode body) {
        StringBuilder system = new StringBuilder();
        systemText(body.path("system"), system);
        List<ChatMessage> read = new ArrayList<>();
        for (JsonNode message : body.path("messages")) {
            if (role(message).equals("system")) {
                systemText(message.path("content"), system);
            } else {
                anthropicMessage(message, read);
            }
        }
        if (!system.isEmpty()) {
            read.addFirst(new ChatMessage("system", system.toString()));
        }
        return read;
    }

    /** Reads {@code instructions} and {@code input} of {@code /v1/responses}. */
    static List<ChatMessage> responses(JsonNode body) {
        List<ChatMessage> read = new ArrayList<>();
        if (body.path("instructions").isTextual()) {
            read.add(new ChatMessage("system", body.path("instructions").textValue()));
        }
        JsonNode input = body.path("input");
        if (input.isTextual()) {
            read.add(new ChatMessage("user", input.textValue()));
        }
        for (JsonNode item : input) {
            switch (item.path("type").asText("message")) {
                case "message" -> read.add(new ChatMessage(role(item), content(item.path("content"), "\n")));
                case "function_call" ->
                    read.add(new ChatMessage(
                            "assistant",
                            toolCall(
                                    item.path("name").asText(),
                                    item.path("arguments").asText())));
                case "function_call_output" -> read.add(new ChatMessage("tool", content(item.path("output"), "\n")));
                default -> {} // reasoning and what else a client may echo: not shown to the model again
            }
        }
        return read;
    }

    private static void systemText(JsonNode content, StringBuilder system) {
        if (content.isTextual()) {
            system.append(content.textValue());
            return;
        }
        for (JsonNode block : content) {
            String text = block.path("text").asText();
            if (block.path("type").asText().equals("text") && !text.startsWith(BILLING)) {
                system.append(text);
            }
        }
    }

    private static void anthropicMessage(JsonNode message, List<ChatMessage> read) {
        String role = role(message);
        JsonNode content = message.path("content");
        if (content.isTextual()) {
            read.add(new ChatMessage(role, content.textValue()));
            return;
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode block : content) {
            switch (block.path("type").asText()) {
                case "text" ->
                    text.append(text.isEmpty() ? "" : "\n")
                            .append(block.path("text").asText());
                case "image" -> text.append(picture(block.path("source")));
                case "tool_use" ->
                    text.append(toolCall(
                            block.path("name").asText(), block.path("input").toString()));
                case "tool_result" -> read.add(new ChatMessage("tool", content(block.path("content"), "\n")));
                default -> {} // thinking: not shown to the model again
            }
        }
        if (!text.isEmpty()) {
            read.add(new ChatMessage(role, text.toString()));
        }
    }

    private static String role(JsonNode message) {
        return message.path("role").asText("user");
    }

    /** Returns a content's text, whether it is one string or a list of parts. */
    private static String content(JsonNode content, String separator) {
        if (!content.isArray()) {
            return content.asText("");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            if (!text.isEmpty()) {
                text.append(separator);
            }
            if (part.isTextual()) {
                text.append(part.textValue());
            } else if (part.has("text")) {
                text.append(part.path("text").asText());
            } else {
                text.append(picture(part));
            }
        }
        return text.toString();
    }

    private static String toolCalls(JsonNode calls) {
        StringBuilder text = new StringBuilder();
        for (JsonNode call : calls) {
            JsonNode function = call.path("function");
            text.append(toolCall(
                    function.path("name").asText(), function.path("arguments").asText()));
        }
        return text.toString();
    }

    private static String toolCall(String name, String arguments) {
        return "\n<tool_call>\n" + name + ' ' + arguments + "\n</tool_call>";
    }

    /** Stands for an image: the same image is the same few tokens. */
    private static String picture(JsonNode source) {
        return "<image " + Integer.toHexString(source.toString().hashCode()) + '>';
    }
}
