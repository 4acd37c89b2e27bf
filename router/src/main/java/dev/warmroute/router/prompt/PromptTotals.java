package dev.warmroute.router.prompt;

/**
 * What became of prompts since the router was started.
 *
 * @param inTokens told as the engine's own blocks
 * @param inBytes told as blocks of text
 * @param dropped not told, because too many were waiting
 * @param unanswered times that a replica's tokenizer was asked and did not answer; such a prompt is told in bytes
 */
public record PromptTotals(long inTokens, long inBytes, long dropped, long unanswered) {
    static final PromptTotals NOTHING = new PromptTotals(0, 0, 0, 0);
}
