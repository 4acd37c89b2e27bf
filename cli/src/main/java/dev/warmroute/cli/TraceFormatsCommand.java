package dev.warmroute.cli;

import dev.warmroute.recorder.format.Part;
import dev.warmroute.recorder.format.TraceFormat;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code trace formats}: what can be read and written. */
@Command(
        name = "formats",
        description =
                "Lists the formats that traces are read from and written to, and what each carries besides lengths of prompts.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute trace formats"})
final class TraceFormatsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    /** A format, for {@code --json}. */
    record Row(
            String name, String summary, String source, boolean written, OptionalInt blockSize, List<String> carries) {}

    /** All of them. */
    record Formats(List<Row> formats) {}

    @Override
    public Integer call() {
        List<Row> rows = Arrays.stream(TraceFormat.values())
                .map(TraceFormatsCommand::row)
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(new Formats(rows), out);
        } else {
            rows.forEach(r -> print(r, out));
        }
        return ExitCode.DONE;
    }

    private static Row row(TraceFormat f) {
        List<String> carries = Arrays.stream(Part.values())
                .filter(f.carries()::contains)
                .map(Part::words)
                .toList();
        return new Row(f.formatName(), f.summary(), f.source(), f.isWritten(), f.blockSize(), carries);
    }

    private static void print(Row r, PrintWriter out) {
        out.printf("%-22s %s%s%n", r.name(), r.summary(), r.written() ? "" : " (read only)");
        out.printf("%22s carries %s%n", "", String.join(", ", r.carries()));
    }
}
