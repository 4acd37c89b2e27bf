package dev.warmroute.simulator.replica;

import dev.warmroute.simulator.kv.VllmVersion;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes a {@code /metrics} page in Prometheus' text format, with vLLM's prefix and labels. Series that the engine's
 * version does not have are left out, see {@link SeriesHistory}.
 */
final class MetricsPage {
    private final StringBuilder text = new StringBuilder(1 << 16);
    private final VllmVersion version;
    private final String model;
    private final double created;

    /**
     * @param version the engine's
     * @param model served name
     * @param startSeconds Unix time in seconds at which the process started counting
     */
    MetricsPage(VllmVersion version, String model, double startSeconds) {
        this.version = version;
        this.model = model.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        this.created = startSeconds;
    }

    /** What Prometheus' client library says about the process. */
    void process() {
        Runtime runtime = Runtime.getRuntime();
        plain("process_virtual_memory_bytes", "Heap that the virtual machine may take.", "gauge", runtime.maxMemory());
        plain("process_resident_memory_bytes", "Heap in use.", "gauge", runtime.totalMemory() - runtime.freeMemory());
        plain("process_start_time_seconds", "Unix time at which the replica started.", "gauge", created);
        double cpu = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e9;
        plain("process_cpu_seconds_total", "CPU time of the process.", "counter", cpu);
    }

    private void plain(String name, String help, String type, double value) {
        head(name, help, type);
        text.append(name).append(' ').append(value).append('\n');
    }

    void gauge(String name, String help, double value) {
        if (!SeriesHistory.exposes(version, name)) {
            return;
        }
        head("vllm:" + name, help, "gauge");
        sample("vllm:" + name, "", value);
    }

    /** @param name without the suffix {@code _total} */
    void counter(String name, String help, double value) {
        if (!SeriesHistory.exposes(version, name)) {
            return;
        }
        head("vllm:" + name + "_total", help, "counter");
        sample("vllm:" + name + "_total", "", value);
        head("vllm:" + name + "_created", help, "gauge");
        sample("vllm:" + name + "_created", "", created);
    }

    /** A gauge or a counter with one more label, one sample for each of its values. */
    void labelled(String name, String help, String type, String label, String[] labelValues, double... values) {
        if (!SeriesHistory.exposes(version, name)) {
            return;
        }
        boolean counter = type.equals("counter");
        String series = "vllm:" + name + (counter ? "_total" : "");
        head(series, help, type);
        for (int i = 0; i < values.length; i++) {
            sample(series, label + "=\"" + labelValues[i] + "\"", values[i]);
        }
        if (counter) {
            head("vllm:" + name + "_created", help, "gauge");
            for (String value : labelValues) {
                sample("vllm:" + name + "_created", label + "=\"" + value + "\"", created);
            }
        }
    }

    /** Requests refused because of a full queue; vLLM exposes them without the engine label. */
    void rejections(double byRequests) {
        if (!SeriesHistory.exposes(version, "admission_rejections")) {
            return;
        }
        String[] reasons = {"max_num_queued_reqs", "max_num_queued_tokens"};
        for (String suffix : new String[] {"_total", "_created"}) {
            boolean total = suffix.equals("_total");
            head(
                    "vllm:admission_rejections" + suffix,
                    "Requests refused because the queue was full.",
                    total ? "counter" : "gauge");
            for (int i = 0; i < reasons.length; i++) {
                text.append("vllm:admission_rejections")
                        .append(suffix)
                        .append("{model_name=\"")
                        .append(model)
                        .append("\",reason=\"")
                        .append(reasons[i])
                        .append("\"} ")
                        .append(total ? i == 0 ? byRequests : 0.0 : created)
                        .append('\n');
            }
        }
    }

    void histogram(String name, String help, BucketHistogram histogram) {
        if (!SeriesHistory.exposes(version, name)) {
            return;
        }
        String series = "vllm:" + name;
        head(series, help, "histogram");
        long cumulative = 0;
        for (int i = 0; i < histogram.buckets(); i++) {
            cumulative += histogram.count(i);
            double bound = histogram.bound(i);
            sample(series + "_bucket", "le=\"" + (Double.isInfinite(bound) ? "+Inf" : bound) + "\"", cumulative);
        }
        sample(series + "_count", "", histogram.total());
        sample(series + "_sum", "", histogram.sum());
        head(series + "_created", help, "gauge");
        sample(series + "_created", "", created);
    }

    /** The cache's configuration: the labels that vLLM shows, with this replica's values where it has them. */
    void cacheConfig(ReplicaOptions options, double gpuMemoryUtilization) {
        String block = Integer.toString(options.blockSize());
        String blocks = Integer.toString(options.numGpuBlocks());
        Map<String, Object> labels = new LinkedHashMap<>();
        labels.put("_block_size_resolved", "True");
        labels.put("block_size", block);
        labels.put("cache_dtype", "auto");
        labels.put("cache_hit_alignment_tokens", "None");
        labels.put("effective_attention_block_size", block);
        labels.put("enable_mamba_shared_prefix_checkpoint", "False");
        labels.put("enable_prefix_caching", "True");
        labels.put("engine", "0");
        labels.put("gpu_memory_utilization", gpuMemoryUtilization);
        labels.put("hash_block_size", "None");
        labels.put("is_attention_free", "False");
        labels.put("kv_cache_dtype_skip_layers", "[]");
        labels.put("kv_cache_layout", "None");
        double concurrency = (double) options.cacheTokens() / options.maxModelLen();
        labels.put("kv_cache_max_concurrency", String.format(Locale.ROOT, "%.6f", concurrency));
        labels.put("kv_cache_memory_bytes", "None");
        labels.put("kv_cache_size_tokens", options.cacheTokens());
        labels.put("kv_offloading_backend", "native");
        labels.put("kv_offloading_size", "None");
        labels.put("kv_sharing_fast_prefill", "False");
        labels.put("mamba_block_size", "None");
        labels.put("mamba_cache_dtype", "auto");
        labels.put("mamba_cache_mode", "none");
        labels.put("mamba_page_size_padded", "None");
        labels.put("mamba_ssm_cache_dtype", "float32");
        labels.put("num_cpu_blocks", "None");
        labels.put("num_gpu_blocks", blocks);
        labels.put("num_gpu_blocks_override", blocks);
        labels.put("prefix_cache_retention_interval", "0");
        labels.put("prefix_caching_hash_algo", "sha256");
        labels.put("prefix_match_unit", "None");
        labels.put("replayssm_buffer_len", "16");
        labels.put("skip_page_size_padded", "None");
        labels.put("sliding_window", "None");
        labels.put("swa_bounded_replay", "True");
        labels.put("use_kda_recoverssm", "False");
        labels.put("use_replayssm", "False");
        labels.put("user_specified_block_size", "True");
        labels.keySet().removeIf(label -> !SeriesHistory.exposes(version, label));
        head("vllm:cache_config_info", "Configuration of the KV cache.", "gauge");
        text.append("vllm:cache_config_info{")
                .append(labels.entrySet().stream()
                        .map(label -> label.getKey() + "=\"" + label.getValue() + '"')
                        .collect(Collectors.joining(",")))
                .append("} 1.0\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void head(String series, String help, String type) {
        text.append("# HELP ").append(series).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(series).append(' ').append(type).append('\n');
    }

    /** Writes one sample; labels stand in the order of the alphabet, as the client library writes them. */
    private void sample(String series, String label, double value) {
        text.append(series).append('{');
        boolean before = !label.isEmpty() && label.compareTo("model_name") < 0;
        text.append("engine=\"0\",");
        if (before) {
            text.append(label).append(',');
        }
        text.append("model_name=\"").append(model).append('"');
        if (!label.isEmpty() && !before) {
            text.append(',').append(label);
        }
        text.append("} ").append(value).append('\n');
    }
}
