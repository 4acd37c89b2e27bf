package dev.warmroute.cli;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.ImportVerifier;
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
                "Derives every recorded decision again and accounts for requests, places and counters; of an imported trace,"
                        + " which has requests only, proves files, places and turns. Exits with 3 when anything does not"
                        + " follow.",
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
        Recording recording = Recording.open(directory);
        boolean imported = recording.manifest().imported().isPresent();
        Verification v = imported ? verifyImported(recording) : TraceVerifier.verify(recording, differences);
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(v, out);
        } else if (imported) {
            out.println("Imported: there are requests, and no decisions to derive again");
            printChecks(v, out);
        } else {
            print(v, out);
        }
        return v.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private Verification verifyImported(Recording recording) {
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            return ImportVerifier.verify(
                    recording, differences, share -> progress.update("verified " + Math.round(100 * share) + " %"));
        }
    }

    static void print(Verification v, PrintWriter out) {
        out.printf("%,d decisions derived again, %,d mismatches%n", v.decisions(), v.mismatches());
        printChecks(v, out);
    }

    private static void printChecks(Verification v, PrintWriter out) {
        for (Verification.Check check : v.checks()) {
            out.printf(
                    "  %-4s %-12s %s [tolerance %s]%n",
                    check.ok() ? "ok" : "NOT", check.name(), check.detail(), check.tolerance());
        }
        v.differences().forEach(d -> out.println("  " + d));
    }
}
