package dev.warmroute.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks at traces. */
@Command(
        name = "trace",
        description = "Looks at traces, proves them, and makes others of them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TraceInfoCommand.class,
            TraceVerifyCommand.class,
            TraceHeadCommand.class,
            TraceStateCommand.class,
            TraceWhyCommand.class,
            TraceCutCommand.class,
            TraceJoinCommand.class,
            TraceAnonymiseCommand.class,
            TraceImportCommand.class,
            TraceExportCommand.class,
            TraceFormatsCommand.class
        })
final class TraceCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do with the trace: "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
