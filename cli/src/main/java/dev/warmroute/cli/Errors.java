package dev.warmroute.cli;

import dev.warmroute.router.FileErrors;
import dev.warmroute.router.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a person sees when something goes wrong: one line, and the stack trace only with {@code --debug}. */
final class Errors {
    private Errors() {}

    /** A wrong command line: what is wrong, the nearest right word, and where help is. */
    static final class Usage implements IParameterExceptionHandler {
        @Override
        public int handleParseException(ParameterException e, String[] args) {
            CommandLine command = e.getCommandLine();
            PrintWriter err = command.getErr();
            err.println("warmroute: " + firstLine(e.getMessage()));
            UnmatchedArgumentException.printSuggestions(e, err);
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
            return ExitCode.USAGE;
        }
    }

    /** A failure while running. */
    static final class Execution implements IExecutionExceptionHandler {
        private final BooleanSupplier debug;

        Execution(BooleanSupplier debug) {
            this.debug = debug;
        }

        @Override
        public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
            PrintWriter err = command.getErr();
            command.getOut().flush();
            if (debug.getAsBoolean()) {
                e.printStackTrace(err);
            } else {
                err.println("warmroute: " + message(e));
            }
            return ExitCode.FAILED;
        }
    }

    /** Runs a command; one that needs more memory than there is fails like any other. */
    static final class Running implements IExecutionStrategy {
        @Override
        public int execute(ParseResult parsed) {
            try {
                return new RunLast().execute(parsed);
            } catch (OutOfMemoryError e) {
                String heap = "the Java heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                        + " MiB is too small for this; give it more, as with WARMROUTE_OPTS=-Xmx8g";
                throw new ExecutionException(parsed.commandSpec().commandLine(), heap, new UserError(heap, e));
            }
        }
    }

    /** One message for a person; several lines only where an error lists several problems. */
    static String message(Throwable e) {
        if (e instanceof UserError) {
            return e.getMessage();
        }
        if (e instanceof UncheckedIOException && e.getCause() != null) {
            return message(e.getCause());
        }
        if (e instanceof IOException io) {
            return FileErrors.reason(io);
        }
        return "internal error: " + e + " (run again with --debug and report the stack trace)";
    }

    private static String firstLine(String text) {
        return text == null ? "wrong usage" : text.lines().findFirst().orElse("wrong usage");
    }
}
