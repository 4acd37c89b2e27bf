package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.JsonNode;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/** Turns what a request says into tokens, for each protocol. */
final class PromptReader {
    private PromptReader() {}

    /** Reads {@code prompt} of {@code /v1/completions}: a text, or token ids, which are taken as they are. */
    static LongArrayList completions(RequestBody body) {
        JsonNode prompt = body.required("prompt");
        if (prompt.isArray() && prompt.size() == 1 && !prompt.get(0).isNumber()) {
            prompt = prompt.get(0);
        }
        if (prompt.isTextual()) {
            return StandInTokenizer.tokenize(prompt.textValue());
        }
        if (!prompt.isArray()) {
            throw ApiError.wrongType("prompt", "string", prompt.getNodeType().name());
        }
        if (prompt.size() > 1 && !prompt.get(0).isNumber()) {
            throw ApiError.badRequest("prompt", "The stand-in answers one prompt a request; got " + prompt.size() + ".");
        }
        return ids(prompt, "prompt");
    }

    static LongArrayList chat(RequestBody body) {
        return chat(body, true);
    }

    static LongArrayList chat(RequestBody body, boolean generationPrompt) {
        return ChatTemplate.render(
                ChatMessages.openAi(body.requiredList("messages")), tools(body), generationPrompt);
    }

    static LongArrayList messages(RequestBody body) {
        body.requiredList("messages");
        return ChatTemplate.render(ChatMessages.anthropic(body.json()), tools(body), true);
    }

    static LongArrayList responses(RequestBody body) {
        body.required("input");
        return ChatTemplate.render(ChatMessages.responses(body.json()), tools(body), true);
    }

    /** Reads a list of token ids. */
    static LongArrayList ids(JsonNode list, String field) {
        LongArrayList ids = new LongArrayList(list.size());
        for (JsonNode id : list) {
            if (!id.isIntegralNumber() || !id.canConvertToLong() || id.longValue() < 0
                    || id.longValue() >= StandInTokenizer.MAX_ID) {
                throw ApiError.badRequest(field, "Token id " + id + " is out of vocabulary: expected 0 to 2^53 - 1.");
            }
            ids.add(id.longValue());
        }
        return ids;
    }

    private static String tools(RequestBody body) {
        JsonNode tools = body.at("tools");
        return tools.isArray() && !tools.isEmpty() ? tools.toString() : "";
    }
}
