package dev.warmroute.router.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warmroute.router.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EngineSnapshotTest {
    @Test
    void aRecordedPageOfVllm032IsReadWhole() throws IOException {
        EngineSnapshot engine = only(recorded());

        assertThat(engine.counters())
                .containsEntry("prompt_tokens", 3_802_635.0)
                .containsEntry("prompt_tokens_cached", 1_891_360.0)
                .containsEntry("prompt_tokens_by_source{local_compute}", 1_911_275.0)
                .containsEntry("prompt_tokens_cached_by_source{device}", 1_891_360.0)
                .containsEntry("prefix_cache_hits", 1_891_360.0)
                .containsEntry("num_preemptions", 12.0)
                .containsEntry("request_success{length}", 1208.0)
                .containsEntry("admission_rejections{max_num_queued_reqs}", 0.0)
                .containsEntry("iteration_tokens_total_count", 23_626.0)
                .containsEntry("iteration_tokens_total_sum", 1_959_171.0)
                .containsEntry("time_to_first_token_seconds_count", 1210.0)
                .containsEntry("inter_token_latency_seconds_sum", 1262.912750356005)
                .doesNotContainKey("prompt_tokens_recomputed");
        assertThat(engine.gauges())
                .containsEntry("num_requests_running", 2.0)
                .containsEntry("num_requests_waiting_by_reason{capacity}", 0.0)
                .containsEntry("kv_cache_usage_perc", 0.6989966555183946)
                .containsEntry("engine_sleep_state{awake}", 1.0);
        assertThat(engine.blockSize()).hasValue(32);
        assertThat(engine.numGpuBlocks()).hasValue(300);
        assertThat(engine.cacheConfig()).containsEntry("kv_cache_size_tokens", "9600");
        assertThat(engine.processStart()).isEqualTo(OptionalDouble.of(1.79598400709e+09));
        assertThat(VllmSeries.absent(engine.counters())).isEmpty();
        assertThat(Signals.of(List.of(engine))).isEqualTo(new Signals(2, 0, 0.6989966555183946, 0));
    }

    @Test
    void theRecordedCountersAgreeWithEachOther() throws IOException {
        Map<String, Double> c = only(recorded()).counters();
        double bySource = c.entrySet().stream()
                .filter(e -> e.getKey().startsWith("prompt_tokens_by_source{"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        assertThat(bySource).isEqualTo(c.get("prompt_tokens"));
    }

    @Test
    void aPageOfAnotherImplementationIsReadWithWhatItHas() throws IOException {
        EngineSnapshot engine = only(Files.readString(SharedData.file("vllm-metrics/llm-d-inference-sim.txt")));
        assertThat(engine.engine()).isZero();
        assertThat(engine.counters())
                .containsEntry("prefix_cache_queries", 102_884.0)
                .containsEntry("request_success{stop}", 15.0);
        assertThat(VllmSeries.absent(engine.counters())).containsExactly("num_preemptions", "prompt_tokens_cached");
        assertThat(engine.blockSize()).hasValue(16);
    }

    @Test
    void oldNamesAreReadUnderTheNewOnes() {
        EngineSnapshot engine = only("""
                vllm:gpu_prefix_cache_queries_total{model_name="m"} 100
                vllm:gpu_prefix_cache_hits_total{model_name="m"} 40
                vllm:gpu_cache_usage_perc{model_name="m"} 0.25
                vllm:time_per_output_token_seconds_sum{model_name="m"} 1.5
                """);
        assertThat(engine.counters())
                .isEqualTo(Map.of(
                        "prefix_cache_queries",
                        100.0,
                        "prefix_cache_hits",
                        40.0,
                        "inter_token_latency_seconds_sum",
                        1.5));
        assertThat(engine.gauges()).isEqualTo(Map.of("kv_cache_usage_perc", 0.25));
    }

    @Test
    void oldAndNewNamesOnOnePageAreNeverAdded() {
        EngineSnapshot engine = only("""
                vllm:gpu_prefix_cache_queries_total{engine="0",model_name="m"} 100
                vllm:prefix_cache_queries_total{engine="0",model_name="m"} 101
                vllm:prefix_cache_queries{engine="0",model_name="m"} 102
                vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.5
                vllm:gpu_cache_usage_perc{engine="0",model_name="m"} 0.25
                """);
        assertThat(engine.counters()).isEqualTo(Map.of("prefix_cache_queries", 101.0));
        assertThat(engine.gauges()).isEqualTo(Map.of("kv_cache_usage_perc", 0.5));
    }

    @Test
    void namesWithoutTotalAreReadToo() {
        assertThat(only("vllm:prompt_tokens{model_name=\"m\"} 7\n").counters()).isEqualTo(Map.of("prompt_tokens", 7.0));
    }

    @Test
    void severalEnginesAndModelsShareAPage() {
        List<EngineSnapshot> engines = EngineSnapshot.of("""
                vllm:num_requests_running{engine="1",model_name="a"} 1
                vllm:num_requests_running{engine="0",model_name="a"} 2
                vllm:num_requests_running{engine="0",model_name="b"} 3
                vllm:num_requests_waiting{engine="0",model_name="a"} 4
                vllm:num_requests_waiting{engine="1",model_name="a"} 5
                vllm:kv_cache_usage_perc{engine="0",model_name="a"} 0.2
                vllm:kv_cache_usage_perc{engine="0",model_name="b"} 0.4
                vllm:kv_cache_usage_perc{engine="1",model_name="a"} 0.7
                vllm:prompt_tokens_total{engine="0",model_name="a"} 10
                vllm:prompt_tokens_total{engine="0",model_name="b"} 20
                vllm:admission_rejections_total{model_name="a",reason="max_num_queued_reqs"} 3
                process_start_time_seconds 5
                """);
        assertThat(engines).extracting(EngineSnapshot::engine).containsExactly(0, 1);
        assertThat(engines.get(0).counters())
                .isEqualTo(Map.of("prompt_tokens", 30.0, "admission_rejections{max_num_queued_reqs}", 3.0));
        assertThat(engines.get(0).gauges()).containsEntry("num_requests_running", 5.0);
        assertThat(engines.get(0).gauges().get("kv_cache_usage_perc")).isEqualTo((0.2 + 0.4) / 2);
        assertThat(engines.get(1).counters()).isEmpty();
        assertThat(engines).extracting(EngineSnapshot::processStart).containsOnly(OptionalDouble.of(5));
        Signals signals = Signals.of(engines);
        assertThat(signals.running()).isEqualTo(6);
        assertThat(signals.waiting()).isEqualTo(9);
        assertThat(signals.kvUsage()).isEqualTo(((0.2 + 0.4) / 2 + 0.7) / 2);
    }

    @Test
    void aSeriesWithoutAnEngineLabelGoesToTheFirstEngineThere() {
        List<EngineSnapshot> engines = EngineSnapshot.of("""
                vllm:admission_rejections_total{reason="r"} 3
                vllm:prompt_tokens_total{engine="2"} 10
                vllm:prompt_tokens_total{engine="3"} 20
                """);
        assertThat(engines).extracting(EngineSnapshot::engine).containsExactly(2, 3);
        assertThat(engines.get(0).counters()).containsEntry("admission_rejections{r}", 3.0);
    }

    @Test
    void whatHasNoNumberIsAbsentAndNotZero() {
        EngineSnapshot engine = only("""
                vllm:prompt_tokens_total{engine="0"} NaN
                vllm:generation_tokens_total{engine="0"} 4
                vllm:kv_cache_usage_perc{engine="0"} +Inf
                vllm:cache_config_info{block_size="None",num_gpu_blocks="0",engine="0"} 1
                """);
        assertThat(engine.counters()).isEqualTo(Map.of("generation_tokens", 4.0));
        assertThat(engine.gauges()).isEmpty();
        assertThat(engine.blockSize()).isEqualTo(OptionalInt.empty());
        assertThat(engine.numGpuBlocks()).isEqualTo(OptionalInt.empty());
        assertThat(Signals.of(List.of(engine))).isEqualTo(Signals.NONE);
    }

    @Test
    void aPageWithoutVllmHasNoEngines() {
        assertThat(EngineSnapshot.of("process_start_time_seconds 5\nup 1\n")).isEmpty();
        assertThat(Signals.of(List.of())).isEqualTo(Signals.NONE);
    }

    @Test
    void anEngineThatIsNotANumberIsRefused() {
        assertThatThrownBy(() -> EngineSnapshot.of("vllm:prompt_tokens_total{engine=\"x\"} 1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("vllm:prompt_tokens_total")
                .hasMessageContaining("'x'");
    }

    private static EngineSnapshot only(String page) {
        List<EngineSnapshot> engines = EngineSnapshot.of(page);
        assertThat(engines).hasSize(1);
        return engines.getFirst();
    }

    private static String recorded() throws IOException {
        try (InputStream in = EngineSnapshotTest.class.getResourceAsStream("vllm-0.32.0-busy.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
