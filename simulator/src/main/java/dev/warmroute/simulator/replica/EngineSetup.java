package dev.warmroute.simulator.replica;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineRules;
import dev.warmroute.simulator.engine.EngineRules.CounterMoment;
import dev.warmroute.simulator.engine.EngineRules.CounterUnit;
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
    private static final VllmVersion OLDEST = new VllmVersion(0, 8, 0);

    /** @throws UserError if the profile or the timing preset is not known */
    static EngineSetup of(ReplicaOptions options) {
        VllmVersion version = VllmVersion.parse(options.profile());
        if (version.compareTo(OLDEST) < 0) {
            throw new UserError("--profile " + options.profile() + ": expected a vLLM version from " + OLDEST + " on");
        }
        EngineConfig config = EngineConfig.defaults()
                .withNumGpuBlocks(options.numGpuBlocks())
                .withBlockSize(options.blockSize())
                .withMaxNumSeqs(options.maxNumSeqs())
                .withMaxNumBatchedTokens(options.maxNumBatchedTokens())
                .withMaxModelLen(options.maxModelLen())
                .withAsyncScheduling(version.atLeast(0, 14, 0))
                .withReserveFullIsl(version.atLeast(0, 19, 0))
                .withRules(rules(version));
        return new EngineSetup(config, TimingPresets.named(options.timing()), version);
    }

    /**
     * What changed from version to version, as far as the change logs tell: counters in tokens since 0.9, resumed requests
     * not counted since 0.11, counted once and at admission since 0.26; a null block since 0.8.3; freed blocks without a hash
     * are reused first since 0.23.
     */
    private static EngineRules rules(VllmVersion version) {
        return new EngineRules(
                version.atLeast(0, 9, 0) ? CounterUnit.TOKENS : CounterUnit.BLOCKS,
                version.atLeast(0, 26, 0) ? CounterMoment.ADMISSION : CounterMoment.LOOKUP,
                !version.atLeast(0, 11, 0),
                version.atLeast(0, 23, 0),
                version.atLeast(0, 8, 3),
                EngineRules.NEWEST.loneLongPrefill());
    }
}
