package dev.warmroute.simulator.replica;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineGroups;
import dev.warmroute.simulator.engine.EngineProfile;
import dev.warmroute.simulator.engine.KvGroup;
import dev.warmroute.simulator.kv.EngineDefaults;
import dev.warmroute.simulator.kv.EngineDefaults.Usage;
import dev.warmroute.simulator.kv.VllmVersion;
import dev.warmroute.simulator.timing.MachineTimings;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;

/**
 * What the options mean to the engine.
 *
 * @param config engine settings: rules and defaults of the version's {@link EngineProfile}, budgets of the version for
 *     the preset's card
 * @param timing time of a step, and delay in front of the engine
 * @param version engine version, as {@code /version} answers
 * @param gpuMemoryUtilization share of the card's memory that a server of this version takes
 */
record EngineSetup(EngineConfig config, TimingPreset timing, VllmVersion version, double gpuMemoryUtilization) {

    /** @throws UserError if the profile or the timing preset is not known */
    static EngineSetup of(ReplicaOptions options) {
        VllmVersion version = VllmVersion.parse(options.profile());
        TimingPreset timing = options.timing().isEmpty()
                ? MachineTimings.of(options.served().orElseThrow())
                : TimingPresets.named(options.timing());
        EngineDefaults budgets = budgets(
                options,
                timing.gpu()
                        .map(gpu -> EngineDefaults.of(gpu, version, Usage.SERVER))
                        .orElseGet(() -> EngineDefaults.ofCpu(version)));
        EngineConfig config = profile(version, options)
                .config(
                        budgets,
                        options.served().map(s -> EngineGroups.of(s.layout())).orElse(KvGroup.FULL_ONLY))
                .withNumGpuBlocks(options.numGpuBlocks())
                .withBlockSize(options.blockSize())
                .withMaxModelLen(options.maxModelLen());
        return new EngineSetup(config, timing, version, budgets.gpuMemoryUtilization());
    }

    private static EngineProfile profile(VllmVersion version, ReplicaOptions options) {
        try {
            return EngineProfile.of(version);
        } catch (UserError e) {
            throw new UserError("--profile " + options.profile() + ": " + e.getMessage(), e);
        }
    }

    /** What was given, the version's defaults for the card where nothing was. */
    private static EngineDefaults budgets(ReplicaOptions options, EngineDefaults defaults) {
        EngineDefaults bounded = defaults.boundedBy(options.maxModelLen());
        return new EngineDefaults(
                options.maxNumBatchedTokens() > 0 ? options.maxNumBatchedTokens() : bounded.maxNumBatchedTokens(),
                options.maxNumSeqs() > 0 ? options.maxNumSeqs() : bounded.maxNumSeqs(),
                bounded.gpuMemoryUtilization());
    }
}
