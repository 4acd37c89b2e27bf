package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.Prompt;
import java.util.HashMap;
import java.util.Map;

/**
 * What each conversation has said so far, answers included: formats that know lengths only are read into prompts that repeat
 * it, and such formats are written from prompts that do. Memory: one prompt for each conversation.
 */
final class Histories {
    /** Start of the tokens that only one prompt has. */
    private static final long OWN_SPACE = 1L << 60;

    private static final int OWN_BITS = 24;

    private final Map<String, Prompt> said = new HashMap<>();

    /** The last prompt of a conversation with its answer; empty for a new one. */
    Prompt of(String conversation) {
        return said.getOrDefault(conversation, Prompt.empty());
    }

    /** Remembers a prompt and its answer. */
    void add(String conversation, Prompt prompt, long outputStart, int outputTokens) {
        if (!conversation.isEmpty()) {
            said.put(
                    conversation,
                    Prompt.builder().all(prompt).span(outputStart, outputTokens).build());
        }
    }

    /**
     * A prompt that repeats the beginning of its conversation and goes on with tokens that no other prompt has.
     *
     * @param index position of the request in the trace
     * @param tokens length of the prompt
     * @param repeated tokens that it repeats; more than the conversation has, or the prompt, count as that
     */
    Prompt prompt(String conversation, int index, int tokens, long repeated) {
        Prompt history = of(conversation);
        int shared = (int) Math.min(repeated, Math.min(tokens, history.tokens()));
        return Prompt.builder()
                .prefixOf(history, shared)
                .span(OWN_SPACE + ((long) index << OWN_BITS), tokens - shared)
                .build();
    }

    /** A prompt of which only the length is known: see {@link Prefixes#ASSUMED}. */
    Prompt assumed(String conversation, int index, int tokens) {
        return assumed(conversation, index, tokens, 0);
    }

    /**
     * The same where it is known what was found in a cache: a prompt that is too short to go on from its conversation repeats
     * as much of it.
     *
     * @param cached tokens found in a cache; negative if that is not known
     */
    Prompt assumed(String conversation, int index, int tokens, long cached) {
        int history = of(conversation).tokens();
        return prompt(conversation, index, tokens, tokens >= history ? history : Math.max(0, cached));
    }

    /** Longest prompt whose own tokens do not run into those of the next. */
    static int maxTokens() {
        return 1 << OWN_BITS;
    }
}
