package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.kv.EngineDefaults;
import dev.warmroute.simulator.kv.EngineDefaults.Usage;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.VllmVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsPageTest {
    @Test
    void everyVllmSeriesOfTheRecordedPageIsThereWithItsTypeAndLabels() throws IOException {
        MetricsText page = MetricsText.parse(page());
        assertThat(described(page)).isEqualTo(recorded());
    }

    @Test
    void theCacheIsDescribedByItsBlocks() {
        assertThat(page())
                .contains(
                        "block_size=\"32\"",
                        "num_gpu_blocks=\"300\"",
                        "kv_cache_size_tokens=\"9600\"",
                        "kv_cache_max_concurrency=\"1.171875\"",
                        "user_specified_block_size=\"True\"} 1.0");
    }

    @Test
    void aModelNameCannotBreakThePage() {
        MetricsPage page = new MetricsPage(VllmVersion.REFERENCE, "a\"b\\c\nd", 0);
        page.gauge("num_requests_running", "help", 1);
        assertThat(page.toString()).endsWith("{engine=\"0\",model_name=\"a\\\"b\\\\c\\nd\"} 1.0\n");
    }

    @Test
    void histogramsAreCumulative() {
        BucketHistogram histogram = new BucketHistogram(1, 2, 5);
        histogram.observe(0.5);
        histogram.observe(2, 3);
        histogram.observe(9);
        MetricsPage page = new MetricsPage(VllmVersion.REFERENCE, "m", 0);
        page.histogram("h", "help", histogram);
        MetricsText text = MetricsText.parse(page.toString());
        assertThat(text.samples())
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"1.0\",model_name=\"m\"}", 1.0)
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"2.0\",model_name=\"m\"}", 4.0)
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"5.0\",model_name=\"m\"}", 4.0)
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"+Inf\",model_name=\"m\"}", 5.0)
                .containsEntry("vllm:h_count{engine=\"0\",model_name=\"m\"}", 5.0)
                .containsEntry("vllm:h_sum{engine=\"0\",model_name=\"m\"}", 15.5);
    }

    /** Series of a version, each with a part that only a page that has the series can hold. */
    @ParameterizedTest(name = "{0} has {1}, not {2}")
    @CsvSource({
        "0.8.5, gpu_cache_usage_perc{, kv_cache_usage_perc",
        "0.9.2, kv_cache_usage_perc{, gpu_cache_usage_perc",
        "0.8.5, gpu_prefix_cache_queries_total{, vllm:prefix_cache_queries",
        "0.10.1, gpu_prefix_cache_hits_total{, engine_sleep_state",
        "0.10.1, vllm:prefix_cache_hits_total{, inter_token_latency",
        "0.12.0, vllm:prefix_cache_queries_total{, gpu_prefix_cache",
        "0.11.0, request_time_per_output_token_seconds_sum{, external_prefix_cache",
        "0.11.1, external_prefix_cache_queries_total{, prompt_tokens_cached",
        "0.14.1, vllm:time_per_output_token_seconds_count{, prompt_tokens_by_source",
        "0.16.0, prompt_tokens_cached_total{, vllm:time_per_output_token_seconds",
        "0.16.0, prompt_tokens_by_source_total{, num_requests_waiting_by_reason",
        "0.20.0, num_requests_waiting_by_reason{, kv_cache_size_tokens",
        "0.26.0, 'kv_cache_size_tokens=\"9600\"', prompt_tokens_cached_by_source",
        "0.26.0, request_prefill_kv_computed_tokens_count{, admission_rejections",
        "0.32.0, admission_rejections_total{, gpu_cache_usage_perc",
        "0.20.0, 'gpu_memory_utilization=\"0.9\"', request_num_preemptions",
        "0.32.0, 'gpu_memory_utilization=\"0.92\"', gpu_prefix_cache",
    })
    void seriesComeAndGoWithTheVersion(String version, String there, String missing) {
        assertThat(page(VllmVersion.parse(version))).contains(there).doesNotContain(missing);
    }

    private static String page() {
        return page(VllmVersion.REFERENCE);
    }

    private static String page(VllmVersion version) {
        MetricsPage page = new MetricsPage(version, "tiny", 1.5e9);
        page.process();
        new ReplicaMetrics(8192).write(page);
        page.cacheConfig(
                ReplicaOptions.defaults().withCache(300, 32).withMaxModelLen(8192),
                EngineDefaults.of(Gpus.named("H100"), version, Usage.SERVER).gpuMemoryUtilization());
        return page.toString();
    }

    /** Series name -> type, label names, values of the further labels, as in the recorded list. */
    private static Map<String, String> described(MetricsText page) {
        Map<String, List<Map<String, String>>> series = new TreeMap<>();
        page.samples()
                .keySet()
                .forEach(sample -> series.computeIfAbsent(
                                sample.substring(0, sample.indexOf('{')), name -> new ArrayList<>())
                        .add(MetricsText.labels(sample)));
        Map<String, String> described = new TreeMap<>();
        series.forEach((name, samples) -> {
            boolean info = name.equals("vllm:cache_config_info");
            String family = page.types().containsKey(name) ? name : name.replaceAll("_(bucket|sum|count)$", "");
            String values = info
                    ? ""
                    : samples.stream()
                            .map(labels -> labels.entrySet().stream()
                                    .filter(l -> !l.getKey().equals("engine")
                                            && !l.getKey().equals("model_name"))
                                    .map(Map.Entry::getValue)
                                    .collect(Collectors.joining(",")))
                            .collect(Collectors.joining(" "));
            String names = String.join(",", new TreeSet<>(samples.getFirst().keySet()));
            described.put(name, (page.types().get(family) + '\t' + names + '\t' + values).strip());
        });
        return described;
    }

    private static Map<String, String> recorded() throws IOException {
        Map<String, String> recorded = new TreeMap<>();
        try (InputStream in = MetricsPageTest.class.getResourceAsStream("metrics-series.tsv")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                String name = line.split("\t")[0];
                // The number of open files is not shown: nobody reads it, and not every system tells.
                if (!line.startsWith("#") && !name.endsWith("_fds")) {
                    recorded.put(name, line.substring(name.length()).strip());
                }
            }
        }
        return recorded;
    }
}
