package dev.warmroute.router.fingerprint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Anthropic messages as the chat that vLLM makes of them (its {@code AnthropicServingMessages.to_chat_completion_request}), as
 * far as that does not depend on the model's template or the server's options: texts, thinking, calls of tools and their
 * results. Claude Code's attribution line is left out there, too.
 */
final class AnthropicChat {
    private static final String ATTRIBUTION = "x-anthropic-billing-header";
    private static final String CONTENT = "content";
    private static final String FUNCTION = "function";

    private final ArrayNode messages;

    private AnthropicChat(ArrayNode messages) {
        this.messages = messages;
    }

    /** Thrown inside for what has no exact counterpart. */
    private static final class NotExact extends Exception {
        private static final long serialVersionUID = 1L;

        private NotExact() {
            super(null, null, false, false);
        }
    }

    /** The question to {@code /tokenize}; empty when there is no exact one. */
    static Optional<ObjectNode> of(JsonNode request) {
        if (!request.path("messages").isArray()
                || request.at("/thinking/type").asText().equals("disabled")
                || Question.mayHideTools(
                        request, request.at("/tool_choice/type").asText())) {
            return Optional.empty();
        }
        ObjectNode question = Question.MAPPER.createObjectNode();
        question.set("model", request.path("model"));
        try {
            AnthropicChat chat = new AnthropicChat(question.putArray("messages"));
            chat.system(request.path("system"));
            for (JsonNode message : request.get("messages")) {
                chat.message(message);
            }
            if (Question.given(request, "tools")) {
                tools(request.get("tools"), question.putArray("tools"));
            }
        } catch (NotExact e) {
            return Optional.empty();
        }
        if (Question.given(request, Question.KWARGS)) {
            question.set(Question.KWARGS, request.get(Question.KWARGS).deepCopy());
        }
        JsonNode effort = request.at("/output_config/effort");
        if (effort.isTextual()) {
            ObjectNode kwargs = Question.kwargs(question).put("reasoning_effort", effort.textValue());
            if (!kwargs.has("enable_thinking")) {
                kwargs.put("enable_thinking", true);
            }
        }
        return Optional.of(question);
    }

    private void system(JsonNode system) throws NotExact {
        if (system.isMissingNode() || system.isNull()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        if (system.isTextual()) {
            text.append(system.textValue());
        } else {
            for (JsonNode block : system) {
                require(type(block).equals("text"));
                String part = text(block, "text");
                text.append(part.startsWith(ATTRIBUTION) ? "" : part);
            }
        }
        if (!text.isEmpty()) {
            messages.addObject().put("role", "system").put(CONTENT, text.toString());
        }
    }

    private void message(JsonNode message) throws NotExact {
        String role = message.path("role").asText();
        require(role.equals("user") || role.equals("assistant"));
        JsonNode content = message.path(CONTENT);
        ObjectNode said = Question.MAPPER.createObjectNode().put("role", role);
        if (content.isTextual()) {
            said.set(CONTENT, content);
        } else {
            require(content.isArray());
            blocks(content, role.equals("user"), said);
        }
        if (said.has(CONTENT) || !role.equals("user")) {
            messages.add(said);
        }
    }

    private void blocks(JsonNode blocks, boolean ofUser, ObjectNode said) throws NotExact {
        ArrayNode parts = Question.MAPPER.createArrayNode();
        ArrayNode calls = Question.MAPPER.createArrayNode();
        StringBuilder reasoning = new StringBuilder();
        for (JsonNode block : blocks) {
            switch (type(block)) {
                case "text" -> {
                    if (!text(block, "text").isEmpty()) {
                        parts.addObject().put("type", "text").put("text", text(block, "text"));
                    }
                }
                case "thinking" -> reasoning.append(text(block, "thinking"));
                case "redacted_thinking" -> {}
                case "tool_use" -> call(block, calls.addObject());
                case "tool_result" -> {
                    require(ofUser);
                    result(block);
                }
                default -> throw new NotExact();
            }
        }
        if (!reasoning.isEmpty()) {
            said.put("reasoning", reasoning.toString());
        }
        if (!calls.isEmpty()) {
            said.set("tool_calls", calls);
        }
        if (parts.size() == 1) {
            said.set(CONTENT, parts.get(0).get("text"));
        } else if (!parts.isEmpty()) {
            said.set(CONTENT, parts);
        }
    }

    private static void call(JsonNode block, ObjectNode call) throws NotExact {
        JsonNode input = block.path("input");
        require(input.isObject() || input.isMissingNode() || input.isNull());
        call.put("id", text(block, "id")).put("type", FUNCTION);
        call.putObject(FUNCTION)
                .put("name", text(block, "name"))
                .put("arguments", input.isObject() ? input.toString() : "{}");
    }

    private void result(JsonNode block) throws NotExact {
        JsonNode content = block.path(CONTENT);
        StringBuilder text = new StringBuilder();
        if (content.isTextual()) {
            text.append(content.textValue());
        } else {
            for (JsonNode item : content) {
                require(type(item).equals("text"));
                text.append(text.isEmpty() ? "" : "\n").append(text(item, "text"));
            }
        }
        messages.addObject()
                .put("role", "tool")
                .put("tool_call_id", block.path("tool_use_id").asText())
                .put(CONTENT, text.toString());
    }

    private static void tools(JsonNode tools, ArrayNode out) throws NotExact {
        for (JsonNode tool : tools) {
            require(tool.path("input_schema").isObject()
                    && tool.path("type").asText("custom").equals("custom"));
            ObjectNode function =
                    out.addObject().put("type", FUNCTION).putObject(FUNCTION).put("name", text(tool, "name"));
            if (Question.given(tool, "description")) {
                function.put("description", text(tool, "description"));
            }
            ObjectNode parameters = tool.get("input_schema").deepCopy();
            if (!parameters.has("type")) {
                parameters.put("type", "object");
            }
            function.set("parameters", parameters);
            for (String option : new String[] {"strict", "defer_loading"}) {
                if (Question.given(tool, option)) {
                    function.set(option, tool.get(option));
                }
            }
        }
    }

    private static String type(JsonNode block) {
        return block.path("type").asText();
    }

    private static String text(JsonNode block, String field) throws NotExact {
        require(block.path(field).isTextual());
        return block.get(field).textValue();
    }

    private static void require(boolean exact) throws NotExact {
        if (!exact) {
            throw new NotExact();
        }
    }
}
