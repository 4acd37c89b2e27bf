package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Turn;
import java.util.Set;

/**
 * Rollouts of Codex ({@code ~/.codex/sessions/Y/M/D/rollout-*.jsonl}): an {@code event_msg} of type {@code token_count} ends a
 * request. {@code last_token_usage} is the request's, {@code total_token_usage} sums up the session: a record whose sum has not
 * moved repeats the one before and is passed over, as is one without {@code info}, which tells of rate limits only. A request was sent
 * when the last input before its first output was written. {@code input_tokens} counts what was cached.
 */
final class CodexTranscriptReader extends TranscriptReader {
    private static final Set<String> OUTPUT =
            Set.of("reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call");

    private final Ordinals sessions = new Ordinals("s");
    private String session = "";
    private String model = "";
    private long sent = Turn.UNKNOWN;
    private boolean answering;
    private long total;

    CodexTranscriptReader(TraceFile file, OnError onError) {
        super(file, onError, TraceFormat.CODEX_TRANSCRIPT);
    }

    @Override
    void fileBegins() {
        session = sessions.name(currentFile().toString());
        model = "";
        sent = Turn.UNKNOWN;
        answering = false;
        total = 0;
    }

    @Override
    void fileEnds() {
        // an answer without its count never came in whole
    }

    @Override
    void record(JsonFields record) {
        JsonFields payload = record.has("payload") ? record.object("payload") : JsonFields.of("{}");
        String type = payload.textOr("type", "");
        switch (record.textOr("type", "")) {
            case "turn_context" -> model = payload.textOr("model", model);
            case "response_item" -> item(type, payload, record);
            case "event_msg" -> {
                if (type.equals("token_count") && payload.has("info")) {
                    count(payload.object("info"), at(record));
                } else if (type.equals("user_message")) {
                    input(at(record));
                }
            }
            default -> {
                // says nothing about sizes
            }
        }
    }

    private void item(String type, JsonFields payload, JsonFields record) {
        if (OUTPUT.contains(type)
                || type.equals("message") && payload.textOr("role", "").equals("assistant")) {
            answering = true;
        } else {
            input(at(record));
        }
    }

    private void input(long at) {
        if (!answering) {
            sent = Math.max(sent, at);
        }
    }

    private void count(JsonFields info, long at) {
        if (!info.has("last_token_usage")) {
            return;
        }
        JsonFields last = info.object("last_token_usage");
        long sum =
                info.has("total_token_usage") ? info.object("total_token_usage").wholeOr("total_tokens", 0) : 0;
        if (sum > 0 && sum == total) {
            return;
        }
        total = sum;
        int prompt = last.tokens("input_tokens", 1);
        int cached = (int) last.wholeOr("cached_input_tokens", 0);
        int output = last.tokens("output_tokens", 0);
        if (cached > prompt) {
            throw new RowException(
                    "cached_input_tokens", "expected at most the " + prompt + " input_tokens, found " + cached);
        }
        emit(turn(session, "", sent < 0 ? at : sent, at, prompt, cached, output, model, ""));
        answering = false;
        sent = Turn.UNKNOWN;
    }
}
