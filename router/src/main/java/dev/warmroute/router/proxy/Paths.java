package dev.warmroute.router.proxy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** What the paths of vLLM's API mean for routing. */
final class Paths {
    static final String RESPONSES = "/v1/responses";

    private static final Set<String> PROMPT =
            Set.of("/v1/chat/completions", "/v1/completions", RESPONSES, "/v1/messages");

    /** Paths whose body may leave the model out; the engine then takes its own. */
    private static final List<String> INFERENCE = List.of(
            "/v1/chat/completions",
            "/v1/completions",
            RESPONSES,
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
            List.of("/v1/chat/completions", "/v1/completions", RESPONSES, "/v1/messages", "/inference/");

    private static final List<String> NO_TURNS = List.of("/count_tokens", "render");

    /** What steers an engine rather than using it: an operator's business, at the replica itself. */
    private static final Set<String> CONTROL = Set.of(
            "/reset_prefix_cache",
            "/reset_mm_cache",
            "/reset_encoder_cache",
            "/release_kv_cache_memory",
            "/sleep",
            "/wake_up",
            "/is_sleeping",
            "/pause",
            "/resume",
            "/is_paused",
            "/abort_requests",
            "/collective_rpc",
            "/server_info",
            "/start_profile",
            "/stop_profile",
            "/v1/load_lora_adapter",
            "/v1/unload_lora_adapter",
            "/scale_elastic_ep",
            "/is_scaling_elastic_ep",
            "/fault_tolerance/apply",
            "/fault_tolerance/status",
            "/init_weight_transfer_engine",
            "/shutdown_weight_transfer_engine",
            "/start_weight_update",
            "/start_draft_weight_update",
            "/finish_weight_update",
            "/update_weights",
            "/update_weight_version",
            "/weight_checker",
            "/weight_info",
            "/get_world_size",
            "/kv_event_sources");

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

    /** Whether a request there would steer an engine: empty its cache, put it to sleep, change what it serves. */
    static boolean isControl(String path) {
        String plain = decoded(path);
        return CONTROL.contains(plain.endsWith("/") ? plain.substring(0, plain.length() - 1) : plain);
    }

    /** As the engine's server reads it; a broken escape leaves all of it as it is. */
    static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        try {
            return URLDecoder.decode(path, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }
}
