package dev.warmroute.simulator.replica;

import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.StepTimeLaw;

/**
 * What the options mean to the engine.
 *
 * @param config engine settings
 * @param law time of a step
 * @param version engine version as answered by {@code /version}
 */
record EngineSetup(EngineConfig config, StepTimeLaw law, String version) {

    static EngineSetup of(ReplicaOptions options) {
        EngineConfig config = EngineConfig.defaults()
                .withNumGpuBlocks(options.numGpuBlocks())
                .withBlockSize(options.blockSize())
                .withMaxNumSeqs(options.maxNumSeqs())
                .withMaxNumBatchedTokens(options.maxNumBatchedTokens())
                .withMaxModelLen(options.maxModelLen());
        return new EngineSetup(config, AffineLaw.ofSeconds(5.753e-3, 17.25e-6, 0, 0, 6e-6), options.profile());
    }
}
