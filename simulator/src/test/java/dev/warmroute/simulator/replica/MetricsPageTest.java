package dev.warmroute.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

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

class MetricsPageTest {
    @Test
    void everyVllmSeriesOfTheRecordedPageIsThereWithItsTypeAndLabels() throws IOException {
        MetricsText page = MetricsText.parse(page());
        assertThat(described(page)).isEqualTo(recorded());
    }

    @Test
    void theCacheIsDescribedByItsBlocks() {
        assertThat(page()).contains("block_size=\"32\"", "num_gpu_blocks=\"300\"", "kv_cache_size_tokens=\"9600\"",
                "kv_cache_max_concurrency=\"1.171875\"", "user_specified_block_size=\"True\"} 1.0");
    }

    @Test
    void aModelNameCannotBreakThePage() {
        MetricsPage page = new MetricsPage("a\"b\\c\nd", 0);
        page.gauge("num_requests_running", "help", 1);
        assertThat(page.toString()).endsWith("{engine=\"0\",model_name=\"a\\\"b\\\\c\\nd\"} 1.0\n");
    }

    @Test
    void histogramsAreCumulative() {
        BucketHistogram histogram = new BucketHistogram(1, 2, 5);
        histogram.observe(0.5);
        histogram.observe(2, 3);
        histogram.observe(9);
        MetricsPage page = new MetricsPage("m", 0);
        page.histogram("h", "help", histogram);
        MetricsText text = MetricsText.parse(page.toString());
        assertThat(text.samples()).containsEntry("vllm:h_bucket{engine=\"0\",le=\"1.0\",model_name=\"m\"}", 1.0)
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"2.0\",model_name=\"m\"}", 4.0)
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"5.0\",model_name=\"m\"}", 4.0)
                .containsEntry("vllm:h_bucket{engine=\"0\",le=\"+Inf\",model_name=\"m\"}", 5.0)
                .containsEntry("vllm:h_count{engine=\"0\",model_name=\"m\"}", 5.0)
                .containsEntry("vllm:h_sum{engine=\"0\",model_name=\"m\"}", 15.5);
    }

    private static String page() {
        MetricsPage page = new MetricsPage("tiny", 1.5e9);
        page.process();
        new ReplicaMetrics(8192).write(page);
        page.cacheConfig(ReplicaOptions.defaults().withCache(300, 32).withMaxModelLen(8192));
        return page.toString();
    }

    /** Series name -> type, label names, values of the further labels, as in the recorded list. */
    private static Map<String, String> described(MetricsText page) {
        Map<String, List<Map<String, String>>> series = new TreeMap<>();
        page.samples().keySet().forEach(sample -> series
                .computeIfAbsent(sample.substring(0, sample.indexOf('{')), name -> new ArrayList<>())
                .add(MetricsText.labels(sample)));
        Map<String, String> described = new TreeMap<>();
        series.forEach((name, samples) -> {
            boolean info = name.equals("vllm:cache_config_info");
            String family = page.types().containsKey(name) ? name : name.replaceAll("_(bucket|sum|count)$", "");
            String values = info ? "" : samples.stream()
                    .map(labels -> labels.entrySet().stream()
                            .filter(l -> !l.getKey().equals("engine") && !l.getKey().equals("model_name"))
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
