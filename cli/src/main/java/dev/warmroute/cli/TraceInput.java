package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceSource;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A trace as an argument, and what to do with rows of it that are wrong. */
final class TraceInput {
    @Parameters(
            paramLabel = "TRACE",
            description = "A trace directory, or FORMAT:FILE; trace formats lists the formats.")
    private String trace;

    @Mixin
    private WrongRows wrongRows;

    String trace() {
        return trace;
    }

    TraceSource source() {
        return wrongRows.source(trace);
    }
}
