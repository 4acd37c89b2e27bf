package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.ChainRuns;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
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

    // How many blocks of a run were part of a prompt, by the chain id it starts with. Whoever computes a block computes all
    // before it, and where the ids of a path jump is the same for every prompt that takes it: a number a run says it all.
    private final Int2IntOpenHashMap[] computedBy;
    private final Int2IntOpenHashMap computedAnywhere = new Int2IntOpenHashMap();

    MissLedger(int blockSize, int replicas, ChainInterner chains) {
        this.blockSize = blockSize;
        this.chains = chains;
        this.computedBy = new Int2IntOpenHashMap[replicas];
        Arrays.setAll(computedBy, r -> new Int2IntOpenHashMap());
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
        int reusable = wholeBlocks(prompt.tokens() - 1);
        int from = cached;
        for (int run = 0; run < blocks.runs(); run++) {
            int start = blocks.first(run);
            int count = blocks.count(run);
            int knownHere = (blocks.at(run) + Math.min(count, computedBy[replica].get(start))) * blockSize;
            int known = (blocks.at(run) + Math.min(count, computedAnywhere.get(start))) * blockSize;
            from = charge(MissCause.EVICTED_WAITING, from, Math.min(knownHere, Math.min(reusable, cachedAtArrival)));
            from = charge(MissCause.EVICTED_IDLE, from, Math.min(knownHere, reusable));
            from = charge(MissCause.MOVED, from, Math.min(known, reusable));
            from = charge(MissCause.ROUNDING, from, known);
            from = charge(MissCause.FIRST_TURN, from, blocks.end(run) * blockSize);
            computedBy[replica].merge(start, count, Math::max);
            computedAnywhere.merge(start, count, Math::max);
        }
        charge(MissCause.ROUNDING, from, prompt.tokens());
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
