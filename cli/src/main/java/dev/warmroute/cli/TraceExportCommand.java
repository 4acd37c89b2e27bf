package dev.warmroute.cli;

import dev.warmroute.recorder.format.FormatChoice;
import dev.warmroute.recorder.format.TraceExport;
import dev.warmroute.recorder.format.TraceExport.Exported;
import dev.warmroute.recorder.format.TraceReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trace export}: a trace in another format. */
@Command(
        name = "export",
        description = "Writes a trace in another format, and says what that does not carry.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute trace export ./warmroute-demo/trace --to mooncake -o demo.jsonl.gz",
            "  warmroute trace export claude-code:requests.jsonl.gz --to vllm-timed/64 -o timed.jsonl"
        })
final class TraceExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private TraceInput input;

    @Option(
            names = "--to",
            paramLabel = "FORMAT",
            required = true,
            converter = FormatOption.class,
            description = "The format; FORMAT/SIZE for blocks of SIZE tokens, where it has blocks.")
    private FormatChoice to;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            required = true,
            description = "The file; compressed when its name ends with .gz or .zst.")
    private Path file;

    /** Reads {@code --to}. */
    static final class FormatOption implements ITypeConverter<FormatChoice> {
        @Override
        public FormatChoice convert(String text) {
            return FormatChoice.parse(text);
        }
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Exported exported;
        try (Progress progress = new Progress(spec.commandLine().getErr());
                TraceReader reader = input.source().open()) {
            exported = TraceExport.run(
                    reader, to, file, share -> progress.update("exported " + Math.round(100 * share) + " %"));
        }
        if (json.wanted()) {
            json.print(exported, out);
        } else {
            out.printf(
                    "Exported  %s requests from %s to %s as %s%n",
                    Figures.count(exported.requests()), input.trace(), file, exported.format());
            if (exported.skipped() > 0) {
                out.printf("Skipped   %s wrong rows%n", Figures.count(exported.skipped()));
            }
            exported.notes().forEach(n -> out.println("Note      " + n));
        }
        return ExitCode.DONE;
    }
}
