package dev.warmroute.router.warm;

import java.util.Optional;

/**
 * What became of one prompt on one replica.
 *
 * @param mode how it was sent; empty when it was skipped
 * @param tokens of what was sent, as the engine counts
 * @param prefix the token ids that were sent; empty when it was sent as a chat
 * @param skipped why it is not in the cache; empty when it is
 */
public record WarmedPrompt(String name, Optional<WarmMode> mode, long tokens, long[] prefix, String skipped) {
    private static final long[] NO_IDS = {};

    static WarmedPrompt exact(String name, long tokens, long[] prefix) {
        return new WarmedPrompt(name, Optional.of(WarmMode.STRICT_PREFIX), tokens, prefix, "");
    }

    static WarmedPrompt chat(String name, long tokens) {
        return new WarmedPrompt(name, Optional.of(WarmMode.CHAT_FALLBACK), tokens, NO_IDS, "");
    }

    static WarmedPrompt skipped(String name, String why) {
        return new WarmedPrompt(name, Optional.empty(), 0, NO_IDS, why);
    }

    public boolean completed() {
        return mode.isPresent();
    }
}
