package dev.warmroute.simulator.timing;

import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.KvSettings;
import dev.warmroute.simulator.kv.ModelSpec;
import java.util.Objects;
import java.util.Optional;

/**
 * The times of one replica: the engine's steps and the delay in front of it.
 *
 * @param name its name
 * @param description what runs on what
 * @param source where the numbers come from
 * @param gpu the card, whose class decides the budgets of a server that is started without them; empty for a CPU
 * @param law duration of a step
 * @param frontend delay of a request outside the engine
 * @param host what replicas that share a machine do to each other
 */
public record TimingPreset(
        String name,
        String description,
        String source,
        Optional<GpuSpec> gpu,
        StepTimeLaw law,
        FrontendDelay frontend,
        SharedHost host) {

    public TimingPreset {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(law, "law");
        Objects.requireNonNull(frontend, "frontend");
        Objects.requireNonNull(host, "host");
    }

    /** Times of a replica with a machine of its own. */
    public TimingPreset(
            String name,
            String description,
            String source,
            Optional<GpuSpec> gpu,
            StepTimeLaw law,
            FrontendDelay frontend) {
        this(name, description, source, gpu, law, frontend, SharedHost.NONE);
    }

    /**
     * The delay measured in front of an engine: openinfer's fully cached prompts on an RTX 5090 (vLLM 0.22.1), 14.3 ms at 512
     * tokens to 90.8 ms at 16,384, less the engine step of 6.4 ms; least squares of the relative errors.
     */
    public static final FrontendDelay MEASURED_FRONTEND = FrontendDelay.ofMillis(5.0, 4.4);

    /** Times of any known model on any known card: the roofline with BLIS's efficiencies, within a quarter at best. */
    public static TimingPreset roofline(ModelSpec model, GpuSpec gpu, KvSettings settings) {
        String ranks = settings.tensorParallel() == 1 ? "" : settings.tensorParallel() + " x ";
        return new TimingPreset(
                "roofline",
                model.name() + " (" + settings.weightDtype().wireName() + ", KV "
                        + settings.kvDtype().wireName() + ") on " + ranks + gpu.name(),
                "roofline of " + gpu.source() + " with BLIS's efficiencies; frontend as measured with an RTX 5090",
                Optional.of(gpu),
                RooflineLaw.of(model, gpu, settings, Efficiency.BLIS),
                MEASURED_FRONTEND);
    }
}
