package dev.warmroute.router.warm;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A warm-up of a replica that has ended.
 *
 * @param reason why it was begun: {@code start}, {@code up}, {@code epoch}, {@code cleared} or {@code resumed}
 * @param prompts what became of each, in the order of the file
 * @param nanos how long it took
 */
public record WarmUpResult(String reason, List<WarmedPrompt> prompts, long nanos) {
    public WarmUpResult {
        prompts = List.copyOf(prompts);
    }

    public int completed() {
        return (int) prompts.stream().filter(WarmedPrompt::completed).count();
    }

    public int skipped() {
        return prompts.size() - completed();
    }

    /** Tokens of the prompts that were answered. */
    public long promptTokens() {
        return prompts.stream().mapToLong(WarmedPrompt::tokens).sum();
    }

    /** Tokens that they take in the cache, where what they have in common is kept once. */
    public long distinctTokens() {
        long chats = prompts.stream()
                .filter(p -> p.prefix().length == 0)
                .mapToLong(WarmedPrompt::tokens)
                .sum();
        return chats
                + Prefixes.distinctTokens(
                        prompts.stream().map(WarmedPrompt::prefix).toList());
    }

    public double seconds() {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** {@code strict-prefix}, {@code chat-fallback}, {@code mixed} or {@code none}. */
    public String mode() {
        return WarmMode.of(prompts.stream().flatMap(p -> p.mode().stream()).toList());
    }

    /** One line for the log. */
    String line(String replica) {
        String skipped = prompts.stream()
                .filter(p -> !p.completed())
                .collect(Collectors.groupingBy(
                        WarmedPrompt::skipped, Collectors.mapping(WarmedPrompt::name, Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(e -> "; skipped since " + e.getKey() + ": " + e.getValue())
                .sorted()
                .collect(Collectors.joining());
        return String.format(
                Locale.ROOT,
                "warm-up of replica %s (%s): %d completed, %d skipped, %,d prompt tokens, %.1f s, %s%s",
                replica,
                reason,
                completed(),
                skipped(),
                promptTokens(),
                seconds(),
                mode(),
                skipped);
    }
}
