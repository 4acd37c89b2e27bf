package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.kv.ServedModel;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** Options that name a model and its card, from which the cache of a replica is worked out where nobody has said it. */
final class ModelOptions {
    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "Model by name, as Qwen3-4B or Qwen3-32B-AWQ: with --gpu, the cache is worked out from both.")
    private String model;

    @Option(names = "--gpu", paramLabel = "NAME", description = "Card of a replica, as 'RTX A4000' or H100.")
    private String gpu;

    @Option(names = "--kv-dtype", paramLabel = "TYPE", description = "KV cache type, as fp8 (default: bf16).")
    private String kvDtype;

    @Option(
            names = "--weight-dtype",
            paramLabel = "TYPE",
            description = "Type of the weights, as fp8 or int4 (default: what the model's name says, else bf16).")
    private String weightDtype;

    @Option(names = "--tensor-parallel", paramLabel = "N", description = "Cards of one replica (default: 1).")
    private Integer tensorParallel;

    @Option(
            names = "--gpu-memory-utilization",
            paramLabel = "SHARE",
            description = "Share of a card's memory that vLLM takes (default: the version's).")
    private Double gpuMemoryUtilization;

    /**
     * The model that was named, with settings that other options hold.
     *
     * @throws UserError if only half of it was given, or a name is not known (with the nearest that are)
     */
    Optional<ServedModel> served(
            Integer blockSize, Integer maxNumSeqs, Integer maxNumBatchedTokens, Integer maxModelLen) {
        if (model == null && gpu == null) {
            if (given()) {
                throw new UserError(
                        "--kv-dtype, --weight-dtype, --tensor-parallel and --gpu-memory-utilization say nothing without"
                                + " --model and --gpu");
            }
            return Optional.empty();
        }
        if (model == null || gpu == null) {
            throw new UserError(
                    model == null
                            ? "--gpu needs --model: the cache depends on both"
                            : "--model needs --gpu: the cache depends on both");
        }
        return Optional.of(ServedModel.of(new ServedModel.Asked(
                model,
                gpu,
                Optional.ofNullable(kvDtype),
                Optional.ofNullable(weightDtype),
                optional(tensorParallel),
                gpuMemoryUtilization == null ? OptionalDouble.empty() : OptionalDouble.of(gpuMemoryUtilization),
                optional(maxNumSeqs),
                optional(maxNumBatchedTokens),
                optional(maxModelLen),
                optional(blockSize))));
    }

    /** Whether any of these was given. */
    boolean given() {
        return model != null
                || gpu != null
                || kvDtype != null
                || weightDtype != null
                || tensorParallel != null
                || gpuMemoryUtilization != null;
    }

    private static OptionalInt optional(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
