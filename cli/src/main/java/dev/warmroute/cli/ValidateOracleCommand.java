package dev.warmroute.cli;

import dev.warmroute.simulator.validate.OracleCheck;
import dev.warmroute.simulator.validate.OracleResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code validate oracle}: the simulated replica against recorded scheduler steps of vLLM. */
@Command(
        name = "oracle",
        description =
                "Compares the simulated replica with recorded steps of vLLM's own scheduler and cache, field by field."
                        + " Exits with 3 when anything differs.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute validate oracle ../shared/data/vllm-oracle/*.jsonl.gz"})
final class ValidateOracleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Oracle recordings (.jsonl or .jsonl.gz).")
    private List<Path> files;

    @Option(names = "--threads", description = "Files checked at the same time (default: processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        OracleResult result = OracleCheck.run(files, threads, (file, r) -> {
            if (!json.wanted()) {
                out.printf("%-40s %,8d steps  %s%n", file.getFileName(), r.steps(), said(r));
                out.flush();
            }
        });
        if (json.wanted()) {
            json.print(result, out);
        } else {
            out.printf(
                    "%d files, %,d steps, %,d requests: %s%n",
                    result.files(), result.steps(), result.requests(), said(result));
        }
        return result.agrees() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static String said(OracleResult r) {
        return r.agrees()
                ? "equal"
                : r.mismatches() + " mismatches, first: " + r.firstMismatch().orElseThrow();
    }
}
