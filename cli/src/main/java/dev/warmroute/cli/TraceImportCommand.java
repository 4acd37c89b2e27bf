package dev.warmroute.cli;

import dev.warmroute.recorder.format.RepeatedReader;
import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceImport;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TurnSummary;
import dev.warmroute.recorder.trace.Turn;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trace import}: a trace of any format becomes a trace directory. */
@Command(
        name = "import",
        description =
                "Brings a trace of another format into a trace directory, and says what it knows and what was assumed.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute trace import mooncake:conversation_trace.jsonl -o ./conversation",
            "  warmroute trace import burstgpt:BurstGPT_3.csv --on-error 100 -o ./burstgpt"
        })
final class TraceImportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private TraceInput input;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            required = true,
            description = "Directory of the new trace.")
    private Path directory;

    @Option(
            names = "--copies",
            paramLabel = "N",
            description = "The trace N times, one copy after the other, each with conversations and content of its own"
                    + " (default: ${DEFAULT-VALUE}).")
    private int copies = 1;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        TurnSummary summary;
        try (Progress progress = new Progress(spec.commandLine().getErr());
                TraceReader reader = copies == 1 ? input.source().open() : new RepeatedReader(input.source(), copies)) {
            summary = TraceImport.run(
                    reader,
                    directory,
                    BuildVersion.version(),
                    share -> progress.update("imported " + Math.round(100 * share) + " %"));
        }
        if (json.wanted()) {
            json.print(summary, out);
        } else {
            print(summary, directory, out);
        }
        return ExitCode.DONE;
    }

    private static void print(TurnSummary s, Path directory, PrintWriter out) {
        TraceDescription d = s.description();
        out.printf("Imported  %s from %s into %s%n", count(s.requests(), "request"), d.name(), directory);
        out.printf(
                "Sessions  %s%s%n",
                d.hasSessions() ? count(s.sessions(), "session") : "none",
                s.agents() > 0 ? ", " + count(s.agents(), "sub-agent") : "");
        out.printf(
                "Prompts   %s tokens, p50 %s, p90 %s, longest %s%n",
                Figures.count(s.promptTokens()),
                Figures.count(s.promptP50()),
                Figures.count(s.promptP90()),
                Figures.count(s.promptMax()));
        out.printf("Answers   %s tokens, p50 %s%n", Figures.count(s.outputTokens()), Figures.count(s.outputP50()));
        if (s.cachedTokens() != Turn.UNKNOWN) {
            out.printf("Cached    %s tokens as measured%n", Figures.count(s.cachedTokens()));
        }
        out.printf(
                "Times     %s%n",
                d.hasTimes()
                        ? Figures.count(Math.round(s.seconds())) + " s from the first arrival to the last"
                                + (d.commonClock() ? "" : ", each session from its own start")
                        : "not known");
        out.printf(
                "Gaps      %s%n",
                d.hasGaps() ? "known of " + count(s.gaps(), "turn") : "not known: a replay is an open loop");
        out.printf(
                "Prefixes  %s%s%n",
                d.prefixes().meaning(), d.blockSize() > 0 ? ", blocks of " + d.blockSize() + " tokens" : "");
        if (d.skipped() > 0) {
            out.printf("Skipped   %s%n", count(d.skipped(), "wrong row"));
        }
        d.notes().forEach(n -> out.println("Note      " + n));
    }

    private static String count(long n, String what) {
        return Figures.count(n) + ' ' + what + (n == 1 ? "" : "s");
    }
}
