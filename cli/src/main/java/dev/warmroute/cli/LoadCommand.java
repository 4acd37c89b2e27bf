package dev.warmroute.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Drives an endpoint. */
@Command(
        name = "load",
        description = "Drives an OpenAI-compatible endpoint.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {LoadAgentsCommand.class, LoadRampCommand.class, LoadBenchServeCommand.class})
final class LoadCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what load: agents, ramp, bench-serve");
    }
}
