package dev.warmroute.cli;

import dev.warmroute.recorder.format.OnError;
import dev.warmroute.recorder.format.TraceSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What to do with rows of a trace that are wrong. */
final class WrongRows {
    @Option(
            names = "--on-error",
            paramLabel = "WHAT",
            converter = Converter.class,
            defaultValue = "stop",
            description =
                    "Wrong rows: stop at the first, skip them all, or a number that may be skipped (default: ${DEFAULT-VALUE}).")
    private OnError onError;

    /** Reads the option. */
    static final class Converter implements ITypeConverter<OnError> {
        @Override
        public OnError convert(String text) {
            return OnError.parse(text);
        }
    }

    /** A trace that is read so. */
    TraceSource source(String trace) {
        return new TraceSource(trace, onError);
    }
}
