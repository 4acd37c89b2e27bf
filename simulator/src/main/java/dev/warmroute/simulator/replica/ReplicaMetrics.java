package dev.warmroute.simulator.replica;

import dev.warmroute.simulator.engine.Engine;

/**
 * What {@code /metrics} shows. The engine's thread writes, any thread reads; every method takes the same lock, so that a page
 * is one moment.
 *
 * <p>Counters move when vLLM's do: cache queries and hits at admission (as the engine's version counts them), prompt tokens
 * with the first output token, generated tokens with each step's outputs, preemptions when the request yields output again,
 * {@code request_success} and the per-request histograms at the end. A request whose client left is in none of those last.
 * Times are seconds of the wall clock, not of the model.
 */
final class ReplicaMetrics {
    private static final double[] TTFT_BOUNDS = {
        .001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560
    };
    private static final double[] TOKEN_BOUNDS = {
        .01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
    };
    private static final double[] REQUEST_BOUNDS = {
        .3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680
    };
    private static final double NANOS = 1e-9;

    private int running;
    private int waiting;
    private double kvUsage;
    private long queries;
    private long hits;
    private long cachedFromDevice;
    private long promptTokens;
    private long promptTokensCached;
    private long generationTokens;
    private long preemptions;
    private long finishedByStop;
    private long finishedByLength;
    private long failed;
    private long rejected;

    private final BucketHistogram requestPromptTokens;
    private final BucketHistogram requestGenerationTokens;
    private final BucketHistogram requestMaxTokens;
    private final BucketHistogram requestMaxTokensParam;
    private final BucketHistogram requestPrefillComputed;
    private final BucketHistogram requestN = new BucketHistogram(1, 2, 5, 10, 20);
    private final BucketHistogram requestPreemptions = new BucketHistogram(1, 2, 3, 4, 5, 10, 20);
    private final BucketHistogram iterationTokens =
            new BucketHistogram(1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384);
    private final BucketHistogram ttft = new BucketHistogram(TTFT_BOUNDS);
    private final BucketHistogram interToken = new BucketHistogram(TOKEN_BOUNDS);
    private final BucketHistogram perToken = new BucketHistogram(TOKEN_BOUNDS);
    private final BucketHistogram e2e = new BucketHistogram(REQUEST_BOUNDS);
    private final BucketHistogram queue = new BucketHistogram(REQUEST_BOUNDS);
    private final BucketHistogram inference = new BucketHistogram(REQUEST_BOUNDS);
    private final BucketHistogram prefill = new BucketHistogram(REQUEST_BOUNDS);
    private final BucketHistogram decode = new BucketHistogram(REQUEST_BOUNDS);

    ReplicaMetrics(int maxModelLen) {
        requestPromptTokens = BucketHistogram.oneTwoFive(maxModelLen);
        requestGenerationTokens = BucketHistogram.oneTwoFive(maxModelLen);
        requestMaxTokens = BucketHistogram.oneTwoFive(maxModelLen);
        requestMaxTokensParam = BucketHistogram.oneTwoFive(maxModelLen);
        requestPrefillComputed = BucketHistogram.oneTwoFive(maxModelLen);
    }

    /** Takes over the engine's gauges and cache counters. */
    synchronized void engineState(Engine engine) {
        running = engine.running();
        waiting = engine.waiting();
        kvUsage = engine.usage();
        queries = engine.counters().queries();
        hits = engine.counters().hits();
    }

    synchronized void admitted(int cachedTokens) {
        cachedFromDevice += cachedTokens;
    }

    /** A request's first output token is out. */
    synchronized void firstToken(Generation g) {
        promptTokens += g.request().promptTokens();
        promptTokensCached += g.cachedTokens();
        ttft.observe((g.firstTokenNanos() - g.arrivedNanos()) * NANOS);
    }

    /** Output tokens of a request are out, {@code sinceLastNanos} after the ones before; the first has none before it. */
    synchronized void tokens(int count, boolean first, long sinceLastNanos) {
        generationTokens += count;
        if (!first) {
            interToken.observe(sinceLastNanos * NANOS, count);
        }
    }

    synchronized void preempted(int times) {
        preemptions += times;
    }

    /** An engine step is done: prompt tokens computed by prefills that ended in it, and output tokens. */
    synchronized void iteration(int tokens) {
        iterationTokens.observe(tokens);
    }

    synchronized void finished(Generation g, int timesPreempted) {
        GenerationRequest request = g.request();
        if (request.finishReason().equals("stop")) {
            finishedByStop++;
        } else {
            finishedByLength++;
        }
        int output = request.answerTokens();
        requestPromptTokens.observe(request.promptTokens());
        requestGenerationTokens.observe(output);
        requestMaxTokens.observe(request.maxTokens());
        requestMaxTokensParam.observe(request.maxTokens());
        requestPrefillComputed.observe(request.promptTokens() - g.cachedTokens());
        requestN.observe(1);
        requestPreemptions.observe(timesPreempted);
        long decodeNanos = g.lastTokenNanos() - g.firstTokenNanos();
        e2e.observe((g.lastTokenNanos() - g.arrivedNanos()) * NANOS);
        queue.observe((g.scheduledNanos() - g.arrivedNanos()) * NANOS);
        inference.observe((g.lastTokenNanos() - g.scheduledNanos()) * NANOS);
        prefill.observe((g.firstTokenNanos() - g.scheduledNanos()) * NANOS);
        decode.observe(decodeNanos * NANOS);
        if (output > 1) {
            perToken.observe(decodeNanos * NANOS / (output - 1));
        }
    }

    synchronized void failed() {
        failed++;
    }

    synchronized void rejected() {
        rejected++;
    }

    /** Writes all series with vLLM's names, types and labels; the page keeps those of its version. */
    synchronized void write(MetricsPage page) {
        page.counter("estimated_flops_per_gpu", "Not modelled.", 0);
        page.counter("estimated_read_bytes_per_gpu", "Not modelled.", 0);
        page.counter("estimated_write_bytes_per_gpu", "Not modelled.", 0);
        page.gauge("num_requests_running", "Requests in the running batch.", running);
        page.gauge("num_requests_waiting", "Requests waiting to run.", waiting);
        page.labelled(
                "num_requests_waiting_by_reason",
                "Requests waiting to run, by reason.",
                "gauge",
                "reason",
                new String[] {"capacity", "deferred"},
                waiting,
                0);
        page.labelled(
                "engine_sleep_state",
                "1 for the state the engine is in.",
                "gauge",
                "sleep_state",
                new String[] {"awake", "weights_offloaded", "discard_all"},
                1,
                0,
                0);
        page.gauge("gpu_cache_usage_perc", "Share of the KV cache blocks that requests hold; 1 is all.", kvUsage);
        page.gauge("kv_cache_usage_perc", "Share of the KV cache blocks that requests hold; 1 is all.", kvUsage);
        for (String prefix : new String[] {"gpu_", ""}) {
            page.counter(
                    prefix + "prefix_cache_queries", "Looked up in the prefix cache, in the version's unit.", queries);
            page.counter(prefix + "prefix_cache_hits", "Found in the prefix cache, in the version's unit.", hits);
        }
        page.counter("external_prefix_cache_queries", "Not modelled.", 0);
        page.counter("external_prefix_cache_hits", "Not modelled.", 0);
        page.counter("mm_cache_queries", "Not modelled.", 0);
        page.counter("mm_cache_hits", "Not modelled.", 0);
        page.counter("num_preemptions", "Preemptions of running requests.", preemptions);
        page.counter("prompt_tokens", "Prompt tokens of requests with output, cached ones included.", promptTokens);
        page.labelled(
                "prompt_tokens_by_source",
                "Prompt tokens by where their KV came from.",
                "counter",
                "source",
                new String[] {"local_compute", "local_cache_hit", "external_kv_transfer"},
                promptTokens - promptTokensCached,
                promptTokensCached,
                0);
        page.counter("prompt_tokens_cached", "Prompt tokens found in a cache.", promptTokensCached);
        page.labelled(
                "prompt_tokens_cached_by_source",
                "Cached prompt tokens by tier, counted at admission.",
                "counter",
                "source",
                new String[] {"device", "host", "p2p", "disk", "external_unspecified"},
                cachedFromDevice,
                0,
                0,
                0,
                0);
        page.counter("generation_tokens", "Output tokens.", generationTokens);
        page.labelled(
                "request_success",
                "Requests that ended, by reason.",
                "counter",
                "finished_reason",
                new String[] {"stop", "length", "abort", "error", "repetition"},
                finishedByStop,
                finishedByLength,
                0,
                failed,
                0);
        page.rejections(rejected);
        writeHistograms(page);
    }

    private void writeHistograms(MetricsPage page) {
        page.histogram("request_prompt_tokens", "Prompt tokens of a request.", requestPromptTokens);
        page.histogram("request_generation_tokens", "Output tokens of a request.", requestGenerationTokens);
        page.histogram("iteration_tokens_total", "Tokens of an engine step.", iterationTokens);
        page.histogram("request_max_num_generation_tokens", "Most output tokens asked for.", requestMaxTokens);
        page.histogram("request_params_n", "Answers asked for.", requestN);
        page.histogram("request_params_max_tokens", "max_tokens of a request.", requestMaxTokensParam);
        page.histogram("time_to_first_token_seconds", "Arrival to first token.", ttft);
        page.histogram("time_per_output_token_seconds", "Time between output tokens.", interToken);
        page.histogram("inter_token_latency_seconds", "Time between output tokens.", interToken);
        page.histogram("request_time_per_output_token_seconds", "Mean time per output token of a request.", perToken);
        page.histogram("e2e_request_latency_seconds", "Arrival to last token.", e2e);
        page.histogram("request_queue_time_seconds", "Arrival to first scheduling.", queue);
        page.histogram("request_inference_time_seconds", "First scheduling to last token.", inference);
        page.histogram("request_prefill_time_seconds", "First scheduling to first token.", prefill);
        page.histogram("request_decode_time_seconds", "First to last token.", decode);
        page.histogram("request_num_preemptions", "Preemptions of a request.", requestPreemptions);
        page.histogram(
                "request_prefill_kv_computed_tokens",
                "Prompt tokens computed, cached ones excluded.",
                requestPrefillComputed);
    }
}
