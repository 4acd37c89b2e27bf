package dev.warmroute.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: what makes a shell complete commands and options. */
@Command(
        name = "completion",
        description = "Prints a script that makes bash, or zsh with bashcompinit, complete commands and options.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  source <(warmroute completion)"})
final class CompletionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CommandLine whole = Main.commandLine(out, spec.commandLine().getErr()); // this run's own has only this command
        out.print(AutoComplete.bash("warmroute", whole));
        return ExitCode.DONE;
    }
}
