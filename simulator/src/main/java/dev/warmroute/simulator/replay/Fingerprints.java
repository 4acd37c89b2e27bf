package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptReader;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.ChainRuns;

/** The fingerprints that the live router would have of a load's prompts: equal for as long as the tokens are. */
final class Fingerprints {
    private final ChainInterner chains = new ChainInterner(PromptReader.BLOCK_TOKENS);
    private final ChainRuns runs = new ChainRuns();

    PromptChain of(Prompt prompt) {
        chains.intern(prompt, runs);
        long[] hashes = new long[runs.blocks()];
        for (int run = 0; run < runs.runs(); run++) {
            int at = runs.at(run);
            for (int i = 0; i < runs.count(run); i++) {
                hashes[at + i] = hash(runs.first(run) + i);
            }
        }
        return PromptChain.of(PromptChain.Unit.TOKENS, PromptReader.BLOCK_TOKENS, prompt.tokens(), hashes);
    }

    /** Chain ids are small neighbouring numbers; a hash looks like any other number (finalizer of SplitMix64). */
    private static long hash(long chainId) {
        long z = chainId + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
