package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.ChainRuns;
import java.util.Arrays;
import java.util.Optional;

/**
 * Charges every missed prompt token of a replay to one {@link MissCause}, when its request is admitted.
 *
 * <p>A conversation's later turn is compared with the last turn of it that had ended: what both have in common is history,
 * and a miss in it is a move or an eviction; the rest is new, or edited when the common part ends a block or more before the
 * old prompt does (some traces have no tokens for the last, partial block of a prompt, so less says nothing). A request
 * without a session is compared block by block with everything said before on any replica.
 */
final class MissLedger {
    private final int blockSize;
    private final ChainInterner chains;
    private final ChainRuns blocks = new ChainRuns();
    private final long[] tokens = new long[MissCause.values().length];

    /** What a conversation has said: prompt and answer of the last turn that ended, and where that was. */
    private record Past(Prompt prompt, Prompt all, int replica) {}

    private Past[] pasts = new Past[64];

    /** Bit r of word w of a chain id: replica 64 w + r has computed this block as part of a prompt. */
    private long[] computedBy = new long[1024];

    private final int words;

    MissLedger(int blockSize, int replicas, ChainInterner chains) {
        this.blockSize = blockSize;
        this.chains = chains;
        this.words = (replicas + 63) / 64;
    }

    /** Missed tokens by cause. */
    long[] tokens() {
        return tokens.clone();
    }

    /**
     * A request is admitted for the first time.
     *
     * @param conversation its number, -1 without a session
     * @param cachedAtArrival tokens that would have hit when it entered the replica's queue
     * @param cached tokens that hit
     */
    void admitted(Turn turn, int conversation, int replica, int cachedAtArrival, int cached) {
        if (conversation < 0) {
            chargeByBlocks(turn.prompt(), replica, cachedAtArrival, cached);
        } else {
            Optional<Past> past = past(conversation);
            if (past.isPresent()) {
                chargeByHistory(turn.prompt(), past.get(), replica, cachedAtArrival, cached);
            } else {
                charge(MissCause.FIRST_TURN, cached, turn.prompt().tokens());
            }
        }
    }

    /** A conversation's turn has ended. */
    void ended(Turn turn, int conversation, int replica) {
        if (conversation < 0) {
            return;
        }
        if (conversation >= pasts.length) {
            pasts = Arrays.copyOf(pasts, Math.max(conversation + 1, pasts.length * 2));
        }
        Prompt all = Prompt.builder()
                .all(turn.prompt())
                .span(turn.outputStart(), turn.outputTokens())
                .build();
        pasts[conversation] = new Past(turn.prompt(), all, replica);
    }

    private Optional<Past> past(int conversation) {
        return conversation < pasts.length ? Optional.ofNullable(pasts[conversation]) : Optional.empty();
    }

    private void chargeByHistory(Prompt prompt, Past past, int replica, int cachedAtArrival, int cached) {
        int length = prompt.tokens();
        int common = prompt.commonPrefix(past.all);
        // The last generated token was never computed, and the last token of a prompt always is.
        int reusable = wholeBlocks(Math.min(Math.min(common, past.all.tokens() - 1), length - 1));
        boolean edited = past.prompt.tokens() - common >= blockSize;
        int from = cached;
        if (past.replica == replica) {
            from = charge(MissCause.EVICTED_WAITING, from, Math.min(cachedAtArrival, reusable));
            from = charge(MissCause.EVICTED_IDLE, from, reusable);
        } else {
            from = charge(MissCause.MOVED, from, reusable);
        }
        from = charge(MissCause.ROUNDING, from, common);
        if (edited) {
            from = charge(MissCause.HISTORY_EDITED, from, Math.min(past.all.tokens(), length));
        } else {
            from = charge(MissCause.ROUNDING, from, Math.min(past.prompt.tokens(), length));
        }
        charge(MissCause.FIRST_TURN, from, length);
    }

    private void chargeByBlocks(Prompt prompt, int replica, int cachedAtArrival, int cached) {
        chains.intern(prompt, blocks);
        int length = prompt.tokens();
        int reusable = wholeBlocks(length - 1);
        int from = cached;
        for (int run = 0; run < blocks.runs(); run++) {
            int at = blocks.at(run);
            int count = blocks.count(run);
            makeRoom(blocks.first(run) + count);
            for (int i = 0; i < count; i++) {
                int id = blocks.first(run) + i;
                int end = (at + i + 1) * blockSize;
                if (end > from) {
                    from = charge(cause(id, replica, end, reusable, cachedAtArrival), from, end);
                }
                computedBy[id * words + replica / 64] |= 1L << (replica % 64);
            }
        }
        charge(MissCause.ROUNDING, from, length);
    }

    private MissCause cause(int id, int replica, int end, int reusable, int cachedAtArrival) {
        boolean here = (computedBy[id * words + replica / 64] >>> (replica % 64) & 1) != 0;
        boolean anywhere = here;
        for (int w = 0; w < words && !anywhere; w++) {
            anywhere = computedBy[id * words + w] != 0;
        }
        if (!anywhere) {
            return MissCause.FIRST_TURN;
        }
        if (end > reusable) {
            return MissCause.ROUNDING;
        }
        if (!here) {
            return MissCause.MOVED;
        }
        return end <= cachedAtArrival ? MissCause.EVICTED_WAITING : MissCause.EVICTED_IDLE;
    }

    private void makeRoom(int ids) {
        if (ids * words > computedBy.length) {
            computedBy = Arrays.copyOf(computedBy, Math.max(ids * words, computedBy.length * 2));
        }
    }

    private int wholeBlocks(int upTo) {
        return upTo / blockSize * blockSize;
    }

    /** Charges the tokens from one position up to another; returns where the next part begins. */
    private int charge(MissCause cause, int from, int to) {
        if (to <= from) {
            return from;
        }
        tokens[cause.ordinal()] += to - from;
        return to;
    }
}
