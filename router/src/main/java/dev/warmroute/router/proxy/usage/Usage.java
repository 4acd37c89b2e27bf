package dev.warmroute.router.proxy.usage;

import dev.warmroute.router.state.Completion;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the engine said about a request; what it did not say is empty, never 0.
 *
 * @param promptTokens prompt tokens, cached ones included
 * @param cachedTokens prompt tokens found in the prefix cache
 * @param completionTokens generated tokens
 * @param finishReason why generation ended, in the words of the answer's dialect
 */
public record Usage(
        OptionalLong promptTokens,
        OptionalLong cachedTokens,
        OptionalLong completionTokens,
        Optional<String> finishReason) {
    /** The engine said nothing. */
    public static final Usage UNKNOWN =
            new Usage(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

    /** What the router's memory learns from it. */
    public Completion completion() {
        return new Completion(promptTokens.orElse(-1), cachedTokens.orElse(-1), completionTokens.orElse(-1));
    }

    /** This, with what a later part of the answer says in its place. */
    Usage then(Usage later) {
        return new Usage(
                later.promptTokens.isPresent() ? later.promptTokens : promptTokens,
                later.cachedTokens.isPresent() ? later.cachedTokens : cachedTokens,
                later.completionTokens.isPresent() ? later.completionTokens : completionTokens,
                later.finishReason.isPresent() ? later.finishReason : finishReason);
    }
}
