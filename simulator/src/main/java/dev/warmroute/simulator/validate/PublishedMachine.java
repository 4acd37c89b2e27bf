package dev.warmroute.simulator.validate;

import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.kv.DerivedCapacity;
import dev.warmroute.simulator.kv.EngineDefaults;
import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.KvSettings;
import dev.warmroute.simulator.kv.MemoryOverheads;
import dev.warmroute.simulator.kv.ModelSpec;
import dev.warmroute.simulator.kv.Models;
import dev.warmroute.simulator.kv.VllmVersion;
import dev.warmroute.simulator.kv.WeightDtype;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.timing.Efficiency;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.RooflineLaw;
import dev.warmroute.simulator.timing.SharedHost;
import java.util.List;

/**
 * A machine of which others have published measurements: card, model and engine give capacity and the shape of the step-time
 * law from first principles; what no data sheet says is fitted, and named.
 *
 * @param model name of the model
 * @param gpu name of the card
 * @param version version of vLLM
 * @param weights how the weights are stored
 * @param efficiency shares of the data sheet's speed that are reached, and what a step costs besides
 * @param frontend delay outside the engine
 * @param fitted names of the parameters that were fitted, and to what
 */
record PublishedMachine(
        String model,
        String gpu,
        VllmVersion version,
        WeightDtype weights,
        Efficiency efficiency,
        FrontendDelay frontend,
        List<String> fitted) {

    /**
     * openinfer's benchmark notes. Fitted: the bandwidth share to the time per token at one request a second, the compute share to
     * the cold prompts, the frontend to the cached ones; what a decoding sequence costs to the time per token under load, and
     * what it costs more beside prompts to the saturation.
     */
    static final PublishedMachine RTX_5090 = new PublishedMachine(
            "Qwen3-4B",
            "RTX 5090",
            new VllmVersion(0, 22, 1),
            WeightDtype.BF16,
            new Efficiency(0.87, 0.96, 500, 20, 20, 150),
            FrontendDelay.ofMillis(5.0, 4.4),
            List.of(
                    "bandwidth_share",
                    "compute_share",
                    "sequence_us",
                    "mixed_sequence_us",
                    "frontend_ms",
                    "frontend_thousand_tokens_ms"));

    /** Momento's cliff. Nothing is fitted to it: the shares are those of other models on the same card, an estimate. */
    static final PublishedMachine L4 = new PublishedMachine(
            "Qwen3-4B",
            "L4",
            new VllmVersion(0, 20, 2),
            WeightDtype.FP8,
            new Efficiency(0.90, 0.75, 500, 20, 20),
            FrontendDelay.ofMillis(5.0, 4.4),
            List.of());

    PublishedMachine {
        fitted = List.copyOf(fitted);
    }

    String name() {
        return model + " (" + weights.wireName() + ") on " + gpu + ", vLLM " + version;
    }

    private ModelSpec modelSpec() {
        return Models.named(model);
    }

    private GpuSpec gpuSpec() {
        return Gpus.named(gpu);
    }

    private KvSettings settings() {
        return KvSettings.defaults(EngineDefaults.of(gpuSpec(), version, EngineDefaults.Usage.SERVER))
                .withWeightDtype(weights);
    }

    /** The KV cache, from model, card and version, with the range that the memory besides leaves. */
    DerivedCapacity capacity() {
        MemoryOverheads overheads = MemoryOverheads.estimate(modelSpec(), settings(), version);
        return DerivedCapacity.of(modelSpec(), gpuSpec(), settings(), overheads);
    }

    int usableBlocks() {
        return capacity().likely().usableBlocks();
    }

    EngineConfig engine() {
        KvSettings settings = settings();
        return EngineConfig.defaults()
                .withBlockSize(settings.blockSize())
                .withUsableBlocks(usableBlocks())
                .withMaxNumSeqs(settings.maxNumSeqs())
                .withMaxNumBatchedTokens(settings.maxNumBatchedTokens());
    }

    RooflineLaw law() {
        return RooflineLaw.of(modelSpec(), gpuSpec(), settings(), efficiency);
    }

    FleetSpec fleet() {
        return new FleetSpec(1, engine(), law(), frontend, SharedHost.NONE, 0, FleetSpec.SCRAPE_NANOS);
    }

    /** Every parameter with its origin. */
    List<PublishedResult.Parameter> parameters() {
        RooflineLaw law = law();
        return List.of(
                derived(
                        "usable_blocks",
                        usableBlocks(),
                        "blocks of " + settings().blockSize() + " tokens"),
                derived("usable_blocks_low", capacity().low().usableBlocks(), "with half as much memory besides again"),
                derived("usable_blocks_high", capacity().high().usableBlocks(), "with half of the memory besides"),
                derived("max_num_batched_tokens", settings().maxNumBatchedTokens(), "tokens a step"),
                derived(
                        "weights_read_ms",
                        law.denseReadPicos() / 1e9 * efficiency.bandwidth(),
                        "ms a step at full bandwidth"),
                derived("token_us", law.tokenPicos() / 1e6 * efficiency.compute(), "us a token at full throughput"),
                derived(
                        "attention_pair_ns",
                        law.attentionPairPicos() / 1e3 * efficiency.compute(),
                        "ns a token pair at full throughput"),
                derived(
                        "context_token_ns",
                        law.contextTokenPicos() / 1e3 * efficiency.bandwidth(),
                        "ns a KV token read at full bandwidth"),
                assumed("bandwidth_share", efficiency.bandwidth(), "of the data sheet"),
                assumed("compute_share", efficiency.compute(), "of the data sheet"),
                assumed("step_us", efficiency.stepMicros(), "us a step"),
                assumed("layer_us", efficiency.layerMicros(), "us a layer and step"),
                assumed("sequence_us", efficiency.sequenceMicros(), "us a decoding sequence and step"),
                assumed(
                        "mixed_sequence_us",
                        efficiency.mixedSequenceMicros(),
                        "us more for each in a step with prompts"),
                assumed("frontend_ms", frontend.requestNanos() / 1e6, "ms a request"),
                assumed("frontend_thousand_tokens_ms", frontend.tokenPicos() / 1e6, "ms a thousand prompt tokens"));
    }

    private static PublishedResult.Parameter derived(String name, double value, String unit) {
        return new PublishedResult.Parameter(name, value, unit, "first principles");
    }

    private PublishedResult.Parameter assumed(String name, double value, String unit) {
        return new PublishedResult.Parameter(name, value, unit, fitted.contains(name) ? "fitted" : "assumed");
    }
}
