package dev.warmroute.simulator.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads a streamed chat completion as its bytes come, wherever they are cut: collects the answer's text and the usage, and
 * knows whether the end was seen.
 */
final class AnswerStream {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_LINE = 16 << 20;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    private final StringBuilder text = new StringBuilder();
    private int promptTokens = RequestOutcome.NONE;
    private int cachedTokens = RequestOutcome.NONE;
    private int completionTokens = RequestOutcome.NONE;
    private boolean done;
    private String error = "";

    void accept(byte[] bytes) {
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                line.write(bytes, from, i - from);
                from = i + 1;
                line(line.toString(StandardCharsets.UTF_8));
                line.reset();
            }
        }
        line.write(bytes, from, bytes.length - from);
        if (line.size() > LONGEST_LINE) {
            throw new IllegalStateException("a line of the answer is longer than " + LONGEST_LINE + " bytes");
        }
    }

    private void line(String line) {
        if (!line.startsWith("data:")) {
            return;
        }
        String data = line.substring(5).strip();
        if (data.equals("[DONE]")) {
            done = true;
        } else {
            event(data);
        }
    }

    private void event(String data) {
        JsonNode event;
        try {
            event = JSON.readTree(data);
        } catch (JsonProcessingException e) {
            error = "an event of the answer is not JSON: " + e.getOriginalMessage();
            return;
        }
        if (event.hasNonNull("error")) {
            error = event.path("error")
                    .path("message")
                    .asText(event.path("error").toString());
        }
        text.append(event.path("choices").path(0).path("delta").path("content").asText(""));
        JsonNode usage = event.path("usage");
        if (usage.isObject()) {
            promptTokens = usage.path("prompt_tokens").asInt(RequestOutcome.NONE);
            completionTokens = usage.path("completion_tokens").asInt(RequestOutcome.NONE);
            cachedTokens =
                    usage.path("prompt_tokens_details").path("cached_tokens").asInt(RequestOutcome.NONE);
        }
    }

    /** The answer so far. */
    String text() {
        return text.toString();
    }

    int promptTokens() {
        return promptTokens;
    }

    int cachedTokens() {
        return cachedTokens;
    }

    int completionTokens() {
        return completionTokens;
    }

    /** Returns what is wrong with the answer now that it has ended; empty if nothing is. */
    String problem() {
        return !error.isEmpty() ? error : done ? "" : "the answer broke off before its end";
    }
}
