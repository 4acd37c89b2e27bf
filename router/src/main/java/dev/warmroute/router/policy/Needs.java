package dev.warmroute.router.policy;

import dev.warmroute.router.fleet.Input;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a policy asks of the runtime: the inputs that it reads, and how long what is behind them is remembered.
 *
 * @param inputs what the view must hold
 * @param conversations how long conversations are remembered
 * @param prefixes what is remembered of prompts, when {@link Input#PREDICTED_CACHE} or {@link Input#PREFIX_KEY} is read
 * @param windowSeconds length of the window of {@link Input#WINDOW_TOKENS}
 * @param places how conversations keep the places that {@link Input#PLACE} and its like tell of
 */
public record Needs(
        Set<Input> inputs, Conversations conversations, Prefixes prefixes, long windowSeconds, Places places) {
    /** Nothing but the requests in flight. */
    public static final Needs NOTHING = of();

    private static final Set<Input> OF_THE_PROMPT =
            EnumSet.of(Input.PREDICTED_CACHE, Input.TRUE_CACHE, Input.PREFIX_KEY, Input.INDEXED_TOKENS);
    private static final Set<Input> OF_THE_FIRST_BYTE = EnumSet.of(
            Input.PREFILLING,
            Input.PREFILL_TOKENS,
            Input.PREFILL_PAIRS,
            Input.PREFILL_RATE,
            Input.LOST_PREFIX,
            Input.ANSWER);

    /**
     * @param idleSeconds a conversation is forgotten after so long without a request
     * @param liveSeconds it counts as live for so long after its last one
     */
    public record Conversations(long idleSeconds, long liveSeconds) {
        /** LM Warden's: 30 and 5 minutes. */
        public static final Conversations DEFAULT = new Conversations(1800, 300);
    }

    /**
     * @param tokensPerReplica prompt tokens that the index holds for a replica, the longest unused first to go
     * @param idleSeconds after which they go in any case
     * @param keyTokens length of the beginning that {@link Input#PREFIX_KEY} stands for
     */
    public record Prefixes(long tokensPerReplica, long idleSeconds, int keyTokens) {
        /** SGLang's tree of 67,108,864 characters, at four to a token. */
        public static final Prefixes DEFAULT = new Prefixes(16_777_216, Long.MAX_VALUE, 256);
    }

    /**
     * @param releaseSeconds a place idle for longer may go to another conversation; used until the gaps are learnt, and a tenth and
     *     ten times of it are the bounds of what is learnt
     * @param gapQuantile the quantile of the gaps between a conversation's turns that is learnt; 0: nothing is
     */
    public record Places(double releaseSeconds, double gapQuantile) {
        public static final Places DEFAULT = new Places(5, 0.95);
    }

    public Needs {
        inputs = Collections.unmodifiableSet(inputs.isEmpty() ? EnumSet.noneOf(Input.class) : EnumSet.copyOf(inputs));
    }

    public static Needs of(Input... inputs) {
        return new Needs(Set.of(inputs), Conversations.DEFAULT, Prefixes.DEFAULT, 180, Places.DEFAULT);
    }

    public Needs remembering(Conversations other) {
        return new Needs(inputs, other, prefixes, windowSeconds, places);
    }

    public Needs indexing(Prefixes other) {
        return new Needs(inputs, conversations, other, windowSeconds, places);
    }

    public Needs within(long seconds) {
        return new Needs(inputs, conversations, prefixes, seconds, places);
    }

    public Needs keeping(Places other) {
        return new Needs(inputs, conversations, prefixes, windowSeconds, other);
    }

    /** Whether it gives conversations places, and may hold requests. */
    public boolean holds() {
        return has(Input.PLACE);
    }

    public boolean has(Input input) {
        return inputs.contains(input);
    }

    /** Whether the prompt's fingerprint must be known before the decision. */
    public boolean prompt() {
        return !Collections.disjoint(inputs, OF_THE_PROMPT);
    }

    /** Whether the runtime must tell when a request begins to be answered. */
    public boolean firstByte() {
        return !Collections.disjoint(inputs, OF_THE_FIRST_BYTE);
    }
}
