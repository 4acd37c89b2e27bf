package dev.warmroute.simulator.replica;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** The paths that generate: how a request is read there and how the answer is worded. */
enum Api {
    COMPLETIONS("/v1/completions", "cmpl-", PromptReader::completions, CompletionsFormat::new),
    CHAT("/v1/chat/completions", "chatcmpl-", PromptReader::chat, ChatFormat::new),
    MESSAGES("/v1/messages", "chatcmpl-", PromptReader::messages, MessagesFormat::new),
    RESPONSES("/v1/responses", "resp_", PromptReader::responses, ResponsesFormat::new);

    /** Tokens a completion has when it does not say; OpenAI's and vLLM's default there, and only there. */
    private static final int COMPLETION_TOKENS = 16;

    private final String path;
    private final String idPrefix;
    private final Function<RequestBody, LongArrayList> prompt;
    private final Supplier<AnswerFormat> format;

    Api(String path, String idPrefix, Function<RequestBody, LongArrayList> prompt, Supplier<AnswerFormat> format) {
        this.path = path;
        this.idPrefix = idPrefix;
        this.prompt = prompt;
        this.format = format;
    }

    String path() {
        return path;
    }

    boolean anthropic() {
        return this == MESSAGES;
    }

    AnswerFormat newFormat() {
        return format.get();
    }

    /**
     * Reads a request.
     *
     * @param requestId id without the protocol's prefix
     * @param created Unix time in seconds
     * @throws ApiError if it is refused
     */
    GenerationRequest read(RequestBody body, ReplicaOptions options, String requestId, long created) {
        if (this == MESSAGES) {
            body.required("max_tokens");
        }
        LongArrayList ids = prompt.apply(body);
        requireModel(body, options);
        if (ids.isEmpty()) {
            throw ApiError.badRequest("prompt", "The prompt is empty: expected at least one token.");
        }
        if (body.whole("n", 1) != 1) {
            throw ApiError.badRequest("n", "The stand-in gives one answer a request: n must be 1.");
        }
        int asked = askedTokens(body);
        int room = room(ids.size(), asked, options.maxModelLen());
        int limit = asked > 0 ? asked : room;
        int answer = body.flag("ignore_eos") ? limit : Math.min(limit, options.answerTokens());
        answer = Math.max(answer, Math.min(limit, body.whole("min_tokens", 1)));
        boolean stream = body.flag("stream");
        boolean includeUsage = body.at("stream_options").path("include_usage").asBoolean(false);
        return new GenerationRequest(
                idPrefix + requestId,
                created,
                ids,
                body.text("cache_salt"),
                limit,
                answer,
                stream,
                includeUsage,
                body.flag("return_token_ids"));
    }

    /** Refuses a model that is not served; a request need not name one. */
    static void requireModel(RequestBody body, ReplicaOptions options) {
        String model = body.text("model");
        if (!model.isEmpty() && !model.equals(options.servedModelName())) {
            throw ApiError.unknownModel(model, options.servedModelName());
        }
    }

    /** Returns how many output tokens were asked for, 0 for as many as fit. */
    private int askedTokens(RequestBody body) {
        String field = this == RESPONSES
                ? "max_output_tokens"
                : body.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
        int asked = body.whole(field, this == COMPLETIONS ? COMPLETION_TOKENS : 0);
        if (body.has(field) && asked < 1) {
            throw ApiError.badRequest(field, field + " must be at least 1, got " + asked + ".");
        }
        return asked;
    }

    private static int room(int prompt, int asked, int maxModelLen) {
        if (prompt >= maxModelLen) {
            throw ApiError.badRequest(
                    "input_tokens",
                    "This model's maximum context length is " + maxModelLen
                            + " tokens. However, your prompt contains " + prompt
                            + " input tokens, which exceeds this limit even"
                            + " without any output tokens. Please reduce the length of the input prompt. (parameter=input_tokens,"
                            + " value=" + prompt + ")");
        }
        if (asked > maxModelLen - prompt) {
            throw ApiError.badRequest(
                    "input_tokens",
                    "This model's maximum context length is " + maxModelLen
                            + " tokens. However, you requested " + asked + " output tokens and your prompt contains "
                            + prompt
                            + " input tokens, for a total of " + ((long) asked + prompt)
                            + " tokens. Please reduce the length of the"
                            + " input prompt or the number of requested output tokens. (parameter=input_tokens, value="
                            + prompt
                            + ")");
        }
        return maxModelLen - prompt;
    }
}
