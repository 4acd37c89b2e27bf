package dev.warmroute.router.warm;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** How a prompt is put into a replica's cache. */
public enum WarmMode {
    /** The tokens that every request with this prompt begins with, and no other. */
    STRICT_PREFIX("strict-prefix"),
    /** As a chat, where the replica cannot say which tokens those are: what follows the prompt is computed too. */
    CHAT_FALLBACK("chat-fallback");

    private final String wireName;

    WarmMode(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** The one mode of several prompts; {@code mixed} when there were two, {@code none} when there was none. */
    static String of(Collection<WarmMode> modes) {
        Set<WarmMode> used = EnumSet.noneOf(WarmMode.class);
        used.addAll(modes);
        return switch (used.size()) {
            case 0 -> "none";
            case 1 -> used.iterator().next().wireName;
            default -> "mixed";
        };
    }
}
