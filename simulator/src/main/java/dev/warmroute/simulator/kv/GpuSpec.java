package dev.warmroute.simulator.kv;

import java.util.List;
import java.util.Objects;

/**
 * One card.
 *
 * @param name its name
 * @param aliases other names, such as the one the driver reports
 * @param nominalGb memory as sold, in gigabytes
 * @param visibleGib memory as CUDA reports it, in GiB: what {@code gpu_memory_utilization} is a share of, less than the
 *     memory as sold by ECC and the driver's reserve
 * @param bandwidthGbPerSecond memory bandwidth, in 10^9 bytes a second
 * @param denseBf16Tflops dense bf16 matrix throughput with fp32 accumulation, in 10^12 operations a second
 * @param confidence how sure bandwidth and throughput are
 * @param source where they come from
 * @param visibleSource where the visible memory comes from
 */
public record GpuSpec(
        String name,
        List<String> aliases,
        double nominalGb,
        double visibleGib,
        double bandwidthGbPerSecond,
        double denseBf16Tflops,
        String confidence,
        String source,
        String visibleSource) {
    private static final double GIB = 1L << 30;

    public GpuSpec {
        Objects.requireNonNull(confidence, "confidence");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(visibleSource, "visibleSource");
        aliases = List.copyOf(aliases);
        if (name.isBlank() || !(nominalGb > 0 && visibleGib > 0 && bandwidthGbPerSecond > 0 && denseBf16Tflops > 0)) {
            throw new IllegalArgumentException("GPU '" + name + "': memory, bandwidth and throughput must be above 0");
        }
    }

    public double visibleBytes() {
        return visibleGib * GIB;
    }

    public double bytesPerSecond() {
        return bandwidthGbPerSecond * 1e9;
    }

    public double flopsPerSecond() {
        return denseBf16Tflops * 1e12;
    }
}
