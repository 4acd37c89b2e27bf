package dev.warmroute.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ErrorsTest {
    @Command(name = "hungry")
    static final class Hungry implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new OutOfMemoryError("Java heap space");
        }
    }

    @Test
    void aCommandThatNeedsMoreMemorySaysHowToGiveItMore() {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new Hungry())
                .setErr(new PrintWriter(err, true))
                .setExecutionStrategy(new Errors.Running())
                .setExecutionExceptionHandler(new Errors.Execution(() -> false))
                .execute();
        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .startsWith("warmroute: the Java heap of ")
                .contains(" MiB is too small for this; give it more, as with WARMROUTE_OPTS=-Xmx8g")
                .hasLineCount(1);
    }
}
