package dev.warmroute.router.proxy;

import java.util.List;
import java.util.Set;

/** What the paths of vLLM's API mean for routing. */
final class Paths {
    private static final Set<String> PROMPT =
            Set.of("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages");

    /** Paths whose body may leave the model out; the engine then takes its own. */
    private static final List<String> INFERENCE = List.of(
            "/v1/chat/completions",
            "/v1/completions",
            "/v1/responses",
            "/v1/messages",
            "/v1/embeddings",
            "/v1/audio/",
            "/v1/score",
            "/v1/rerank",
            "/v2/rerank",
            "/score",
            "/rerank",
            "/pooling",
            "/classify",
            "/tokenize",
            "/detokenize",
            "/inference/");

    /** Whether a request is a turn of a conversation is seen by how its path begins, and by what it must not end with. */
    private static final List<String> TURNS =
            List.of("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages", "/inference/");

    private static final List<String> NO_TURNS = List.of("/count_tokens", "/render", "/cancel");

    private Paths() {}

    /** Whether the body holds a prompt that enters the engine's prefix cache. */
    static boolean hasPrompt(String path) {
        return PROMPT.contains(path);
    }

    /** Whether a request there runs a model even when it names none. */
    static boolean isInference(String path) {
        return INFERENCE.stream().anyMatch(path::startsWith);
    }

    /** Whether a request there may be of a conversation without being one of its turns: counting tokens, embedding, scoring. */
    static boolean isSideCall(String path) {
        return TURNS.stream().noneMatch(path::startsWith) || NO_TURNS.stream().anyMatch(path::endsWith);
    }
}
