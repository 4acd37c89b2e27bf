package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineGroups;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.kv.CapacityResolver;
import dev.warmroute.simulator.kv.CapacitySource;
import dev.warmroute.simulator.kv.KvCapacity;
import dev.warmroute.simulator.kv.KvLayout;
import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.ReportedMachine;
import dev.warmroute.simulator.timing.MachineTimings;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import dev.warmroute.simulator.timing.TimingProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a simulated fleet; what is not given comes from the trace's own machine, or from the defaults. */
final class FleetOptions {
    static final int DEFAULT_REPLICAS = 4;

    @Option(names = "--replicas", paramLabel = "R", description = "Replicas (default: those of the trace, else 4).")
    private Integer replicas;

    @Option(
            names = "--block-size",
            paramLabel = "B",
            description = "Tokens a KV block (default: the trace's machine's, else 16).")
    private Integer blockSize;

    @Option(
            names = "--usable-blocks",
            paramLabel = "N",
            description =
                    "KV blocks of a replica that can hold a prompt: num_gpu_blocks - 1 (default: what the engines of a recording"
                            + " reported, else what --model and --gpu give, else the workload's, else without limit).")
    private Integer usableBlocks;

    @Mixin
    private ModelOptions model;

    @Option(names = "--max-num-seqs", paramLabel = "N", description = "Most running requests of a replica.")
    private Integer maxNumSeqs;

    @Option(names = "--max-num-batched-tokens", paramLabel = "N", description = "Token budget of an engine step.")
    private Integer maxNumBatchedTokens;

    @Option(names = "--max-model-len", paramLabel = "N", description = "Most tokens of a request, prompt and output.")
    private Integer maxModelLen;

    @Option(
            names = "--cpu-offload-gib",
            paramLabel = "GIB",
            description =
                    "Host memory of a replica as a second cache (vLLM's --kv-offloading-size); needs --model and --gpu.")
    private Double cpuOffloadGib;

    @Option(
            names = "--cpu-offload-gb-per-s",
            paramLabel = "GB/S",
            description =
                    "Bandwidth between host and each card, in 10^9 bytes a second, each way (default: ${DEFAULT-VALUE}).")
    private double cpuOffloadGbPerSecond = 20;

    @Option(
            names = "--timing",
            paramLabel = "PRESET",
            description =
                    "Step-time preset (default: that of --model on --gpu, else the trace's machine's, else h100-8b).")
    private String timing;

    @Option(
            names = "--timing-profile",
            paramLabel = "FILE",
            description = "Step times as learnt and saved by --timing-out; instead of --timing.")
    private Path timingProfile;

    @Option(
            names = "--scrape",
            paramLabel = "SECONDS",
            description = "Time between two readings of the counters that a policy sees (default: 1).")
    private Double scrapeSeconds;

    /**
     * A fleet, where its capacity comes from and how it was found, and the name of its timing.
     *
     * @param cache the cache of the replicas; empty without limit
     * @param served the model that was named
     */
    record Chosen(
            FleetSpec fleet,
            String capacitySource,
            String timing,
            Optional<CacheSize> cache,
            Optional<ServedModel> served) {
        /** A machine whose capacity is its own. */
        Chosen(FleetSpec fleet, String capacitySource, String timing) {
            this(fleet, capacitySource, timing, Optional.empty(), Optional.empty());
        }

        /** The same with other step times. */
        Chosen timed(TimingPreset preset) {
            return new Chosen(fleet.withTiming(preset), capacitySource, preset.name(), cache, served);
        }

        /** Its step times. */
        TimingPreset preset() {
            return new TimingPreset(timing, timing, "", Optional.empty(), fleet.law(), fleet.frontend(), fleet.host());
        }

        String explanation() {
            return cache.map(CacheSize::explanation).orElse("");
        }
    }

    /** The model and card that were named. */
    Optional<ServedModel> served() {
        return served(blockSize);
    }

    private Optional<ServedModel> served(Integer tokensPerBlock) {
        return model.served(tokensPerBlock, maxNumSeqs, maxNumBatchedTokens, maxModelLen);
    }

    /** The step times asked for, or those of the machine that was named. */
    TimingPreset preset() {
        require(timing == null || timingProfile == null, "give either --timing or --timing-profile");
        if (timingProfile != null) {
            return TimingProfile.read(timingProfile).preset();
        }
        if (timing != null) {
            return TimingPresets.named(timing);
        }
        return served().map(MachineTimings::of).orElseGet(TimingPresets.DEFAULT::preset);
    }

    /** The number of running requests that a router in front of the fleet was told, unless another was asked for. */
    void assumeMaxNumSeqs(int told) {
        maxNumSeqs = maxNumSeqs == null ? Integer.valueOf(told) : maxNumSeqs;
    }

    /** Whether step times were asked for. */
    boolean timesGiven() {
        return timing != null || timingProfile != null;
    }

    /** The fleet for a trace that says nothing about its machine. */
    Chosen alone() {
        TimingPreset preset = TimingPresets.DEFAULT.preset();
        FleetSpec fleet = FleetSpec.of(DEFAULT_REPLICAS, EngineConfig.defaults().withUnlimitedBlocks(), preset);
        return over(new Chosen(fleet, "unlimited", preset.name()));
    }

    /** The fleet for a trace: what its engines reported, if it is a recording in which they did. */
    Chosen forTrace(String trace) {
        return reportedBy(trace).map(this::reported).orElseGet(this::alone);
    }

    /** What the engines of a recording reported; empty for other traces, and where they reported nothing. */
    static Optional<ReportedMachine> reportedBy(String trace) {
        return ReportedMachine.ofTrace(trace);
    }

    /** A machine as its engines reported it, with whatever was given on the command line instead. */
    Chosen reported(ReportedMachine machine) {
        TimingPreset preset = TimingPresets.DEFAULT.preset();
        EngineConfig engine =
                EngineConfig.defaults().withBlockSize(machine.blockSize()).withNumGpuBlocks(machine.numGpuBlocks());
        CacheSize cache = new CacheSize(
                        machine.replicas(),
                        engine.usableBlocks(),
                        machine.blockSize(),
                        CapacitySource.REPORTED.wireName())
                .withExplanation(machine.explanation());
        return over(new Chosen(
                FleetSpec.of(machine.replicas(), engine, preset),
                cache.source(),
                preset.name(),
                Optional.of(cache),
                Optional.empty()));
    }

    /** A machine with whatever was given on the command line instead. */
    Chosen over(Chosen machine) {
        // A reported block size is what the engine made of the settings, so it goes before the model's own.
        Integer tokensPerBlock = blockSize != null
                ? blockSize
                : machine.cache().map(CacheSize::blockSize).orElse(null);
        Optional<ServedModel> served = served(tokensPerBlock);
        FleetSpec fleet = machine.fleet();
        EngineConfig engine = served.map(s -> withBudgetsOf(s, fleet.engine())).orElse(fleet.engine());
        if (blockSize != null) {
            require(blockSize >= 1, "--block-size must be at least 1, not " + blockSize);
            engine = served.isPresent() ? engine : engine.withBlockSize(blockSize);
        }
        int count = replicas == null ? fleet.replicas() : replicas;
        Optional<CacheSize> cache = cache(count, engine.blockSize(), served, machine.cache());
        if (cache.isPresent()) {
            engine = engine.withUsableBlocks(cache.get().usableBlocks());
        } else if (!engine.unlimited()) {
            engine = engine.withUsableBlocks(sameTokens(fleet.engine(), engine.blockSize()));
        }
        if (maxNumSeqs != null) {
            engine = engine.withMaxNumSeqs(maxNumSeqs);
        }
        if (maxNumBatchedTokens != null) {
            engine = engine.withMaxNumBatchedTokens(maxNumBatchedTokens);
        }
        if (maxModelLen != null) {
            engine = engine.withMaxModelLen(maxModelLen);
        }
        if (cpuOffloadGib != null) {
            engine = engine.withHostMemory(hostMemory(served));
        }
        FleetSpec result = fleet.withEngine(engine).withReplicas(count);
        if (scrapeSeconds != null) {
            result = result.withScrapeNanos(Math.round(scrapeSeconds * 1e9));
        }
        String name = machine.timing();
        if (timesGiven() || served.isPresent()) {
            TimingPreset preset = preset();
            result = result.withTiming(preset);
            name = preset.name();
        }
        return new Chosen(result, cache.map(CacheSize::source).orElse(machine.capacitySource()), name, cache, served);
    }

    /** Blocks of a size asked for that hold what a machine holds in blocks of its own. */
    private static int sameTokens(EngineConfig machine, int tokensPerBlock) {
        long tokens = (long) machine.usableBlocks() * machine.blockSize();
        return CacheSize.ofTokens(1, tokens, tokensPerBlock, CapacitySource.GIVEN.wireName())
                .usableBlocks();
    }

    private HostMemory hostMemory(Optional<ServedModel> served) {
        require(cpuOffloadGib > 0, "--cpu-offload-gib must be above 0, not " + cpuOffloadGib);
        ServedModel model = served.orElseThrow(() -> new UserError(
                "--cpu-offload-gib needs --model and --gpu: how many blocks fit" + " depends on the bytes of a block"));
        double bytesPerSecond = cpuOffloadGbPerSecond * 1e9 * model.settings().tensorParallel();
        return HostMemory.of(model.offload(cpuOffloadGib), bytesPerSecond);
    }

    /** What a server of the newest version does with the model on its card; its groups and its block size. */
    private static EngineConfig withBudgetsOf(ServedModel served, EngineConfig engine) {
        KvLayout layout = served.layout();
        return engine.withBlockSize(layout.blockSize())
                .withGroups(EngineGroups.of(layout))
                .withMaxNumSeqs(served.settings().maxNumSeqs())
                .withMaxNumBatchedTokens(served.settings().maxNumBatchedTokens());
    }

    /** The cache: as given, else as reported, else worked out. Empty when nothing was said of it. */
    private Optional<CacheSize> cache(
            int count, int tokensPerBlock, Optional<ServedModel> served, Optional<CacheSize> reported) {
        if (usableBlocks == null) {
            return reported.map(r -> asReported(r, count, tokensPerBlock, served))
                    .or(() -> served.map(s -> CacheSize.of(count, s.capacity())));
        }
        require(
                usableBlocks >= 1 && usableBlocks <= KvCapacity.MOST_USABLE_BLOCKS,
                "--usable-blocks must be 1 to " + KvCapacity.MOST_USABLE_BLOCKS + ", not " + usableBlocks);
        CacheSize given = new CacheSize(count, usableBlocks, tokensPerBlock, CapacitySource.GIVEN.wireName());
        return Optional.of(served.map(s -> given.withLayout(s.layout()))
                .orElse(given)
                .withExplanation(usableBlocks + " blocks of " + tokensPerBlock + " tokens, given"));
    }

    /** What was reported, in blocks of the size asked about, and what the model on its card should have, if that differs. */
    private static CacheSize asReported(
            CacheSize reported, int count, int tokensPerBlock, Optional<ServedModel> served) {
        long tokens = reported.tokens();
        CacheSize cache = CacheSize.ofTokens(count, tokens, tokensPerBlock, reported.source());
        String sentence = reported.explanation();
        if (served.isPresent()) {
            cache = cache.withLayout(served.get().layout());
            List<String> notes = CapacityResolver.resolve(List.of(
                            KvCapacity.reported(reported.usableBlocks() + 1, reported.blockSize()),
                            served.get().capacity().likely()))
                    .orElseThrow()
                    .notes();
            sentence = String.join(
                    "; ", Stream.concat(Stream.of(sentence), notes.stream()).toList());
        }
        return cache.withExplanation(sentence);
    }

    /** Refuses all of these where something else says what they say. */
    void refuseBeside(String other) {
        boolean any = replicas != null
                || blockSize != null
                || usableBlocks != null
                || maxNumSeqs != null
                || maxNumBatchedTokens != null
                || maxModelLen != null
                || timesGiven()
                || scrapeSeconds != null
                || cpuOffloadGib != null
                || model.given();
        require(
                !any,
                other
                        + " says what the fleet is: leave out the options of the fleet and write, for example, replicas=4 or"
                        + " model=Qwen3-4B there");
    }

    private static void require(boolean ok, String message) {
        if (!ok) {
            throw new UserError(message);
        }
    }
}
