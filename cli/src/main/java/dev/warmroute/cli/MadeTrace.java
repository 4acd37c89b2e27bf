package dev.warmroute.cli;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceSummary;
import java.io.PrintWriter;
import java.nio.file.Path;

/** What is said of a trace that a command has made. */
final class MadeTrace {
    private MadeTrace() {}

    static void print(Path directory, JsonOutput json, PrintWriter out) {
        TraceSummary summary = TraceSummary.of(Recording.open(directory));
        if (json.wanted()) {
            json.print(summary, out);
            return;
        }
        out.printf(
                "%s: %,d events in %,d segments, %s to %s%n",
                directory,
                summary.totalEvents(),
                summary.segments(),
                summary.firstTime().orElse("-"),
                summary.lastTime().orElse("-"));
        summary.history().getLast().accounting().forEach(line -> out.println("  " + line));
    }
}
