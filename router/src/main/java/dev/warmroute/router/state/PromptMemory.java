package dev.warmroute.router.state;

import dev.warmroute.router.policy.Needs;
import dev.warmroute.router.prompt.PromptChain;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What is believed to be in the replicas' prefix caches. */
final class PromptMemory {
    /** A double holds so many bits of a hash exactly. */
    private static final long KEY_BITS = (1L << 53) - 1;

    private final Needs.Prefixes kept;
    private final Map<String, PrefixIndex> byReplica = new HashMap<>();
    /** Tokens in a block, as of the last prompt: all prompts of a model are cut alike. */
    private long blockTokens = 1;

    PromptMemory(Needs.Prefixes kept) {
        this.kept = kept;
    }

    void sent(String replica, PromptChain prompt, long now) {
        if (prompt.blocks() == 0) {
            return;
        }
        blockTokens = prompt.tokensOfBlocks(1);
        byReplica.computeIfAbsent(replica, r -> index()).add(prompt.hashes(), now);
    }

    private PrefixIndex index() {
        return new PrefixIndex(
                Math.max(1, kept.tokensPerReplica() / blockTokens),
                kept.idleSeconds() == Long.MAX_VALUE ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(kept.idleSeconds()));
    }

    /** Tokens of a prompt that are believed to be cached. */
    int cachedTokens(String replica, PromptChain prompt, long now) {
        PrefixIndex index = byReplica.get(replica);
        return index == null ? 0 : Math.toIntExact(prompt.tokensOfBlocks(index.matched(prompt.hashes(), now)));
    }

    /** Tokens of all prompts that are believed to be cached. */
    long indexedTokens(String replica) {
        PrefixIndex index = byReplica.get(replica);
        return index == null ? 0 : index.size() * blockTokens;
    }

    /** Whether a prompt is long enough to have a {@link #key}. */
    boolean hasKey(PromptChain prompt) {
        return prompt.tokensOfBlocks(prompt.blocks()) >= kept.keyTokens();
    }

    /** What stands for a prompt's beginning. */
    double key(PromptChain prompt) {
        long blocks = Math.max(1, kept.keyTokens() / prompt.tokensOfBlocks(1));
        return prompt.hash(Math.toIntExact(blocks) - 1) & KEY_BITS;
    }

    void forgetReplica(String replica) {
        byReplica.remove(replica);
    }
}
