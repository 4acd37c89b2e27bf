package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineProfile;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.VllmVersion;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The engine of a scenario: what is not said is the machine's own.
 *
 * @param name name in the results
 * @param vllm version
 * @param timing preset of the step times
 * @param blockSize tokens of a KV block
 */
public record EngineChoice(
        String name,
        String vllm,
        Optional<String> timing,
        OptionalInt blockSize,
        OptionalInt maxNumSeqs,
        OptionalInt maxNumBatchedTokens,
        OptionalInt maxModelLen) {
    private static final String BUDGETS_OF = "H100 SXM";

    public EngineChoice {
        Objects.requireNonNull(name, "name");
        EngineProfile.of(VllmVersion.parse(vllm));
        timing.ifPresent(TimingPresets::named);
        if (name.isBlank()) {
            throw new UserError("an engine needs a name");
        }
    }

    /** The newest engine, on the machine as it is. */
    public static EngineChoice newest() {
        return ofVersion(VllmVersion.REFERENCE.toString());
    }

    /** A version, on the machine as it is. */
    public static EngineChoice ofVersion(String vllm) {
        return new EngineChoice(
                vllm,
                vllm,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    /**
     * The machine with this engine and a cache.
     *
     * @param machine what is replayed on when nothing is said
     * @param ownBudgets whether the machine says what its engines may batch; if not, the version does, for an H100
     * @throws UserError if the engine cannot be so
     */
    FleetSpec on(FleetSpec machine, boolean ownBudgets, CacheChoice cache) {
        EngineConfig own = machine.engine();
        EngineConfig engine = EngineProfile.of(VllmVersion.parse(vllm))
                .config(Gpus.named(BUDGETS_OF))
                .withBlockSize(blockSize.orElse(own.blockSize()))
                .withMaxModelLen(maxModelLen.orElse(own.maxModelLen()));
        engine = engine.withMaxNumSeqs(maxNumSeqs.orElse(ownBudgets ? own.maxNumSeqs() : engine.maxNumSeqs()))
                .withMaxNumBatchedTokens(maxNumBatchedTokens.orElse(
                        ownBudgets ? own.maxNumBatchedTokens() : engine.maxNumBatchedTokens()));
        FleetSpec fleet = machine.withEngine(cache.of(engine, own));
        return timing.map(TimingPresets::named).map(fleet::withTiming).orElse(fleet);
    }
}
