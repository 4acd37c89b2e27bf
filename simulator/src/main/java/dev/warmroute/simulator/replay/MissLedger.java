package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.engine.ChainInterner;
import dev.warmroute.simulator.engine.ChainRuns;
import it.unimi.dsi.fastutil.ints.Int2IntMaps;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.Optional;

/**
 * Remembers what was said and computed where, so that {@link MissRule} can charge every missed prompt token of a replay to
 * one {@link MissCause} when its request is admitted. What was charged is in the {@link RequestLog}.
 *
 * <p>A conversation's later turn is compared with the last turn of it that had ended: what both have in common is history,
 * and a miss in it is a restart, a move or an eviction; the rest is new, or edited when the common part ends a block or more
 * before the old prompt does (some traces have no tokens for the last, partial block of a prompt, so less says nothing). A
 * request without a session is compared block by block with everything said before on any replica.
 */
final class MissLedger {
    private final int blockSize;
    private final ChainInterner chains;
    private final RequestLog log;
    private final ChainRuns blocks = new ChainRuns();

    /** What a conversation has said: prompt and answer of the last turn that ended, and where and in which life that was. */
    private record Past(Prompt prompt, Prompt all, int replica, int life) {}

    private Past[] pasts = new Past[64];
    private final int[] lives;

    // How many blocks of a run were part of a prompt, by the chain id it starts with. Whoever computes a block computes
    // all
    // before it, and where the ids of a path jump is the same for every prompt that takes it: a number a run says it
    // all.
    private final Int2IntOpenHashMap[] computedBy;
    private final Int2IntOpenHashMap[] computedBeforeRestart;
    private final Int2IntOpenHashMap computedAnywhere = new Int2IntOpenHashMap();

    MissLedger(int blockSize, int replicas, ChainInterner chains, RequestLog log) {
        this.blockSize = blockSize;
        this.chains = chains;
        this.log = log;
        this.lives = new int[replicas];
        this.computedBy = maps(replicas);
        this.computedBeforeRestart = maps(replicas);
    }

    private static Int2IntOpenHashMap[] maps(int replicas) {
        Int2IntOpenHashMap[] maps = new Int2IntOpenHashMap[replicas];
        Arrays.setAll(maps, r -> new Int2IntOpenHashMap());
        return maps;
    }

    /** A replica has started again, with an empty cache. */
    void restarted(int replica) {
        lives[replica]++;
        Int2IntMaps.fastForEach(
                computedBy[replica],
                e -> computedBeforeRestart[replica].merge(e.getIntKey(), e.getIntValue(), Math::max));
        computedBy[replica].clear();
    }

    /**
     * A request is admitted for the first time.
     *
     * @param request its number in the log
     * @param conversation its number, -1 without a session
     * @param cachedAtArrival tokens that would have hit when it entered the replica's queue
     * @param cached tokens that hit
     */
    void admitted(int request, Turn turn, int conversation, int replica, int cachedAtArrival, int cached) {
        MissRule rule = conversation < 0
                ? comparedByBlocks(turn.prompt(), replica, cachedAtArrival, cached)
                : comparedWithHistory(turn.prompt(), past(conversation), replica, cachedAtArrival, cached);
        rule.charge((cause, tokens) -> log.missed(request, cause, tokens));
    }

    /** A request that was admitted before its replica started again is admitted once more: it is charged once only. */
    void computedAgain(Turn turn, int conversation, int replica) {
        if (conversation < 0) {
            chains.intern(turn.prompt(), blocks);
            computed(replica);
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
        pasts[conversation] = new Past(turn.prompt(), all, replica, lives[replica]);
    }

    private Optional<Past> past(int conversation) {
        return conversation < pasts.length ? Optional.ofNullable(pasts[conversation]) : Optional.empty();
    }

    private MissRule comparedWithHistory(
            Prompt prompt, Optional<Past> before, int replica, int cachedAtArrival, int cached) {
        int length = prompt.tokens();
        if (before.isEmpty()) {
            return new MissRule(cached, cachedAtArrival, 0, 0, 0, 0, false, 0, length);
        }
        Past past = before.get();
        int common = prompt.commonPrefix(past.all);
        boolean edited = past.prompt.tokens() - common >= blockSize;
        int said = edited ? past.all.tokens() : Math.max(common, past.prompt.tokens());
        // The last generated token was never computed, and the last token of a prompt always is.
        int reusable = wholeBlocks(Math.min(Math.min(common, past.all.tokens() - 1), length - 1));
        boolean lost = past.life != lives[past.replica];
        boolean here = past.replica == replica && !lost;
        return new MissRule(
                cached,
                cachedAtArrival,
                here ? reusable : 0,
                lost ? reusable : 0,
                common,
                said,
                edited,
                reusable,
                length);
    }

    private MissRule comparedByBlocks(Prompt prompt, int replica, int cachedAtArrival, int cached) {
        chains.intern(prompt, blocks);
        int here = known(computedBy[replica]);
        int beforeRestart = known(computedBeforeRestart[replica]);
        int anywhere = known(computedAnywhere);
        computed(replica);
        // Of a last, partial block behind known ones nobody knows whether it was said before; it can never be cached.
        int said = anywhere == blocks.blocks() ? prompt.tokens() : anywhere * blockSize;
        int reusable = wholeBlocks(Math.min(anywhere * blockSize, prompt.tokens() - 1));
        return new MissRule(
                cached,
                cachedAtArrival,
                here * blockSize,
                beforeRestart * blockSize,
                anywhere * blockSize,
                said,
                false,
                reusable,
                prompt.tokens());
    }

    private void computed(int replica) {
        for (int run = 0; run < blocks.runs(); run++) {
            computedBy[replica].merge(blocks.first(run), blocks.count(run), Math::max);
            computedAnywhere.merge(blocks.first(run), blocks.count(run), Math::max);
        }
    }

    /** Blocks from the start of the prompt that somebody has computed. */
    private int known(Int2IntOpenHashMap computed) {
        int known = 0;
        for (int run = 0; run < blocks.runs(); run++) {
            int ofRun = Math.min(blocks.count(run), computed.get(blocks.first(run)));
            known = blocks.at(run) + ofRun;
            if (ofRun < blocks.count(run)) {
                break;
            }
        }
        return known;
    }

    private int wholeBlocks(int upTo) {
        return upTo / blockSize * blockSize;
    }
}
