package dev.warmroute.simulator.replica;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Writes a {@code /metrics} page in Prometheus' text format, with vLLM's prefix and labels. */
final class MetricsPage {
    private final StringBuilder text = new StringBuilder(1 << 16);
    private final String model;
    private final double created;

    /**
     * @param model served name
     * @param startSeconds Unix time in seconds at which the process started counting
     */
    MetricsPage(String model, double startSeconds) {
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
                .getProcessCpuTime() / 1e9;
        plain("process_cpu_seconds_total", "CPU time of the process.", "counter", cpu);
    }

    private void plain(String name, String help, String type, double value) {
        head(name, help, type);
        text.append(name).append(' ').append(value).append('\n');
    }

    void gauge(String name, String help, double value) {
        head("vllm:" + name, help, "gauge");
        sample("vllm:" + name, "", value);
    }

    /** @param name without the suffix {@code _total} */
    void counter(String name, String help, double value) {
        head("vllm:" + name + "_total", help, "counter");
        sample("vllm:" + name + "_total", "", value);
        head("vllm:" + name + "_created", help, "gauge");
        sample("vllm:" + name + "_created", "", created);
    }

    /** A gauge or a counter with one more label, one sample for each of its values. */
    void labelled(String name, String help, String type, String label, String[] labelValues, double... values) {
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
        String[] reasons = {"max_num_queued_reqs", "max_num_queued_tokens"};
        for (String suffix : new String[] {"_total", "_created"}) {
            boolean total = suffix.equals("_total");
            head("vllm:admission_rejections" + suffix, "Requests refused because the queue was full.",
                    total ? "counter" : "gauge");
            for (int i = 0; i < reasons.length; i++) {
                text.append("vllm:admission_rejections").append(suffix).append("{model_name=\"").append(model)
                        .append("\",reason=\"").append(reasons[i]).append("\"} ")
                        .append(total ? i == 0 ? byRequests : 0.0 : created).append('\n');
            }
        }
    }

    void histogram(String name, String help, BucketHistogram histogram) {
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
    void cacheConfig(ReplicaOptions options) {
        head("vllm:cache_config_info", "Configuration of the KV cache.", "gauge");
        String block = Integer.toString(options.blockSize());
        String blocks = Integer.toString(options.numGpuBlocks());
        String concurrency = String.format(Locale.ROOT, "%.6f", (double) options.cacheTokens() / options.maxModelLen());
        text.append("vllm:cache_config_info{_block_size_resolved=\"True\",block_size=\"").append(block)
                .append("\",cache_dtype=\"auto\",cache_hit_alignment_tokens=\"None\",effective_attention_block_size=\"")
                .append(block)
                .append("\",enable_mamba_shared_prefix_checkpoint=\"False\",enable_prefix_caching=\"True\",engine=\"0\",")
                .append("gpu_memory_utilization=\"0.92\",hash_block_size=\"None\",is_attention_free=\"False\",")
                .append("kv_cache_dtype_skip_layers=\"[]\",kv_cache_layout=\"None\",kv_cache_max_concurrency=\"")
                .append(concurrency).append("\",kv_cache_memory_bytes=\"None\",kv_cache_size_tokens=\"")
                .append(options.cacheTokens())
                .append("\",kv_offloading_backend=\"native\",kv_offloading_size=\"None\",kv_sharing_fast_prefill=\"False\",")
                .append("mamba_block_size=\"None\",mamba_cache_dtype=\"auto\",mamba_cache_mode=\"none\",")
                .append("mamba_page_size_padded=\"None\",mamba_ssm_cache_dtype=\"float32\",num_cpu_blocks=\"None\",")
                .append("num_gpu_blocks=\"").append(blocks).append("\",num_gpu_blocks_override=\"").append(blocks)
                .append("\",prefix_cache_retention_interval=\"0\",prefix_caching_hash_algo=\"sha256\",")
                .append("prefix_match_unit=\"None\",replayssm_buffer_len=\"16\",skip_page_size_padded=\"None\",")
                .append("sliding_window=\"None\",swa_bounded_replay=\"True\",use_kda_recoverssm=\"False\",")
                .append("use_replayssm=\"False\",user_specified_block_size=\"True\"} 1.0\n");
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
