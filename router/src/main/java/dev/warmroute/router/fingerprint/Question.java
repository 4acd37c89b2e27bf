package dev.warmroute.router.fingerprint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What to ask a replica's {@code /tokenize} so that it answers with the very tokens that its engine was given for a request.
 * There is none for a request with something in it that the tokenizer's own schema cannot say or a token id does not show:
 * pictures and sound, several prompts, truncation, an effort of reasoning that a template may or may not read, responses.
 * Follows vLLM 0.32, {@code entrypoints/serve/tokenize} and {@code entrypoints/anthropic}.
 *
 * @param json body of the question
 * @param countedByMessages whether the mapping is this router's own, so that its length must be what {@code count_tokens} says
 */
record Question(byte[] json, boolean countedByMessages) {
    static final ObjectMapper MAPPER = new ObjectMapper();
    static final String KWARGS = "chat_template_kwargs";

    private static final List<String> COMPLETION_FIELDS = List.of("model", "add_special_tokens");
    private static final List<String> CHAT_FIELDS = List.of(
            "model",
            "messages",
            "tools",
            "add_generation_prompt",
            "continue_final_message",
            "add_special_tokens",
            "chat_template",
            KWARGS);

    /** The question about a request; empty when there is none. */
    static Optional<Question> about(String path, byte[] body) {
        try {
            JsonNode request = MAPPER.readTree(body);
            if (!request.isObject() || given(request, "truncate_prompt_tokens")) {
                return Optional.empty();
            }
            boolean anthropic = path.equals("/v1/messages");
            Optional<ObjectNode> question = switch (path) {
                case "/v1/completions" -> completion(request);
                case "/v1/chat/completions" -> chat(request);
                case "/v1/messages" -> AnthropicChat.of(request);
                default -> Optional.empty();
            };
            return question.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Question(MAPPER.writeValueAsBytes(question.get()), anthropic));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<ObjectNode> completion(JsonNode request) {
        JsonNode prompt = request.path("prompt");
        JsonNode text = prompt.isArray() && prompt.size() == 1 ? prompt.get(0) : prompt;
        if (!text.isTextual() || given(request, "prompt_embeds") || given(request, "suffix")) {
            return Optional.empty();
        }
        return Optional.of(copy(request, COMPLETION_FIELDS).put("prompt", text.textValue()));
    }

    private static Optional<ObjectNode> chat(JsonNode request) {
        if (!request.path("messages").isArray()
                || given(request, "reasoning_effort")
                || mayHideTools(request, request.path("tool_choice").asText())) {
            return Optional.empty();
        }
        for (JsonNode message : request.get("messages")) {
            if (!isText(message.path("content"))) {
                return Optional.empty();
            }
        }
        ObjectNode question = copy(request, CHAT_FIELDS);
        if (given(request, "documents")) {
            kwargs(question).set("documents", request.get("documents"));
        }
        return Optional.of(question);
    }

    /** Whether it depends on the server's options if the tools are shown to the model. */
    static boolean mayHideTools(JsonNode request, String toolChoice) {
        return toolChoice.equals("none") && !request.path("tools").isEmpty();
    }

    /** Nothing, a string, or a list of nothing but texts. */
    private static boolean isText(JsonNode content) {
        if (!content.isArray()) {
            return content.isTextual() || content.isNull() || content.isMissingNode();
        }
        for (JsonNode part : content) {
            if (!part.path("type").asText().equals("text") || !part.path("text").isTextual()) {
                return false;
            }
        }
        return true;
    }

    static boolean given(JsonNode request, String field) {
        return request.hasNonNull(field);
    }

    /** The template's own arguments, to be added to. */
    static ObjectNode kwargs(ObjectNode question) {
        return question.path(KWARGS) instanceof ObjectNode kwargs ? kwargs : question.putObject(KWARGS);
    }

    private static ObjectNode copy(JsonNode request, List<String> fields) {
        ObjectNode question = MAPPER.createObjectNode();
        for (String field : fields) {
            if (request.has(field)) {
                question.set(field, request.get(field));
            }
        }
        return question;
    }
}
