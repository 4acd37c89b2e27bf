package dev.warmroute.simulator.replica;

import java.util.function.Consumer;

/** Answers of {@code /v1/chat/completions}. */
final class ChatFormat implements AnswerFormat {
    @Override
    public String whole(Answer a) {
        return """
                {"id":%s,"object":"chat.completion","created":%d,"model":%s,"choices":[{"index":0,"message":\
                {"role":"assistant","content":"%s","refusal":null,"annotations":null,"audio":null,"function_call":null,\
                "reasoning":null},"logprobs":null,"finish_reason":"%s","stop_reason":null,"token_ids":%s,\
                "routed_experts":null}],"service_tier":null,"system_fingerprint":"%s",\
                "usage":{"prompt_tokens":%d,"total_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":\
                {"cached_tokens":%d,"created_cache_tokens":%d,"multimodal_tokens":null},\
                "completion_tokens_details":null},"prompt_logprobs":null,"prompt_token_ids":%s,"prompt_text":null,\
                "kv_transfer_params":null,"ec_transfer_params":null,"metrics":null}""".formatted(
                        Json.quote(a.id()),
                        a.request().created(),
                        Json.quote(a.model()),
                        a.text(),
                        a.request().finishReason(),
                        a.idsOrNull(0, a.tokens()),
                        a.fingerprint(),
                        a.promptTokens(),
                        a.promptTokens() + a.tokens(),
                        a.tokens(),
                        a.cachedTokens(),
                        a.createdTokens(),
                        a.promptIdsOrNull());
    }

    @Override
    public void opening(Answer a, Consumer<String> events) {
        events.accept(head(a) + "\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
                + "\"logprobs\":null,\"finish_reason\":null}],\"prompt_token_ids\":" + a.promptIdsOrNull()
                + ",\"prompt_text\":null}\n\n");
    }

    @Override
    public void delta(Answer a, int from, int to, Consumer<String> events) {
        String finish = a.finishOrNull(to);
        boolean last = to == a.tokens();
        boolean lastChunk = last && !a.request().includeUsage();
        events.accept(head(a) + "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + a.text(from, to)
                + "\"},\"logprobs\":null,\"finish_reason\":" + finish + (last ? ",\"stop_reason\":null" : "")
                + ",\"token_ids\":" + a.idsOrNull(from, to) + "}]"
                + (lastChunk ? ",\"system_fingerprint\":\"" + a.fingerprint() + "\"" : "") + "}\n\n");
    }

    @Override
    public void closing(Answer a, Consumer<String> events) {
        if (a.request().includeUsage()) {
            events.accept(head(a) + "\"choices\":[],\"usage\":{\"prompt_tokens\":" + a.promptTokens()
                    + ",\"total_tokens\":" + (a.promptTokens() + a.tokens()) + ",\"completion_tokens\":" + a.tokens()
                    + ",\"prompt_tokens_details\":{\"cached_tokens\":" + a.cachedTokens() + ",\"created_cache_tokens\":"
                    + a.createdTokens() + "}},\"system_fingerprint\":\"" + a.fingerprint() + "\"}\n\n");
        }
        events.accept("data: [DONE]\n\n");
    }

    private static String head(Answer a) {
        return "data: {\"id\":" + Json.quote(a.id()) + ",\"object\":\"chat.completion.chunk\",\"created\":"
                + a.request().created() + ",\"model\":" + Json.quote(a.model()) + ",";
    }
}
