package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;

/** How far one replica is with its {@link WarmStart}. */
final class WarmUp {
    private final WarmStart start;
    private int begun;
    private int running;
    private int done;
    private int skipped;
    private long computedTokens;
    private long reusableTokens;
    private long lastNanos;

    WarmUp(WarmStart start) {
        this.start = start;
    }

    /** From the first prompt on, whatever was under way is lost. */
    void begin() {
        begun = 0;
        running = 0;
    }

    /** Whether the next prompt may be begun now. */
    boolean wants() {
        return begun < start.prompts().size() && running < start.concurrency();
    }

    /** Begins the next prompt. */
    Prompt next() {
        running++;
        return start.prompts().get(begun++);
    }

    /** The prompt that was begun last cannot be computed. */
    void skip() {
        running--;
        skipped++;
    }

    /** The engine is to compute a prompt. */
    void computes(int tokens, int inWholeBlocks) {
        computedTokens += tokens;
        reusableTokens += inWholeBlocks;
    }

    /** It had so many tokens of it already. */
    void found(int tokens) {
        computedTokens -= tokens;
        reusableTokens -= tokens;
    }

    void ended(long now) {
        running--;
        done++;
        lastNanos = now;
    }

    boolean underWay() {
        return running > 0;
    }

    WarmStart.Cost cost(long keptTokens) {
        return new WarmStart.Cost(done, skipped, computedTokens, reusableTokens, lastNanos, keptTokens);
    }

    WarmStart start() {
        return start;
    }
}
