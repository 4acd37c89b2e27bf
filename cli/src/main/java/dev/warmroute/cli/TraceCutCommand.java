package dev.warmroute.cli;

import dev.warmroute.recorder.edit.TraceCut;
import dev.warmroute.recorder.trace.Moment;
import dev.warmroute.recorder.trace.Recording;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace cut}: a part of a trace. */
@Command(
        name = "cut",
        description =
                "Makes a trace of a part of another: from one moment to another, of some conversations, of some models. The"
                        + " new trace verifies; its manifest says how accounts are treated at the edges of what was left out.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nMoments:%n",
        footer = {
            "  2026-11-30T08:00:00Z   a time (RFC 3339)",
            "  +90s, +5m, +1h         time after the trace's first event",
            "  decisions/0:4711       when the event at this offset of this partition happened",
            "  4711                   the same, where the decisions have one partition",
            "",
            "Example:",
            "  warmroute trace cut ./warmroute-demo/trace --from +5s --to +20s --out ./part"
        })
final class TraceCutCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Option(names = "--from", paramLabel = "MOMENT", description = "First moment to keep (default: the beginning).")
    private String from;

    @Option(names = "--to", paramLabel = "MOMENT", description = "First moment no longer to keep (default: the end).")
    private String to;

    @Option(
            names = "--session",
            paramLabel = "HASH",
            description = "Keep this conversation, named by its hash or the beginning of it; may be repeated.")
    private Set<String> sessions = new LinkedHashSet<>();

    @Option(names = "--model", paramLabel = "NAME", description = "Keep this model's requests; may be repeated.")
    private Set<String> models = new LinkedHashSet<>();

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Directory of the new trace.")
    private Path out;

    @Override
    public Integer call() {
        Recording source = Recording.open(directory);
        new TraceCut(us(source, from), us(source, to), sessions, models).run(source, out, BuildVersion.version());
        MadeTrace.print(out, json, spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    private static OptionalLong us(Recording source, String moment) {
        return moment == null
                ? OptionalLong.empty()
                : OptionalLong.of(Moment.parse(moment).us(source));
    }
}
