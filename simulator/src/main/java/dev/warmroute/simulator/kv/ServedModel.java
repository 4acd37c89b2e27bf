package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.EngineDefaults.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A model on a card with vLLM's settings: what a replica's cache can be worked out from when the engine has not said it.
 *
 * @param model the model
 * @param gpu the card; a replica has {@code settings.tensorParallel()} of them
 * @param settings what the size depends on
 * @param maxModelLen longest request; empty when it was not said
 */
public record ServedModel(ModelSpec model, GpuSpec gpu, KvSettings settings, OptionalInt maxModelLen) {
    /** First release that caches prefixes of models with recurrent states unless told not to (#50991). */
    private static final String CACHES_STATES_SINCE = "0.28";

    public ServedModel {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(maxModelLen, "maxModelLen");
    }

    /**
     * What was said of it; the rest is vLLM's default for the card.
     *
     * @param model name of a model; a quantisation in it ("-FP8", "-AWQ") is the type of its weights
     * @param gpu name of a card
     * @param kvDtype {@code --kv-cache-dtype}
     * @param weightDtype type of the weights
     * @param tensorParallel cards of a replica
     * @param gpuMemoryUtilization share of the card's memory
     * @param maxNumSeqs running requests
     * @param maxNumBatchedTokens token budget of a step
     * @param maxModelLen longest request
     * @param blockSize tokens a block
     */
    public record Asked(
            String model,
            String gpu,
            Optional<String> kvDtype,
            Optional<String> weightDtype,
            OptionalInt tensorParallel,
            OptionalDouble gpuMemoryUtilization,
            OptionalInt maxNumSeqs,
            OptionalInt maxNumBatchedTokens,
            OptionalInt maxModelLen,
            OptionalInt blockSize) {}

    /** @throws UserError if a name is not known (with the nearest that are) or a number makes no sense */
    public static ServedModel of(Asked asked) {
        ModelSpec model = Models.named(asked.model());
        GpuSpec gpu = Gpus.named(asked.gpu());
        EngineDefaults defaults = EngineDefaults.of(gpu, VllmVersion.REFERENCE, Usage.SERVER);
        if (asked.maxModelLen().isPresent()) {
            defaults = defaults.boundedBy(
                    atLeast("max_model_len", 2, asked.maxModelLen().getAsInt()));
        }
        double share = asked.gpuMemoryUtilization().orElse(defaults.gpuMemoryUtilization());
        if (!(share > 0 && share <= 1)) {
            throw new UserError("gpu_memory_utilization must be above 0 and at most 1, not " + share);
        }
        KvSettings settings = KvSettings.defaults(defaults)
                .withKvDtype(asked.kvDtype().map(KvDtype::named).orElse(KvDtype.BF16))
                .withWeightDtype(asked.weightDtype()
                        .map(WeightDtype::named)
                        .or(() -> WeightDtype.inName(asked.model()))
                        .orElse(WeightDtype.BF16))
                .withTensorParallel(
                        atLeast("tensor_parallel", 1, asked.tensorParallel().orElse(1)))
                .withGpuMemoryUtilization(share)
                .withBatch(
                        atLeast(
                                "max_num_batched_tokens",
                                1,
                                asked.maxNumBatchedTokens().orElse(defaults.maxNumBatchedTokens())),
                        atLeast("max_num_seqs", 1, asked.maxNumSeqs().orElse(defaults.maxNumSeqs())))
                .withBlockSize(atLeast("block_size", 1, asked.blockSize().orElse(KvLayout.DEFAULT_BLOCK_SIZE)));
        return new ServedModel(model, gpu, settings, asked.maxModelLen());
    }

    /** What the cache should be; the engine's own report always goes first. */
    public DerivedCapacity capacity() {
        return DerivedCapacity.of(model, gpu, settings);
    }

    public KvLayout layout() {
        return KvLayout.of(model, settings);
    }

    /** Host memory of a replica as a second tier. */
    public OffloadTier offload(double gib) {
        return OffloadTier.of(layout(), settings.tensorParallel(), gib, 1);
    }

    /**
     * Says what a hybrid model's cache cannot do, one sentence each.
     *
     * @param contextTokens contexts that are to be kept
     * @param sharedTokens prefix that the sessions share
     */
    public List<String> warnings(double contextTokens, long sharedTokens) {
        List<String> warnings = new ArrayList<>();
        if (!(model.attention() instanceof AttentionLayout.GatedDelta)) {
            return warnings;
        }
        int block = layout().blockSize();
        if (contextTokens < block) {
            warnings.add(say(
                    "%s caches whole blocks of %d tokens only: contexts of %.0f tokens are never reused, whatever the"
                            + " size of the cache",
                    model.name(), block, contextTokens));
        } else if (sharedTokens > 0 && sharedTokens < block) {
            warnings.add(say(
                    "%s caches whole blocks of %d tokens only: a shared prefix of %d tokens is never reused by another"
                            + " session, whatever the size of the cache",
                    model.name(), block, sharedTokens));
        }
        int batchedTokens = settings.maxNumBatchedTokens();
        if (block > batchedTokens) {
            warnings.add(say(
                    "%s needs steps of at least one block of %d tokens to cache its states, and max_num_batched_tokens"
                            + " is %d: no prefix is ever reused",
                    model.name(), block, batchedTokens));
        }
        warnings.add(say(
                "%s has recurrent states: vLLM before %s caches no prefixes of it unless told to"
                        + " (--enable-prefix-caching)",
                model.name(), CACHES_STATES_SINCE));
        return warnings;
    }

    private static String say(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    private static int atLeast(String name, int least, int value) {
        if (value < least) {
            throw new UserError(name + " must be at least " + least + ", not " + value);
        }
        return value;
    }
}
