package dev.warmroute.router.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a page of metrics said about one engine at one moment. A series that is not on the page, or has no number (NaN,
 * infinite), is absent here.
 *
 * @param engine index of the engine (data-parallel rank); 0 when the page does not say
 * @param counters absolute values by name without {@code vllm:} and {@code _total}; values of several models are added
 * @param gauges likewise; requests are added over models, usage is averaged
 * @param cacheConfig labels of {@code cache_config_info}, as text
 * @param processStart start of the process behind the page, seconds since the epoch
 */
public record EngineSnapshot(
        int engine,
        Map<String, Double> counters,
        Map<String, Double> gauges,
        Map<String, String> cacheConfig,
        OptionalDouble processStart) {
    private static final int UNLABELLED = -1;

    public EngineSnapshot {
        counters = Map.copyOf(counters);
        gauges = Map.copyOf(gauges);
        cacheConfig = Map.copyOf(cacheConfig);
    }

    /**
     * Takes a page apart into its engines, the lowest index first; none when vLLM has put nothing on it yet.
     *
     * @throws IllegalArgumentException if this is not a page of metrics, or an engine's label is not a number
     */
    public static List<EngineSnapshot> of(String page) {
        TreeMap<Integer, Draft> drafts = new TreeMap<>();
        OptionalDouble processStart = OptionalDouble.empty();
        for (Sample sample : MetricsPage.read(page, VllmSeries::wanted)) {
            if (sample.name().equals(VllmSeries.PROCESS_START)) {
                processStart = OptionalDouble.of(sample.value());
            } else {
                drafts.computeIfAbsent(engine(sample), Draft::new).add(sample);
            }
        }
        Draft unlabelled = drafts.remove(UNLABELLED);
        if (unlabelled != null) {
            // Some series have no engine label even where the others do; they go to the first engine.
            int first = drafts.isEmpty() ? 0 : drafts.firstKey();
            drafts.computeIfAbsent(first, Draft::new).merge(unlabelled);
        }
        List<EngineSnapshot> snapshots = new ArrayList<>(drafts.size());
        for (Draft draft : drafts.values()) {
            snapshots.add(draft.finish(processStart));
        }
        return snapshots;
    }

    private static int engine(Sample sample) {
        String label = sample.label("engine");
        if (label.isEmpty()) {
            return UNLABELLED;
        }
        try {
            int engine = Integer.parseInt(label);
            if (engine >= 0) {
                return engine;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(
                sample.name() + ": the engine label must be a whole number, not '" + label + "'");
    }

    /** Tokens a block; a hybrid model's is the one that vLLM settled on. Empty when the page does not say. */
    public OptionalInt blockSize() {
        return whole("block_size");
    }

    /** KV blocks including the null block; empty when the page does not say. */
    public OptionalInt numGpuBlocks() {
        return whole("num_gpu_blocks");
    }

    /** Tokens its KV cache holds: the usable blocks, which are all but the null block. */
    public OptionalLong capacityTokens() {
        return blockSize().isPresent() && numGpuBlocks().isPresent()
                ? OptionalLong.of((numGpuBlocks().getAsInt() - 1L) * blockSize().getAsInt())
                : OptionalLong.empty();
    }

    private OptionalInt whole(String label) {
        String text = cacheConfig.getOrDefault(label, "");
        try {
            int value = Integer.parseInt(text);
            return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
        } catch (NumberFormatException e) {
            // vLLM writes "None" for what is not settled
            return OptionalInt.empty();
        }
    }

    OptionalDouble gauge(String name) {
        Double value = gauges.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static final class Value {
        private final VllmSeries.Kind kind;
        private int rank = Integer.MAX_VALUE;
        private double sum;
        private int samples;

        Value(VllmSeries.Kind kind) {
            this.kind = kind;
        }

        void add(int sampleRank, double value, int count) {
            if (sampleRank < rank) {
                rank = sampleRank;
                sum = 0;
                samples = 0;
            }
            if (sampleRank == rank) {
                sum += value;
                samples += count;
            }
        }

        double get() {
            return kind == VllmSeries.Kind.GAUGE_MEAN ? sum / samples : sum;
        }
    }

    private static final class Draft {
        private final int engine;
        private final Map<String, Value> values = new TreeMap<>();
        private final Map<String, String> cacheConfig = new TreeMap<>();

        Draft(int engine) {
            this.engine = engine;
        }

        void add(Sample sample) {
            if (sample.name().equals(VllmSeries.CACHE_CONFIG)) {
                cacheConfig.putAll(sample.labels());
            } else if (Double.isFinite(sample.value())) {
                VllmSeries.Match match = VllmSeries.named(sample.name()).orElseThrow();
                values.computeIfAbsent(match.key(sample), key -> new Value(match.kind()))
                        .add(match.rank(), sample.value(), 1);
            }
        }

        void merge(Draft other) {
            other.cacheConfig.forEach(cacheConfig::putIfAbsent);
            other.values.forEach((key, value) ->
                    values.computeIfAbsent(key, k -> new Value(value.kind)).add(value.rank, value.sum, value.samples));
        }

        EngineSnapshot finish(OptionalDouble processStart) {
            Map<String, Double> counters = new TreeMap<>();
            Map<String, Double> gauges = new TreeMap<>();
            values.forEach(
                    (key, value) -> (value.kind == VllmSeries.Kind.COUNTER ? counters : gauges).put(key, value.get()));
            return new EngineSnapshot(engine, counters, gauges, cacheConfig, processStart);
        }
    }
}
