package dev.warmroute.simulator.replica;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.kv.VllmVersion;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;

/**
 * What the options mean to the engine.
 *
 * @param config engine settings
 * @param timing time of a step, and delay in front of the engine
 * @param version engine version, as {@code /version} answers
 */
record EngineSetup(EngineConfig config, TimingPreset timing, VllmVersion version) {
    private static final VllmVersion OLDEST = new VllmVersion(0, 26, 0);

    /** @throws UserError if the profile or the timing preset is not known */
    static EngineSetup of(ReplicaOptions options) {
        VllmVersion version = VllmVersion.parse(options.profile());
        if (version.compareTo(OLDEST) < 0) {
            throw new UserError("--profile " + options.profile() + ": expected " + OLDEST + " or newer");
        }
        EngineConfig config = EngineConfig.defaults()
                .withNumGpuBlocks(options.numGpuBlocks())
                .withBlockSize(options.blockSize())
                .withMaxNumSeqs(options.maxNumSeqs())
                .withMaxNumBatchedTokens(options.maxNumBatchedTokens())
                .withMaxModelLen(options.maxModelLen());
        return new EngineSetup(config, TimingPresets.named(options.timing()), version);
    }
}
