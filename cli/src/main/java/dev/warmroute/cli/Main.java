package dev.warmroute.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry point: the command line and what happens to errors. */
@Command(
        name = "warmroute",
        description =
                "Keeps each conversation on the vLLM replica whose prefix cache holds it, records what it did, and"
                        + " answers what-if.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show the stack trace of an error.")
    private boolean debug;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** Runs a command line and ends the process with its exit code. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = run(out, err, args);
        out.flush();
        err.flush();
        UntilStopped.ended();
        System.exit(code);
    }

    /** Runs a command line in this process; returns its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine(out, err, args).execute(args);
    }

    /**
     * The command line, writing to these.
     *
     * @param args what will be executed; commands that it does not name are left out
     */
    static CommandLine commandLine(PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main();
        CommandLine line = new CommandLine(main);
        Commands.addTo(line, args);
        return line.setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExitCodeExceptionMapper(e -> ExitCode.FAILED)
                .setExecutionStrategy(new Errors.Running())
                .setParameterExceptionHandler(new Errors.Usage())
                .setExecutionExceptionHandler(new Errors.Execution(() -> main.debug));
    }
}
