package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** Options of a simulated fleet; what is not given comes from the trace's own machine, or from the defaults. */
final class FleetOptions {
    static final int DEFAULT_REPLICAS = 4;

    @Option(names = "--replicas", paramLabel = "R", description = "Replicas (default: those of the trace, else 4).")
    private Integer replicas;

    @Option(names = "--block-size", paramLabel = "B", description = "Tokens a KV block (default: the trace's machine's, else 16).")
    private Integer blockSize;

    @Option(
            names = "--usable-blocks",
            paramLabel = "N",
            description = "KV blocks of a replica that can hold a prompt: num_gpu_blocks - 1 (default: the trace's machine's,"
                    + " else without limit).")
    private Integer usableBlocks;

    @Option(names = "--max-num-seqs", paramLabel = "N", description = "Most running requests of a replica.")
    private Integer maxNumSeqs;

    @Option(names = "--max-num-batched-tokens", paramLabel = "N", description = "Token budget of an engine step.")
    private Integer maxNumBatchedTokens;

    @Option(
            names = "--timing",
            paramLabel = "PRESET",
            description = "Step-time preset (default: the trace's machine's, else h100-8b).")
    private String timing;

    @Option(
            names = "--scrape",
            paramLabel = "SECONDS",
            description = "Time between two readings of the counters that a policy sees (default: 1).")
    private Double scrapeSeconds;

    /** A fleet, where its capacity comes from, and the name of its timing. */
    record Chosen(FleetSpec fleet, String capacitySource, String timing) {}

    OptionalInt blockSize() {
        return blockSize == null ? OptionalInt.empty() : OptionalInt.of(blockSize);
    }

    OptionalInt replicas() {
        return replicas == null ? OptionalInt.empty() : OptionalInt.of(replicas);
    }

    OptionalInt usableBlocks() {
        return usableBlocks == null ? OptionalInt.empty() : OptionalInt.of(usableBlocks);
    }

    /** The step times asked for. */
    TimingPreset preset() {
        return timing == null ? TimingPresets.DEFAULT.preset() : TimingPresets.named(timing);
    }

    /** The fleet for a trace that says nothing about its machine. */
    Chosen alone() {
        TimingPreset preset = TimingPresets.DEFAULT.preset();
        FleetSpec fleet = FleetSpec.of(DEFAULT_REPLICAS, EngineConfig.defaults().withUnlimitedBlocks(), preset);
        return over(new Chosen(fleet, "unlimited", preset.name()));
    }

    /** A machine with whatever was given on the command line instead. */
    Chosen over(Chosen machine) {
        FleetSpec fleet = machine.fleet();
        EngineConfig engine = fleet.engine();
        if (blockSize != null) {
            require(blockSize >= 1, "--block-size must be at least 1, not " + blockSize);
            engine = engine.withBlockSize(blockSize);
        }
        String source = machine.capacitySource();
        if (usableBlocks != null) {
            require(usableBlocks >= 1, "--usable-blocks must be at least 1, not " + usableBlocks);
            engine = engine.withUsableBlocks(usableBlocks);
            source = "given";
        }
        if (maxNumSeqs != null) {
            engine = engine.withMaxNumSeqs(maxNumSeqs);
        }
        if (maxNumBatchedTokens != null) {
            engine = engine.withMaxNumBatchedTokens(maxNumBatchedTokens);
        }
        fleet = fleet.withEngine(engine);
        if (replicas != null) {
            fleet = fleet.withReplicas(replicas);
        }
        if (scrapeSeconds != null) {
            fleet = fleet.withScrapeNanos(Math.round(scrapeSeconds * 1e9));
        }
        String name = machine.timing();
        if (timing != null) {
            TimingPreset preset = TimingPresets.named(timing);
            fleet = fleet.withTiming(preset);
            name = preset.name();
        }
        return new Chosen(fleet, source, name);
    }

    private static void require(boolean ok, String message) {
        if (!ok) {
            throw new UserError(message);
        }
    }
}
