package dev.warmroute.cli;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace verify}: every decision again, from its own event. */
@Command(
        name = "verify",
        description =
                "Derives every recorded decision again and accounts for requests, places and counters. Exits with 3 when"
                        + " anything does not follow.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute trace verify ./warmroute-demo/trace"})
final class TraceVerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Option(names = "--differences", description = "Differences to tell one by one (default: ${DEFAULT-VALUE}).")
    private int differences = TraceVerifier.DEFAULT_DIFFERENCES;

    @Override
    public Integer call() {
        Verification v = TraceVerifier.verify(Recording.openRecorded(directory), differences);
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(v, out);
        } else {
            print(v, out);
        }
        return v.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    static void print(Verification v, PrintWriter out) {
        out.printf("%,d decisions derived again, %,d mismatches%n", v.decisions(), v.mismatches());
        for (Verification.Check check : v.checks()) {
            out.printf(
                    "  %-4s %-12s %s [tolerance %s]%n",
                    check.ok() ? "ok" : "NOT", check.name(), check.detail(), check.tolerance());
        }
        v.differences().forEach(d -> out.println("  " + d));
    }
}
