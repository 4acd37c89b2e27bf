package dev.warmroute.simulator.replica;

import java.util.function.Consumer;

/**
 * Answers of {@code /v1/messages}. {@code input_tokens} is the whole prompt when a stream starts, and what was not found in
 * the cache in the final usage, as vLLM has it.
 */
final class MessagesFormat implements AnswerFormat {
    @Override
    public String whole(Answer a) {
        return "{\"id\":" + Json.quote(a.id())
                + ",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"" + a.text()
                + "\"}],\"model\":" + Json.quote(a.model()) + ",\"stop_reason\":\"" + stopReason(a) + "\",\"usage\":"
                + usage(a) + "}";
    }

    @Override
    public void opening(Answer a, Consumer<String> events) {
        events.accept("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":"
                + Json.quote(a.id())
                + ",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":" + Json.quote(a.model())
                + ",\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":" + a.promptTokens()
                + ",\"output_tokens\":0}}}\n\n");
        events.accept("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"content_block\":"
                + "{\"type\":\"text\",\"text\":\"\"},\"index\":0}\n\n");
    }

    @Override
    public void delta(Answer a, int from, int to, Consumer<String> events) {
        events.accept("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":"
                + "{\"type\":\"text_delta\",\"text\":\"" + a.text(from, to) + "\"},\"index\":0}\n\n");
    }

    @Override
    public void closing(Answer a, Consumer<String> events) {
        events.accept("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n");
        events.accept("event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\""
                + stopReason(a) + "\",\"stop_sequence\":null},\"usage\":" + usage(a) + "}\n\n");
        events.accept("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    }

    private static String usage(Answer a) {
        return "{\"input_tokens\":" + (a.promptTokens() - a.cachedTokens()) + ",\"output_tokens\":" + a.tokens()
                + ",\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":" + a.cachedTokens() + "}";
    }

    private static String stopReason(Answer a) {
        return a.request().finishReason().equals("stop") ? "end_turn" : "max_tokens";
    }
}
