package dev.warmroute.router.figures;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long the conversations of one model are: the tokens of each up to its last answer, for those that spoke within five
 * minutes, and the beginning that they share, taken as the median of what was cached of the first requests of conversations.
 * Not thread-safe.
 */
final class Contexts {
    private static final long LIVE_US = TimeUnit.MINUTES.toMicros(5);
    private static final int MAX_CONVERSATIONS = 32_768;
    private static final int FIRST_REQUESTS = 64;

    /** In order of use, the longest unused first. */
    private final LinkedHashMap<String, Context> contexts = new LinkedHashMap<>();

    private final ArrayDeque<Long> cachedAtFirst = new ArrayDeque<>();

    private record Context(String home, long tokens, long atUs) {}

    /** Mean tokens of a replica's conversations, over those whose length is known. */
    record Mean(long conversations, double tokens) {}

    void used(String session, String home, long tokens, long atUs) {
        contexts.remove(session);
        contexts.put(session, new Context(home, tokens, atUs));
        if (contexts.size() > MAX_CONVERSATIONS) {
            contexts.pollFirstEntry();
        }
    }

    void first(long cachedTokens) {
        cachedAtFirst.addLast(cachedTokens);
        if (cachedAtFirst.size() > FIRST_REQUESTS) {
            cachedAtFirst.removeFirst();
        }
    }

    /** Tokens at their beginning that conversations share; 0 when nothing is known. */
    long shared() {
        return cachedAtFirst.isEmpty()
                ? 0
                : cachedAtFirst.stream()
                        .sorted()
                        .skip((cachedAtFirst.size() - 1) / 2)
                        .findFirst()
                        .orElseThrow();
    }

    /** By replica; those without a conversation of known length are left out. */
    Map<String, Mean> means(long nowUs) {
        while (!contexts.isEmpty() && contexts.firstEntry().getValue().atUs <= nowUs - LIVE_US) {
            contexts.pollFirstEntry();
        }
        Map<String, Mean> means = new HashMap<>();
        for (Context c : contexts.values()) {
            means.merge(
                    c.home,
                    new Mean(1, c.tokens),
                    (a, b) -> new Mean(a.conversations + 1, a.tokens + (b.tokens - a.tokens) / (a.conversations + 1)));
        }
        return means;
    }
}
