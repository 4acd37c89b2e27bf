package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.util.Locale;

/**
 * Capacity worked out from model, card and settings, with the range that the uncertain part leaves. A model can be off by a
 * fifth either way: what the engine reports always goes first ({@link CapacityResolver}).
 *
 * <p>{@code available = utilization x visible memory - weights / ranks - overheads}, for each rank; blocks are what fits
 * into it ({@link KvLayout#blocksIn}).
 *
 * @param likely with the estimated overheads
 * @param low with half as much again
 * @param high with half of them
 * @param availableGib KV memory of one rank behind {@code likely}
 */
public record DerivedCapacity(KvCapacity likely, KvCapacity low, KvCapacity high, double availableGib) {
    private static final double GIB = 1L << 30;

    /** Derives with estimated overheads, for the reference version. */
    public static DerivedCapacity of(ModelSpec model, GpuSpec gpu, KvSettings settings) {
        return of(model, gpu, settings, MemoryOverheads.estimate(model, settings, VllmVersion.REFERENCE));
    }

    /**
     * Derives with these overheads.
     *
     * @throws UserError if the weights leave no room for a single block
     */
    public static DerivedCapacity of(ModelSpec model, GpuSpec gpu, KvSettings settings, MemoryOverheads overheads) {
        double likely = availableBytes(model, gpu, settings, overheads);
        KvCapacity low = capacity(model, gpu, settings, likely, overheads.high());
        KvCapacity high = capacity(model, gpu, settings, likely, overheads.low());
        return new DerivedCapacity(capacity(model, gpu, settings, likely, overheads), low, high, likely / GIB);
    }

    /** Capacity from the memory that the engine said is left: "Available KV cache memory: X GiB". */
    public static KvCapacity fromAvailable(ModelSpec model, KvSettings settings, double availableGib) {
        KvLayout layout = KvLayout.of(model, settings);
        return new KvCapacity(
                CapacitySource.DERIVED,
                layout.blocksIn((long) (availableGib * GIB)),
                layout,
                String.format(Locale.ROOT, "%.2f GiB of KV memory for %s", availableGib, model.name()));
    }

    private static KvCapacity capacity(
            ModelSpec model, GpuSpec gpu, KvSettings settings, double likelyBytes, MemoryOverheads overheads) {
        KvLayout layout = KvLayout.of(model, settings);
        double bytes = availableBytes(model, gpu, settings, overheads);
        if (layout.blocksIn((long) likelyBytes) < 2) {
            throw new UserError(String.format(
                    Locale.ROOT,
                    "%s in %s does not fit %s on %s: %.1f GiB of weights and %.1f GiB besides, of %.1f GiB that vLLM takes on "
                            + "a card; use more cards a replica (tensor parallel), smaller weights or a larger card",
                    model.name(),
                    settings.weightDtype().wireName(),
                    settings.tensorParallel() == 1 ? "one card" : settings.tensorParallel() + " cards",
                    gpu.name(),
                    weightBytes(model, settings) / GIB,
                    overheads.totalGib(),
                    budgetBytes(gpu, settings) / GIB));
        }
        return new KvCapacity(
                CapacitySource.DERIVED,
                Math.max(2, layout.blocksIn((long) bytes)),
                layout,
                String.format(
                        Locale.ROOT,
                        "%s on %s: %.2f x %.2f GiB - %.2f GiB of weights - %.2f GiB besides = %.2f GiB, %d bytes a block",
                        model.name(),
                        gpu.name(),
                        settings.gpuMemoryUtilization(),
                        gpu.visibleGib(),
                        weightBytes(model, settings) / GIB,
                        overheads.totalGib(),
                        bytes / GIB,
                        layout.bytesPerBlock()));
    }

    private static double availableBytes(ModelSpec model, GpuSpec gpu, KvSettings settings, MemoryOverheads overheads) {
        return budgetBytes(gpu, settings) - weightBytes(model, settings) - overheads.totalGib() * GIB;
    }

    private static double budgetBytes(GpuSpec gpu, KvSettings settings) {
        return settings.gpuMemoryUtilization() * gpu.visibleBytes();
    }

    /** Weights of one rank. */
    private static double weightBytes(ModelSpec model, KvSettings settings) {
        return model.weightBytes(settings.weightDtype()) / settings.tensorParallel();
    }
}
