package dev.warmroute.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds this simulator against what real engines did. */
@Command(
        name = "validate",
        description = "Holds this simulator against recordings of real engines and published figures.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ValidateOracleCommand.class,
            ValidateFleetCommand.class,
            ValidateSeedCommand.class,
            ValidatePublishedCommand.class,
            ValidateRuleCommand.class,
            ValidateWarmCommand.class
        })
final class ValidateCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to validate: oracle, fleet, seed, published, rule, warm");
    }
}
