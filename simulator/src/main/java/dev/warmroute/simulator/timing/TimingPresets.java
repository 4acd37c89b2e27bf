package dev.warmroute.simulator.timing;

import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.KvSettings;
import dev.warmroute.simulator.kv.Models;
import dev.warmroute.simulator.kv.Names;
import dev.warmroute.simulator.kv.WeightDtype;
import dev.warmroute.simulator.timing.TableLaw.DecodePoint;
import dev.warmroute.simulator.timing.TableLaw.PrefillPoint;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Registry of the timing presets, the default first. */
public enum TimingPresets {
    H100_8B(
            "h100-8b",
            "Llama-3.1-8B in bf16 on one H100 SXM",
            "roofline with the efficiencies of BLIS for the H100 and its 6.0 us a decoding sequence. BLIS's linear fit "
                    + "(5.75 ms + 17.25 us a prefill token) leaves 3.36 ms a token to a per-request term, so its 5.75 ms is "
                    + "no step; a 2048-token step agrees with its sum of both (44.9 ms) within 6 %",
            Optional.of(Gpus.named("H100 SXM")),
            roofline("Llama-3.1-8B", "H100 SXM", WeightDtype.BF16, Efficiency.BLIS),
            TimingPreset.MEASURED_FRONTEND),

    A100_8B(
            "a100-8b",
            "Llama-3.1-8B in bf16 on one A100-80GB SXM",
            "roofline with BLIS's efficiencies but 72 % of the throughput, between the H100's 65 % and the 94 % that BLIS's "
                    + "linear fit for the A100 (16.4 ms + 47.8 us a prefill token) means",
            Optional.of(Gpus.named("A100-80GB SXM")),
            roofline("Llama-3.1-8B", "A100-80GB SXM", WeightDtype.BF16, Efficiency.BLIS.withShares(0.72, 0.72)),
            TimingPreset.MEASURED_FRONTEND),

    A4000_QWEN3_4B(
            "a4000-qwen3-4b",
            "Qwen3-4B in bf16 on one RTX A4000, as in the published LM Warden table",
            "fitted to that table's ten rows (309 evaluations); base, context and sequence terms are weakly identified, the "
                    + "delay in front of the engine is part of the base",
            Optional.of(Gpus.named("RTX A4000")),
            AffineLaw.ofSeconds(18.0e-3, 0.244e-3, 4e-9, 1.5e-7, 1.65e-3),
            FrontendDelay.NONE),

    RTX5090_QWEN3_4B(
            "rtx5090-qwen3-4b",
            "Qwen3-4B in bf16 on one RTX 5090",
            "openinfer's measurements with vLLM 0.22.1: prefill from cold minus cached time to first token, decode from the "
                    + "time per token of its open-loop runs (1024 tokens in, 128 out) after taking out the steps with prefill",
            Optional.of(Gpus.named("RTX 5090")),
            rtx5090(),
            TimingPreset.MEASURED_FRONTEND),

    L4_QWEN3_4B_FP8(
            "l4-qwen3-4b-fp8",
            "Qwen3-4B in FP8 with a bf16 KV cache on one L4",
            "roofline: 90 % of the bandwidth (Qwen3.5-4B in bf16 decodes at 92 % of it on an L4), arithmetic at 75 % of the "
                    + "bf16 throughput since FP8 doubles it and the card's 72 W halve it again; an estimate",
            Optional.of(Gpus.named("L4")),
            roofline("Qwen3-4B", "L4", WeightDtype.FP8, new Efficiency(0.90, 0.75, 500, 20, 20)),
            TimingPreset.MEASURED_FRONTEND),

    CPU_MID(
            "cpu-mid",
            "the 8-layer model of the recorded CPU fleets (width 768, random weights) on one core",
            "about 3,000 prefill tokens/s and 16 ms a decode step as noted with the recordings, split by the model's FLOPs; "
                    + "an estimate",
            Optional.empty(),
            AffineLaw.ofSeconds(14.5e-3, 0.25e-3, 7e-8, 2e-7, 1.5e-3),
            FrontendDelay.ofMillis(4.0, 2.0)),

    INSTANT(
            "instant",
            "nothing takes any time",
            "for questions about caching alone; budgets as on an H100",
            Optional.of(Gpus.named("H100 SXM")),
            AffineLaw.INSTANT,
            FrontendDelay.NONE);

    /** What is assumed where nothing is said. */
    public static final TimingPresets DEFAULT = H100_8B;

    private static final Names<TimingPreset> NAMES = names();

    private final TimingPreset preset;

    TimingPresets(
            String name,
            String description,
            String source,
            Optional<GpuSpec> gpu,
            StepTimeLaw law,
            FrontendDelay frontend) {
        this.preset = new TimingPreset(name, description, source, gpu, law, frontend);
    }

    public TimingPreset preset() {
        return preset;
    }

    /** Returns the preset with this name; case, spaces and dashes do not matter. Refuses others with the nearest names. */
    public static TimingPreset named(String name) {
        return NAMES.named(name);
    }

    /** Returns all presets, the default first. */
    public static List<TimingPreset> all() {
        return NAMES.entries();
    }

    private static Names<TimingPreset> names() {
        Names<TimingPreset> names = new Names<>("timing preset", Set.of());
        Arrays.stream(values()).map(TimingPresets::preset).forEach(p -> names.add(p.name(), List.of(), p));
        return names;
    }

    private static RooflineLaw roofline(String model, String gpu, WeightDtype weights, Efficiency efficiency) {
        KvSettings settings = KvSettings.defaults(Gpus.named(gpu)).withWeightDtype(weights);
        return RooflineLaw.of(Models.named(model), Gpus.named(gpu), settings, efficiency);
    }

    /**
     * Prefill times are cold minus cached time to first token plus the cached prompt's engine step (6.4 ms). A decode step at
     * {@code q} requests a second is {@code (1 - 34.2 ms q) x time per token}, 34.2 ms being what a step with 1024 prompt
     * tokens takes longer than one without; the sequences follow from Little's law. A KV token costs 147,456 bytes at 87 % of
     * the bandwidth.
     */
    private static TableLaw rtx5090() {
        return new TableLaw(
                List.of(
                        new PrefillPoint(512, 20.6),
                        new PrefillPoint(1024, 40.6),
                        new PrefillPoint(2048, 81.8),
                        new PrefillPoint(4096, 177.0),
                        new PrefillPoint(8192, 409.1),
                        new PrefillPoint(16384, 1022.4)),
                List.of(
                        new DecodePoint(1, 6.4),
                        new DecodePoint(2, 6.7),
                        new DecodePoint(4, 7.4),
                        new DecodePoint(12, 8.6),
                        new DecodePoint(18, 9.25),
                        new DecodePoint(30, 11.4),
                        new DecodePoint(129, 41.8)),
                1088,
                95_000);
    }
}
