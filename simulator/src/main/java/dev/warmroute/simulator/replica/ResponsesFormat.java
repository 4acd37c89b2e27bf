package dev.warmroute.simulator.replica;

import java.util.function.Consumer;

/** Answers of {@code /v1/responses}, whose events are numbered. */
final class ResponsesFormat implements AnswerFormat {
    private int number;

    @Override
    public String whole(Answer a) {
        return response(a, true);
    }

    @Override
    public void opening(Answer a, Consumer<String> events) {
        for (String type : new String[] {"response.created", "response.in_progress"}) {
            event(events, type, "{\"response\":" + response(a, false));
        }
        event(
                events,
                "response.output_item.added",
                "{\"item\":{\"id\":" + messageId(a)
                        + ",\"content\":[],\"role\":\"assistant\",\"status\":\"in_progress\",\"type\":\"message\",\"phase\":null},"
                        + "\"output_index\":0");
        event(
                events,
                "response.content_part.added",
                "{\"content_index\":0,\"item_id\":" + messageId(a)
                        + ",\"output_index\":0,\"part\":{\"annotations\":[],\"text\":\"\",\"type\":\"output_text\",\"logprobs\":[]}");
    }

    @Override
    public void delta(Answer a, int from, int to, Consumer<String> events) {
        event(
                events,
                "response.output_text.delta",
                "{\"content_index\":0,\"delta\":\"" + a.text(from, to) + "\",\"item_id\":" + messageId(a)
                        + ",\"logprobs\":[],\"output_index\":0");
    }

    @Override
    public void closing(Answer a, Consumer<String> events) {
        event(
                events,
                "response.output_text.done",
                "{\"content_index\":0,\"item_id\":" + messageId(a) + ",\"logprobs\":[],\"output_index\":0",
                ",\"text\":\"" + a.text() + "\"");
        event(
                events,
                "response.content_part.done",
                "{\"content_index\":0,\"item_id\":" + messageId(a) + ",\"output_index\":0,\"part\":" + part(a));
        event(events, "response.output_item.done", "{\"item\":" + item(a) + ",\"output_index\":0");
        event(events, "response.completed", "{\"response\":" + response(a, true));
    }

    private void event(Consumer<String> events, String type, String fields) {
        event(events, type, fields, "");
    }

    /** @param after fields that stand behind the number */
    private void event(Consumer<String> events, String type, String fields, String after) {
        events.accept("event: " + type + "\ndata: " + fields + ",\"sequence_number\":" + number++ + after
                + ",\"type\":\"" + type + "\"}\n\n");
    }

    private static String response(Answer a, boolean done) {
        boolean cut = done && a.request().finishReason().equals("length");
        return """
                {"id":%s,"created_at":%d,"incomplete_details":%s,"instructions":null,"metadata":null,"model":%s,\
                "object":"response","output":[%s],"parallel_tool_calls":true,"temperature":1.0,"tool_choice":"none",\
                "tools":[],"top_p":1.0,"background":false,"max_output_tokens":%d,"max_tool_calls":null,\
                "previous_response_id":null,"prompt":null,"reasoning":null,"service_tier":"auto","status":"%s",\
                "text":null,"top_logprobs":null,"truncation":"disabled","usage":%s,"user":null,"presence_penalty":0.0,\
                "frequency_penalty":0.0,"kv_transfer_params":null,"ec_transfer_params":null,"input_messages":null,\
                "output_messages":null}""".formatted(
                        Json.quote(a.id()),
                        a.request().created(),
                        cut ? "{\"reason\":\"max_output_tokens\"}" : "null",
                        Json.quote(a.model()),
                        done ? item(a) : "",
                        a.request().maxTokens(),
                        !done ? "in_progress" : cut ? "incomplete" : "completed",
                        done ? usage(a) : "null");
    }

    private static String item(Answer a) {
        return "{\"id\":" + messageId(a) + ",\"content\":[" + part(a)
                + "],\"role\":\"assistant\",\"status\":\"completed\",\"type\":\"message\",\"phase\":null}";
    }

    private static String part(Answer a) {
        return "{\"annotations\":[],\"text\":\"" + a.text() + "\",\"type\":\"output_text\",\"logprobs\":null}";
    }

    private static String usage(Answer a) {
        return """
                {"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d,\
                "input_tokens_per_turn":[],"cached_tokens_per_turn":[]},"output_tokens":%d,"output_tokens_details":\
                {"reasoning_tokens":0,"tool_output_tokens":0,"output_tokens_per_turn":[],\
                "tool_output_tokens_per_turn":[]},"total_tokens":%d}""".formatted(
                a.promptTokens(), a.cachedTokens(), a.createdTokens(), a.tokens(), a.promptTokens() + a.tokens());
    }

    private static String messageId(Answer a) {
        return Json.quote("msg_" + a.id().substring(a.id().indexOf('_') + 1));
    }
}
