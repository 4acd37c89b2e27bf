package dev.warmroute.cli;

import dev.warmroute.recorder.format.OnError;
import dev.warmroute.recorder.format.TraceSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A trace as an argument, and what to do with rows of it that are wrong. */
final class TraceInput {
    @Parameters(
            paramLabel = "TRACE",
            description = "A trace directory, or FORMAT:FILE; trace formats lists the formats.")
    private String trace;

    @Option(
            names = "--on-error",
            paramLabel = "WHAT",
            converter = OnErrorOption.class,
            defaultValue = "stop",
            description = "Wrong rows: stop at the first, skip them all, or a number that may be skipped (default: ${DEFAULT-VALUE}).")
    private OnError onError;

    /** Reads {@code --on-error}. */
    static final class OnErrorOption implements ITypeConverter<OnError> {
        @Override
        public OnError convert(String text) {
            return OnError.parse(text);
        }
    }

    String trace() {
        return trace;
    }

    TraceSource source() {
        return new TraceSource(trace, onError);
    }
}
