package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.UserError;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A benchmark of time to first token and speed, as {@code bench-serve} of vllm-mlx: at each concurrency waves of so many
 * requests, sent at the same moment; the next wave when all of one are answered.
 *
 * @param endpoint where the API is, without {@code /v1}
 * @param model name of the model; empty for the only one that is served
 * @param tag goes into every row
 * @param prompts asked in turn
 * @param systemPrompt in front of every prompt; empty for none
 * @param cold whether each wave's system prompt begins differently, so that no server can have it in its cache
 * @param asIs whether prompts are sent as they are; else each begins differently, so that only the system prompt can be cached
 * @param concurrency requests of a wave, in the order in which they are tried
 * @param repeats waves at each concurrency
 * @param warmUp requests without the system prompt beforehand, which are not counted
 * @param maxTokens most output tokens of an answer
 * @param thinking {@code enable_thinking} of the chat template; empty leaves it to the template
 * @param extraBody further fields of each request
 * @param preflight whether the prompts' tokens are counted first, by {@code /tokenize}, which fills no cache
 * @param metrics pages of vLLM's metrics; empty tries the endpoint's own
 * @param sessionHeader header with a session id of its own for each request
 * @param apiKey sent as a bearer token; empty for none
 * @param timeoutSeconds longest time that an answer may take
 */
public record BenchOptions(
        String endpoint,
        String model,
        String tag,
        BenchPrompts prompts,
        String systemPrompt,
        boolean cold,
        boolean asIs,
        List<Integer> concurrency,
        int repeats,
        int warmUp,
        int maxTokens,
        Optional<Boolean> thinking,
        ObjectNode extraBody,
        boolean preflight,
        List<String> metrics,
        String sessionHeader,
        String apiKey,
        int timeoutSeconds) {

    private static final int MOST_CONCURRENT = 4096;

    /** @throws UserError that names the option, its value and what was expected */
    public BenchOptions {
        Objects.requireNonNull(extraBody, "extraBody");
        Objects.requireNonNull(apiKey, "apiKey");
        Objects.requireNonNull(thinking, "thinking");
        concurrency = List.copyOf(concurrency);
        metrics = List.copyOf(metrics);
        LoadOption.requireEndpoint(endpoint);
        metrics.forEach(LoadOption::requireEndpoint);
        LoadOption.require(!concurrency.isEmpty(), "--concurrency", "''", "one number or more, as in 1,4,8");
        concurrency.forEach(c -> LoadOption.require(
                c >= 1 && c <= MOST_CONCURRENT, "--concurrency", c, "1 to " + MOST_CONCURRENT + " requests"));
        LoadOption.require(
                new HashSet<>(concurrency).size() == concurrency.size(),
                "--concurrency",
                concurrency,
                "each number once");
        LoadOption.require(repeats >= 1, "--repeats", repeats, "at least 1");
        LoadOption.require(warmUp >= 0, "--warm-up", warmUp, "0 or more requests");
        LoadOption.require(maxTokens >= 1, "--max-tokens", maxTokens, "at least 1 token");
        LoadOption.require(
                sessionHeader.matches("[A-Za-z0-9-]+"), "--session-header", sessionHeader, "the name of a header");
        LoadOption.require(timeoutSeconds >= 1, "--timeout", timeoutSeconds, "at least 1 second");
        if (cold && systemPrompt.isEmpty()) {
            throw new UserError(
                    "--cold changes the beginning of the system prompt: give one with --system-prompt-file");
        }
        if (!systemPrompt.isEmpty() && prompts.prompts().stream().anyMatch(BenchPrompt::hasSystem)) {
            throw new UserError("prompts of " + prompts.name()
                    + " have a system prompt of their own: leave out --system-prompt-file, or the message");
        }
    }

    /** Three waves at each of 1, 4 and 8, 128 tokens an answer. */
    public static BenchOptions of(String endpoint, BenchPrompts prompts) {
        return new BenchOptions(
                endpoint,
                "",
                "bench",
                prompts,
                "",
                false,
                false,
                List.of(1, 4, 8),
                3,
                1,
                128,
                Optional.empty(),
                JsonNodeFactory.instance.objectNode(),
                true,
                List.of(),
                "x-session-id",
                "",
                600);
    }
}
