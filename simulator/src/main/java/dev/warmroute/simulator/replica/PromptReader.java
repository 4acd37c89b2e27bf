package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.simulator.replica.ChatTemplate.Ending;
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
            throw ApiError.badRequest(
                    "prompt", "The stand-in answers one prompt a request; got " + prompt.size() + ".");
        }
        return ids(prompt, "prompt");
    }

    /** Reads {@code messages} of {@code /v1/chat/completions} and of {@code /tokenize}, which render them alike. */
    static LongArrayList chat(RequestBody body) {
        JsonNode messages = body.requiredList("messages");
        boolean answerWanted = !body.has("add_generation_prompt") || body.flag("add_generation_prompt");
        boolean open = body.flag("continue_final_message");
        if (open && answerWanted) {
            throw ApiError.badRequest(
                    "", "Cannot set both `continue_final_message` and `add_generation_prompt` to True.");
        }
        Ending ending = open ? Ending.OPEN : answerWanted ? Ending.ANSWER_WANTED : Ending.CLOSED;
        return ChatTemplate.render(ChatMessages.openAi(messages), tools(body), ending);
    }

    static LongArrayList messages(RequestBody body) {
        body.requiredList("messages");
        return ChatTemplate.render(ChatMessages.anthropic(body.json()), anthropicTools(body), Ending.ANSWER_WANTED);
    }

    static LongArrayList responses(RequestBody body) {
        body.required("input");
        return ChatTemplate.render(ChatMessages.responses(body.json()), tools(body), Ending.ANSWER_WANTED);
    }

    /** Reads a list of token ids. */
    static LongArrayList ids(JsonNode list, String field) {
        LongArrayList ids = new LongArrayList(list.size());
        for (JsonNode id : list) {
            if (!id.isIntegralNumber()
                    || !id.canConvertToLong()
                    || id.longValue() < 0
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

    /** Anthropic's tools are shown to the model as OpenAI's, as vLLM does. */
    private static String anthropicTools(RequestBody body) {
        ArrayNode tools = Json.MAPPER.createArrayNode();
        for (JsonNode tool : body.at("tools")) {
            ObjectNode function = tools.addObject().put("type", "function").putObject("function");
            function.set("name", tool.path("name"));
            if (tool.hasNonNull("description")) {
                function.set("description", tool.get("description"));
            }
            function.set("parameters", tool.path("input_schema"));
            for (String option : new String[] {"strict", "defer_loading"}) {
                if (tool.hasNonNull(option)) {
                    function.set(option, tool.get(option));
                }
            }
        }
        return tools.isEmpty() ? "" : tools.toString();
    }
}
