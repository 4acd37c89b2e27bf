package dev.warmroute.cli;

import dev.warmroute.simulator.kv.ServedModel;
import dev.warmroute.simulator.replica.ReplicaOptions;
import dev.warmroute.simulator.replica.StandInReplica;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code replica}: a stand-in for one vLLM server. */
@Command(
        name = "replica",
        description =
                "Runs a stand-in vLLM server: the simulator's engine behind vLLM's HTTP API and /metrics, without a model."
                        + " Answers are made-up words; what is cached, scheduled and counted is what vLLM would do.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  warmroute replica --port 9001 --num-gpu-blocks-override 2096 --timing a4000-qwen3-4b"
        })
final class ReplicaCommand implements Callable<Integer> {
    private static final double WORTH_SAYING_SECONDS = 0.5;

    @Spec
    private CommandSpec spec;

    private final ReplicaOptions defaults = ReplicaOptions.defaults();

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host = defaults.host();

    @Option(names = "--port", description = "Port to listen on; 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private int port = defaults.port();

    @Option(
            names = "--served-model-name",
            paramLabel = "NAME",
            description = "Name of the model (default: ${DEFAULT-VALUE}).")
    private String servedModelName = defaults.servedModelName();

    @Option(
            names = "--num-gpu-blocks-override",
            paramLabel = "N",
            description =
                    "KV cache blocks, the null block included (default: what --model and --gpu give, else 28401).")
    private Integer numGpuBlocks;

    @Option(names = "--block-size", paramLabel = "N", description = "Tokens a block (default: the model's, else 16).")
    private Integer blockSize;

    @Mixin
    private ModelOptions model;

    @Option(
            names = "--max-num-seqs",
            paramLabel = "N",
            description = "Most running requests (default: the version's for the card of the timing preset).")
    private int maxNumSeqs = defaults.maxNumSeqs();

    @Option(
            names = "--max-num-batched-tokens",
            paramLabel = "N",
            description = "Token budget of a step (default: the version's for the card of the timing preset).")
    private int maxNumBatchedTokens = defaults.maxNumBatchedTokens();

    @Option(
            names = "--max-model-len",
            paramLabel = "N",
            description = "Most tokens of a request, prompt and output (default: 131072, or what the cache holds).")
    private int maxModelLen;

    @Option(
            names = "--speed",
            paramLabel = "X",
            description = "How many times faster than its own time it runs (default: ${DEFAULT-VALUE}).")
    private double speed = defaults.speed();

    @Option(
            names = "--profile",
            paramLabel = "VERSION",
            description =
                    "vLLM version whose decisions it takes and whose defaults and metrics it has, from 0.8.0 on (default:"
                            + " ${DEFAULT-VALUE}).")
    private String profile = defaults.profile();

    @Option(
            names = "--timing",
            paramLabel = "PRESET",
            description = "Step-time preset, and with it the card (default: that of --model on --gpu, else h100-8b).")
    private String timing;

    @Override
    public Integer call() throws InterruptedException {
        Optional<ServedModel> served =
                model.served(blockSize, given(maxNumSeqs), given(maxNumBatchedTokens), given(maxModelLen));
        ReplicaOptions options = options(served);
        PrintWriter out = spec.commandLine().getOut();
        try (StandInReplica replica = StandInReplica.start(options)) {
            out.printf(
                    "stand-in replica of '%s' on %s: %,d tokens of cache, timing %s at %sx%n",
                    servedModelName,
                    replica.url(),
                    replica.options().cacheTokens(),
                    options.timing().isEmpty() ? "of the model on its card" : options.timing(),
                    Figures.plain(speed));
            if (numGpuBlocks == null) {
                served.ifPresent(s ->
                        out.println("capacity derived: " + s.capacity().likely().explanation()));
            }
            served.ifPresent(s -> s.warnings(Integer.MAX_VALUE, 0).forEach(w -> out.println("warning: " + w)));
            out.flush();
            UntilStopped.await();
            if (replica.lostSeconds() > WORTH_SAYING_SECONDS) {
                spec.commandLine()
                        .getErr()
                        .printf(
                                "this machine is too slow for --speed %s: steps began %.1f s late in all%n",
                                Figures.plain(speed), replica.lostSeconds());
            }
        }
        return ExitCode.DONE;
    }

    /** Defaults, then the model on its card, then what was given by itself. */
    private ReplicaOptions options(Optional<ServedModel> served) {
        ReplicaOptions machine = served.map(defaults::withServed).orElse(defaults);
        return new ReplicaOptions(
                host,
                port,
                servedModelName,
                numGpuBlocks == null ? machine.numGpuBlocks() : numGpuBlocks,
                blockSize == null || served.isPresent() ? machine.blockSize() : blockSize,
                maxNumSeqs,
                maxNumBatchedTokens,
                maxModelLen,
                speed,
                profile,
                timing == null ? machine.timing() : timing,
                defaults.answerTokens(),
                defaults.maxQueued(),
                defaults.maxBodyBytes(),
                served);
    }

    private static Integer given(int value) {
        return value == 0 ? null : Integer.valueOf(value);
    }
}
