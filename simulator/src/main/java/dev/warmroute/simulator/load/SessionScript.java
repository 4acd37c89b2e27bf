package dev.warmroute.simulator.load;

import java.util.SplittableRandom;

/**
 * What one session says and when, worked out from the seed, its slot and its number alone: the same in every arm, whatever
 * the servers do. Text is made of the words {@code w6} to {@code w2047}, each one token for a stand-in replica and for a
 * model with a word tokenizer; real tokenizers make about three of each.
 *
 * @param options lengths, seed
 * @param slot which of the concurrent sessions, from 0
 * @param number how many sessions the slot had before
 */
record SessionScript(AgentLoadOptions options, int slot, int number) {
    private static final int FIRST_WORD = 6;
    private static final int WORDS = 2042;
    private static final int SHORTEST_OUTPUT = 1;

    private static final int PURPOSE_SYSTEM = 1;
    private static final int PURPOSE_TEXT = 2;
    private static final int PURPOSE_OUTPUT = 3;
    private static final int PURPOSE_GAP = 4;
    private static final int PURPOSE_START = 5;

    String sessionId() {
        return options.arm() + '-' + options.seed() + '-' + slot + '-' + number;
    }

    /** Returns the system prompt that all sessions share; empty if it has no tokens. */
    static String systemText(AgentLoadOptions options) {
        return words(new SplittableRandom(mix(options.seed(), PURPOSE_SYSTEM, 0, 0, 0)), options.sharedTokens());
    }

    /** @param turn from 1 */
    String userText(int turn) {
        return words(random(PURPOSE_TEXT, turn), turn == 1 ? options.firstTokens() : options.growthTokens());
    }

    /** Returns how many tokens the answer of a turn has. */
    int outputTokens(int turn) {
        double share = 0.7 + 0.6 * random(PURPOSE_OUTPUT, turn).nextDouble();
        return Math.max(SHORTEST_OUTPUT, (int) Math.round(options.outputTokens() * share));
    }

    /** Returns the pause after a turn, in model seconds. */
    double gapSeconds(int turn) {
        return options.gapSeconds() * (0.3 + 1.4 * random(PURPOSE_GAP, turn).nextDouble());
    }

    /** Returns when the slot's first session begins, in model seconds. */
    double startSeconds() {
        return options.staggerSeconds() * random(PURPOSE_START, 0).nextDouble();
    }

    private SplittableRandom random(int purpose, int turn) {
        return new SplittableRandom(mix(options.seed(), purpose, slot, number, turn));
    }

    static String words(SplittableRandom random, int count) {
        StringBuilder text = new StringBuilder(count * 6);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "w" : " w").append(FIRST_WORD + random.nextInt(WORDS));
        }
        return text.toString();
    }

    private static long mix(long... parts) {
        long hash = 0x9E3779B97F4A7C15L;
        for (long part : parts) {
            hash = (hash ^ part) * 0xBF58476D1CE4E5B9L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
