package dev.warmroute.simulator.replica;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Objects;

/**
 * What a client asks for, whatever protocol it spoke.
 *
 * @param id id of the answer, the protocol's prefix included
 * @param created Unix time in seconds
 * @param promptIds tokens of the prompt
 * @param cacheSalt shares cached blocks only with requests of the same salt; empty for none
 * @param maxTokens {@code max_tokens} as asked, or what is left of the context when it was not
 * @param answerTokens tokens that will be generated, at most {@code maxTokens}
 * @param stream whether the answer is streamed
 * @param includeUsage whether a streamed answer ends with its usage
 * @param returnTokenIds whether token ids are returned beside text
 */
record GenerationRequest(
        String id,
        long created,
        LongArrayList promptIds,
        String cacheSalt,
        int maxTokens,
        int answerTokens,
        boolean stream,
        boolean includeUsage,
        boolean returnTokenIds) {

    /** Answers start at one of this many words. */
    private static final long STARTS = 900_000;

    GenerationRequest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(cacheSalt, "cacheSalt");
        if (promptIds.isEmpty() || answerTokens < 1 || answerTokens > maxTokens) {
            throw new IllegalArgumentException("a generation needs a prompt and 1 to max_tokens tokens: "
                    + promptIds.size() + " prompt tokens, " + answerTokens + " of " + maxTokens);
        }
    }

    int promptTokens() {
        return promptIds.size();
    }

    /** Returns {@code length} when the limit ends the answer and {@code stop} when it ends by itself. */
    String finishReason() {
        return answerTokens < maxTokens ? "stop" : "length";
    }

    /**
     * Returns the id of the first generated token; the others follow it. It depends on the prompt alone, so that equal
     * requests get equal answers.
     */
    long outputStart() {
        long hash = PromptSpans.hash(promptIds, 0, promptIds.size(), "");
        return PromptSpans.FIRST_GENERATED + Math.floorMod(hash, STARTS);
    }
}
