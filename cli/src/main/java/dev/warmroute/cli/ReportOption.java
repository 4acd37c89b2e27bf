package dev.warmroute.cli;

import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.export.report.ReportFormat;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.TraceManifest;
import dev.warmroute.recorder.trace.TraceManifest.Position;
import dev.warmroute.router.event.Topic;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The report that a command writes beside its answer. */
final class ReportOption {
    @Option(
            names = "--report",
            paramLabel = "PATH",
            description =
                    "Write a report: a file ending in .html, .md, .json or .pdf, or a directory for all of them and the"
                            + " tables.")
    private Path path;

    boolean wanted() {
        return path != null;
    }

    /** Refuses, before anything is computed, a file that no report can be. */
    void prepare() {
        if (wanted()) {
            ReportFormat.isDirectory(path);
        }
    }

    /**
     * A report that says what made it.
     *
     * @param of the trace or the description that it is about; of a path, the title has the last name
     */
    static ReportBuilder begin(String question, String of, CommandSpec spec) {
        List<String> words = spec.root().commandLine().getParseResult().originalArgs();
        return new ReportBuilder(question + of.substring(of.lastIndexOf('/') + 1))
                .version(BuildVersion.version())
                .command("warmroute " + words.stream().map(ReportOption::quoted).collect(Collectors.joining(" ")));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Says of a recording what it covers, and which engines and routers it is of; of other traces, nothing. */
    static void describe(ReportBuilder report, String trace) {
        try {
            Path directory = Path.of(trace);
            if (!Recording.isRecording(directory)) {
                return;
            }
            TraceManifest manifest = Recording.open(directory).manifest();
            TraceManifest.Facts facts = manifest.facts();
            report.offsets(offsets(manifest));
            report.machine(
                    String.join(", ", facts.replicas()) + "; model " + String.join(", ", facts.models()) + "; engine "
                            + said(facts.engineVersions()) + "; recorded by router " + said(facts.routerVersions()));
        } catch (InvalidPathException e) {
            // a format and a file, not a path
        }
    }

    private static String said(List<String> versions) {
        return versions.isEmpty() ? "of a version that nobody said" : String.join(", ", versions);
    }

    /** Of the decisions, which every figure rests on. */
    private static String offsets(TraceManifest manifest) {
        List<Position> decisions = manifest.positions().stream()
                .filter(p -> p.topic().equals(Topic.DECISIONS.shortName()) && p.nextOffset() > p.firstOffset())
                .toList();
        if (decisions.isEmpty()) {
            return "";
        }
        if (decisions.size() == 1) {
            return "decisions at offsets " + decisions.get(0).firstOffset() + " to "
                    + (decisions.get(0).nextOffset() - 1);
        }
        long events = decisions.stream()
                .mapToLong(p -> p.nextOffset() - p.firstOffset())
                .sum();
        return events + " offsets of decisions in " + decisions.size() + " partitions";
    }

    /** Writes the report and says where it is. */
    void write(ReportBuilder report, PrintWriter err) {
        err.println("report: " + ReportFormat.write(report.build(), path));
    }
}
