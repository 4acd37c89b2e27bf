package dev.warmroute.cli;

import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace info}: what a recording holds. */
@Command(
        name = "info",
        description = "Says what a recording holds.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute trace info ./warmroute-demo/trace --verify-hashes"})
final class TraceInfoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Trace directory.")
    private Path directory;

    @Option(names = "--verify-hashes", description = "Compare the SHA-256 of every segment with the manifest.")
    private boolean verifyHashes;

    @Override
    public Integer call() {
        Recording recording = Recording.open(directory);
        if (verifyHashes) {
            recording.verifyHashes();
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(recording.manifest(), out);
        } else {
            print(recording.manifest(), out);
            if (verifyHashes) {
                out.println("hashes     all equal");
            }
        }
        return ExitCode.DONE;
    }

    private void print(TraceManifest m, PrintWriter out) {
        Map<String, Long> events = new TreeMap<>();
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long bytes = 0;
        for (TraceManifest.Segment s : m.segments()) {
            s.events().forEach((type, n) -> events.merge(type, n, Long::sum));
            first = Math.min(first, s.firstTimeUs());
            last = Math.max(last, s.lastTimeUs());
            bytes += s.bytes();
        }
        out.printf(
                "trace      %s: %,d segments, %,d bytes, layout %d, written by warmroute %s%n",
                directory, m.segments().size(), bytes, m.schemaVersion(), m.writtenBy());
        if (m.imported().isPresent()) {
            printImported(m.imported().get(), out);
            return;
        }
        if (!m.segments().isEmpty()) {
            out.printf("time       %s to %s%n", time(first), time(last));
        }
        events.forEach((type, n) -> out.printf("events     %,10d  %s%n", n, type));
        m.positions()
                .forEach(p -> out.printf(
                        "offsets    %s/%d  %d to %d%n", p.topic(), p.partition(), p.firstOffset(), p.nextOffset() - 1));
        TraceManifest.Facts f = m.facts();
        out.println("models     " + String.join(", ", f.models()));
        out.println("replicas   " + String.join(", ", f.replicas()));
        out.println("policies   "
                + String.join(
                        ", ",
                        f.policies().stream()
                                .map(p -> p.name() + " v" + p.version())
                                .toList()));
        out.println("engines    " + String.join(", ", f.engineVersions()));
        out.println("salts      " + String.join(", ", f.saltIds()));
        m.lost()
                .forEach(l -> out.printf(
                        "lost       %,d events of %s-%d, numbers %d to %d: %s%n",
                        l.events(), l.instance(), l.epoch(), l.from(), l.to(), l.reason()));
        m.missing()
                .forEach(x -> out.printf(
                        "missing    numbers %d to %d of %s-%d%n", x.from(), x.to(), x.instance(), x.epoch()));
        m.offsetGaps()
                .forEach(g -> out.printf(
                        "gap        %s/%d  %d to %d: %s%n",
                        g.topic(), g.partition(), g.from(), g.to(), g.reason().wireName()));
        m.expired()
                .forEach(x -> out.printf(
                        "expired    numbers up to %d of %s-%d, by retention%n", x.through(), x.instance(), x.epoch()));
        m.history().forEach(h -> {
            out.printf("made by    %s: %s%n", h.action(), h.detail());
            h.accounting().forEach(a -> out.println("             " + a));
        });
        boolean whole =
                m.lost().isEmpty() && m.missing().isEmpty() && m.offsetGaps().isEmpty();
        out.println("whole      "
                + (!m.closed()
                        ? "not known: its recorder has not ended"
                        : whole ? "nothing is lost or missing" : "no, see above"));
    }

    private static void printImported(TraceManifest.Imported i, PrintWriter out) {
        out.printf("imported   %,d requests from %s%n", i.requests(), i.source());
        out.printf("format     %s, SHA-256 of the source %s%n", i.format(), i.sha256());
        out.printf(
                "knows      %s%s%s; prefixes: %s%n",
                i.times() ? "arrival times" : "no arrival times",
                i.sessions() ? ", sessions" : "",
                i.gaps() ? ", times between turns" : "",
                i.prefixes().replace('_', ' '));
        out.printf("skipped    %,d wrong rows%n", i.skipped());
        i.notes().forEach(n -> out.println("note       " + n));
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
