package dev.warmroute.router.prompt;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last prompt of each conversation, so that the next one is told as a difference: bounded by the number of hashes it
 * holds, the longest unused conversation first to go. Not thread-safe.
 */
public final class PromptMemory {
    /** The last prompt of a conversation and the request that carried it. */
    public record Last(String requestId, PromptChain chain) {}

    /** What a conversation takes besides its prompt's hashes, in hashes: one whose prompt has none is not for nothing. */
    private static final int CONVERSATION = 32;

    private final long maxHashes;
    private final LinkedHashMap<String, Last> last = new LinkedHashMap<>(16, 0.75f, true);
    private long hashes;

    public PromptMemory(long maxHashes) {
        this.maxHashes = maxHashes;
    }

    /** Replaces a conversation's last prompt and returns the one before. */
    public Optional<Last> replace(String session, Last now) {
        Last before = last.put(session, now);
        hashes += size(now) - (before == null ? 0 : size(before));
        Iterator<Map.Entry<String, Last>> eldest = last.entrySet().iterator();
        while (hashes > maxHashes && last.size() > 1) {
            hashes -= size(eldest.next().getValue());
            eldest.remove();
        }
        return Optional.ofNullable(before);
    }

    private static long size(Last prompt) {
        return CONVERSATION + prompt.chain().blocks();
    }
}
