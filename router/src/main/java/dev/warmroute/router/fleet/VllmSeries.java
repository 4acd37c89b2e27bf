package dev.warmroute.router.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The series of vLLM that are read, under every name that they had from 0.8 on. A series is known by its present name
 * without {@code vllm:} and {@code _total}; one that is split by a label has a key for each value, {@code NAME{VALUE}}.
 */
final class VllmSeries {
    static final String RUNNING = "num_requests_running";
    static final String WAITING = "num_requests_waiting";
    static final String KV_USAGE = "kv_cache_usage_perc";

    /** Name on the page of the labels that describe the cache; its value is always 1. */
    static final String CACHE_CONFIG = "vllm:cache_config_info";

    /** Name on the page of the start of the process, seconds since the epoch. */
    static final String PROCESS_START = "process_start_time_seconds";

    private static final String PREFIX = "vllm:";
    private static final String SUFFIX = "_total";

    /** How the values of several models of one engine are put together. */
    enum Kind {
        COUNTER,
        GAUGE_SUM,
        GAUGE_MEAN
    }

    /**
     * A series found on a page.
     *
     * @param labels names of the label that splits it, any of which may be the one in use; empty when it is not split
     * @param rank 0 for the name preferred; where several names of one series are on a page the lowest rank counts alone
     */
    record Match(String name, Kind kind, List<String> labels, int rank) {
        /** What tells this sample's series from all others. */
        String key(Sample sample) {
            for (String label : labels) {
                String value = sample.label(label);
                if (!value.isEmpty()) {
                    return name + '{' + value + '}';
                }
            }
            return name;
        }
    }

    /** Counters without which the figures of warmroute have a hole; their absence is recorded. */
    static final List<String> EXPECTED = List.of(
            "generation_tokens",
            "num_preemptions",
            "prefix_cache_hits",
            "prefix_cache_queries",
            "prompt_tokens",
            "prompt_tokens_cached",
            "request_success");

    private static final Map<String, Match> BY_NAME = new HashMap<>();

    static {
        counter("prompt_tokens");
        counter("prompt_tokens_cached");
        counter("prompt_tokens_recomputed");
        split("prompt_tokens_by_source", "source");
        split("prompt_tokens_cached_by_source", "source");
        counter("generation_tokens");
        counter("prefix_cache_queries", "gpu_prefix_cache_queries");
        counter("prefix_cache_hits", "gpu_prefix_cache_hits");
        counter("external_prefix_cache_queries");
        counter("external_prefix_cache_hits");
        counter("mm_cache_queries");
        counter("mm_cache_hits");
        counter("num_preemptions");
        split("request_success", "finished_reason", "finish_reason");
        counter("corrupted_requests");
        split("admission_rejections", "reason");
        counter("spec_decode_num_drafts");
        counter("spec_decode_num_draft_tokens");
        counter("spec_decode_num_accepted_tokens");
        split("kv_offload_total_bytes", "transfer_type");
        split("kv_offload_total_time", "transfer_type");
        histogram("iteration_tokens_total");
        histogram("time_to_first_token_seconds");
        histogram("inter_token_latency_seconds", "time_per_output_token_seconds");
        histogram("e2e_request_latency_seconds");
        histogram("request_queue_time_seconds");
        histogram("request_prefill_time_seconds");
        histogram("request_decode_time_seconds");
        histogram("request_inference_time_seconds");
        gauge(RUNNING, Kind.GAUGE_SUM);
        gauge(WAITING, Kind.GAUGE_SUM);
        gauge("num_requests_waiting_by_reason", Kind.GAUGE_SUM, "reason");
        gauge(KV_USAGE, Kind.GAUGE_MEAN);
        add("gpu_cache_usage_perc", new Match(KV_USAGE, Kind.GAUGE_MEAN, List.of(), 1));
        gauge("engine_sleep_state", Kind.GAUGE_MEAN, "sleep_state");
    }

    private VllmSeries() {}

    /** What a name on the page stands for; empty when it is not read. */
    static Optional<Match> named(String pageName) {
        return Optional.ofNullable(BY_NAME.get(pageName));
    }

    /** Whether a sample of this name is of use here. */
    static boolean wanted(String pageName) {
        return BY_NAME.containsKey(pageName) || pageName.equals(CACHE_CONFIG) || pageName.equals(PROCESS_START);
    }

    /** Those of {@link #EXPECTED} that are not among these keys. */
    static List<String> absent(Map<String, Double> counters) {
        List<String> absent = new ArrayList<>();
        for (String name : EXPECTED) {
            if (!counters.containsKey(name)
                    && counters.keySet().stream().noneMatch(key -> key.startsWith(name + '{'))) {
                absent.add(name);
            }
        }
        return absent;
    }

    /** A counter is exposed with {@code _total}, and by some stand-ins and old versions without. */
    private static void counter(String name, String... oldNames) {
        counter(name, List.of(), oldNames);
    }

    private static void split(String name, String... labels) {
        counter(name, List.of(labels));
    }

    private static void counter(String name, List<String> labels, String... oldNames) {
        int rank = 0;
        add(name + SUFFIX, new Match(name, Kind.COUNTER, labels, rank++));
        add(name, new Match(name, Kind.COUNTER, labels, rank++));
        for (String old : oldNames) {
            add(old + SUFFIX, new Match(name, Kind.COUNTER, labels, rank++));
            add(old, new Match(name, Kind.COUNTER, labels, rank++));
        }
    }

    /** Sum and count of a histogram grow like counters. */
    private static void histogram(String name, String... oldNames) {
        for (String part : List.of("_sum", "_count")) {
            int rank = 0;
            add(name + part, new Match(name + part, Kind.COUNTER, List.of(), rank++));
            for (String old : oldNames) {
                add(old + part, new Match(name + part, Kind.COUNTER, List.of(), rank++));
            }
        }
    }

    private static void gauge(String name, Kind kind, String... labels) {
        add(name, new Match(name, kind, List.of(labels), 0));
    }

    private static void add(String name, Match match) {
        BY_NAME.put(PREFIX + name, match);
    }
}
