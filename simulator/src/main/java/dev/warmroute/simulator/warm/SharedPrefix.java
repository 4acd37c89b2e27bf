package dev.warmroute.simulator.warm;

import dev.warmroute.recorder.trace.Prompt;
import java.util.Objects;

/**
 * What several first turns begin with.
 *
 * @param name in tables
 * @param prompt the tokens
 * @param firstTurns how many begin with it
 */
public record SharedPrefix(String name, Prompt prompt, int firstTurns) {
    public SharedPrefix {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(prompt, "prompt");
    }

    /** The same under another name, no longer than so many tokens. */
    SharedPrefix named(String other, int mostTokens) {
        int tokens = Math.min(mostTokens, prompt.tokens());
        return new SharedPrefix(other, Prompt.builder().prefixOf(prompt, tokens).build(), firstTurns);
    }
}
