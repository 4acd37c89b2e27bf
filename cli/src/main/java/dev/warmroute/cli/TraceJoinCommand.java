package dev.warmroute.cli;

import dev.warmroute.recorder.edit.TraceJoin;
import dev.warmroute.recorder.trace.Recording;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace join}: one trace of several. */
@Command(
        name = "join",
        description =
                "Makes one trace of several of the same topics: of recorders that shared the partitions, or that recorded one"
                        + " after the other. What several hold is taken once, and must be the same.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute trace join ./trace-a ./trace-b --out ./trace"})
final class TraceJoinCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", arity = "2..*", description = "Trace directories.")
    private List<Path> directories;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Directory of the new trace.")
    private Path out;

    @Override
    public Integer call() {
        TraceJoin.run(directories.stream().map(Recording::open).toList(), out, BuildVersion.version());
        MadeTrace.print(out, json, spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}
