package dev.warmroute.simulator.replica;

import static java.util.Map.entry;

import dev.warmroute.simulator.kv.VllmVersion;
import java.util.Map;

/**
 * Which series a version's {@code /metrics} page has: names came and went ({@code reference/vllm-engine.md} §1). What is
 * not listed was there from the first version that is simulated. A boundary marked (~) is inferred from the date of the
 * change; those at 0.32.0 are only known to be there by then.
 */
final class SeriesHistory {
    private static final VllmVersion ALWAYS = new VllmVersion(0, 0, 0);
    private static final VllmVersion NEVER = new VllmVersion(Integer.MAX_VALUE, 0, 0);

    private record Life(VllmVersion since, VllmVersion until) {}

    /** Name without prefix and suffix, or label of {@code cache_config_info} -> the versions that have it. */
    private static final Map<String, Life> LIVES = Map.ofEntries(
            // Gauges (§1a)
            entry("gpu_cache_usage_perc", until(0, 9, 2)), // #18354: hidden from then on
            entry("kv_cache_usage_perc", since(0, 9, 2)),
            entry("num_requests_waiting_by_reason", since(0, 20, 0)), // #38435
            entry("engine_sleep_state", since(0, 11, 1)), // October 2025 (~)
            entry("kv_cache_size_tokens", since(0, 24, 0)), // (~)
            entry("kv_cache_max_concurrency", since(0, 24, 0)), // (~)
            entry("prefix_match_unit", since(0, 24, 0)), // (~)
            // Counters (§1b)
            entry("gpu_prefix_cache_queries", until(0, 12, 0)), // #18354, #29330: both names in between
            entry("gpu_prefix_cache_hits", until(0, 12, 0)),
            entry("prefix_cache_queries", since(0, 9, 2)),
            entry("prefix_cache_hits", since(0, 9, 2)),
            entry("external_prefix_cache_queries", since(0, 11, 1)), // #26245
            entry("external_prefix_cache_hits", since(0, 11, 1)),
            entry("mm_cache_queries", since(0, 11, 1)), // #26285 (~)
            entry("mm_cache_hits", since(0, 11, 1)),
            entry("prompt_tokens_by_source", since(0, 16, 0)), // #33290
            entry("prompt_tokens_cached", since(0, 16, 0)), // #33290
            entry("prompt_tokens_cached_by_source", since(0, 32, 0)),
            entry("estimated_flops_per_gpu", since(0, 17, 0)), // #30950 (~)
            entry("estimated_read_bytes_per_gpu", since(0, 17, 0)),
            entry("estimated_write_bytes_per_gpu", since(0, 17, 0)),
            entry("admission_rejections", since(0, 32, 0)), // #55812
            // Histograms (§1c)
            entry("time_per_output_token_seconds", until(0, 15, 0)),
            entry("inter_token_latency_seconds", since(0, 11, 0)), // September 2025 (~)
            entry("request_time_per_output_token_seconds", since(0, 11, 0)), // September 2025 (~)
            entry("request_prefill_kv_computed_tokens", since(0, 13, 0)), // December 2025 (~)
            entry("request_num_preemptions", since(0, 32, 0)));

    private SeriesHistory() {}

    /** @param name series without {@code vllm:} and {@code _total}, or label of {@code cache_config_info} */
    static boolean exposes(VllmVersion version, String name) {
        Life life = LIVES.get(name);
        return life == null || version.compareTo(life.since) >= 0 && version.compareTo(life.until) < 0;
    }

    private static Life since(int major, int minor, int patch) {
        return new Life(new VllmVersion(major, minor, patch), NEVER);
    }

    private static Life until(int major, int minor, int patch) {
        return new Life(ALWAYS, new VllmVersion(major, minor, patch));
    }
}
