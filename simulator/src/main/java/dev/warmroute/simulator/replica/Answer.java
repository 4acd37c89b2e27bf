package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.node.ArrayNode;

/**
 * An answer as far as it is known when the first token is out: the rest follows from it, because the words of an answer are
 * numbered from a start.
 *
 * @param request what was asked
 * @param model name of the model as served
 * @param version engine version, for the fingerprint
 * @param outputStart id of the first generated token
 * @param cachedTokens prompt tokens found in the prefix cache
 * @param blockSize tokens a block
 */
record Answer(
        GenerationRequest request, String model, String version, long outputStart, int cachedTokens, int blockSize) {

    String id() {
        return request.id();
    }

    int promptTokens() {
        return request.promptTokens();
    }

    int tokens() {
        return request.answerTokens();
    }

    String fingerprint() {
        return "vllm-" + version + "-standin";
    }

    /** Prompt tokens that this request added to the prefix cache: its full blocks that were not there. */
    int createdTokens() {
        return Math.max(0, promptTokens() / blockSize * blockSize - cachedTokens);
    }

    String text() {
        return text(0, tokens());
    }

    /** Returns the text of tokens {@code from} to {@code to}, exclusive. It holds nothing that JSON would escape. */
    String text(int from, int to) {
        StringBuilder text = new StringBuilder((to - from) * 8);
        for (int i = from; i < to; i++) {
            text.append(" w").append(outputStart + i);
        }
        return text.toString();
    }

    /** Returns a JSON array of the ids of tokens {@code from} to {@code to}, or {@code null} when ids were not asked for. */
    String idsOrNull(int from, int to) {
        if (!request.returnTokenIds()) {
            return "null";
        }
        StringBuilder ids = new StringBuilder("[");
        for (int i = from; i < to; i++) {
            ids.append(i > from ? "," : "").append(outputStart + i);
        }
        return ids.append(']').toString();
    }

    /** Returns a JSON array of the prompt's ids, or {@code null} when ids were not asked for. */
    String promptIdsOrNull() {
        if (!request.returnTokenIds()) {
            return "null";
        }
        ArrayNode ids = Json.MAPPER.createArrayNode();
        request.promptIds().forEach(ids::add);
        return ids.toString();
    }

    /** Returns {@code "finish"} in quotes when the answer ends with token {@code to}, and {@code null} before that. */
    String finishOrNull(int to) {
        return to == tokens() ? '"' + request.finishReason() + '"' : "null";
    }
}
