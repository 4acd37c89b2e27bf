package dev.warmroute.cli;

import dev.warmroute.recorder.ingest.RecordedRun;
import dev.warmroute.recorder.ingest.Recorder;
import dev.warmroute.recorder.ingest.RecorderOptions;
import dev.warmroute.recorder.ingest.Until;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.verify.TraceVerifier;
import dev.warmroute.recorder.verify.Verification;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.load.AgentLoadSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code demo}: the whole path in one command. */
@Command(
        name = "demo",
        description =
                "Runs agent sessions below and above the knee through a live router in front of four stand-in replicas,"
                        + " records and verifies it, predicts it offline, and writes a report.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute demo --out ./warmroute-demo"})
final class DemoCommand implements Callable<Integer> {
    private static final String MARKER = ".warmroute-demo";
    private static final List<DemoArm> ARMS = List.of(
            new DemoArm(8, "random"), new DemoArm(8, "warden"), new DemoArm(16, "random"), new DemoArm(16, "warden"));

    @Spec
    private CommandSpec spec;

    @Option(names = "--out", paramLabel = "DIR", description = "Where everything goes (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("warmroute-demo");

    @Option(names = "--speed", paramLabel = "X", description = "Model seconds in a second (default: ${DEFAULT-VALUE}).")
    private double speed = 10;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Model seconds of each arm (default: ${DEFAULT-VALUE}).")
    private double seconds = 120;

    @Override
    public Integer call() {
        PrintWriter stdout = spec.commandLine().getOut();
        prepare();
        Map<DemoArm, AgentLoadSummary> driven = new LinkedHashMap<>();
        Path trace = out.resolve("trace");
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            progress.line("starting a Kafka broker and " + DemoFleet.REPLICAS + " stand-in replicas");
            try (DemoFleet fleet = new DemoFleet(out, speed)) {
                progress.line("warming up this JVM");
                fleet.run(new DemoArm(4, "least_in_flight"), 3 * speed, n -> {});
                for (DemoArm arm : ARMS) {
                    progress.line(arm.title() + ": " + Figures.plain(seconds) + " s of traffic at "
                            + Figures.plain(speed) + "x");
                    AgentLoadSummary summary = fleet.run(
                            arm, seconds, n -> progress.update("  " + arm.title() + ": " + n + " requests answered"));
                    if (summary.failures() > 0) {
                        throw new UserError(arm.title() + ": " + summary.failures()
                                + " requests failed, the first with: " + summary.firstError());
                    }
                    driven.put(arm, summary);
                }
                progress.line("recording the topics");
                RecordedRun run = new Recorder(
                                RecorderOptions.of(fleet.bootstrap(), DemoFleet.PREFIX, trace, BuildVersion.version())
                                        .withUntil(Until.END),
                                p -> progress.update("  recorded " + p.events() + " events"))
                        .run();
                progress.line(Figures.count(run.events()) + " events recorded");
            }
            Recording recording = Recording.open(trace);
            Verification verification = TraceVerifier.verify(recording);
            progress.line(verification.decisions() + " decisions derived again, " + verification.mismatches()
                    + " mismatches");
            if (!verification.ok()) {
                TraceVerifyCommand.print(verification, stdout);
                return ExitCode.ANSWER_IS_NO;
            }
            progress.line("replaying the recording");
            DemoAnalysis analysis = DemoAnalysis.of(recording, ARMS, speed);
            progress.line("writing the report");
            DemoReport.write(analysis, verification, out);
            DemoReport.print(analysis, verification, stdout);
        }
        stdout.println();
        stdout.println("report  " + out.resolve("report.html"));
        stdout.println("tables  " + out.resolve("tables") + " (Parquet and CSV)");
        stdout.println("trace   " + trace + "   (try: warmroute trace info " + trace + ")");
        return ExitCode.DONE;
    }

    /** An earlier demo is replaced; anything else in the directory is left alone and refused. */
    private void prepare() {
        if (!(speed > 0) || !(seconds > 0)) {
            throw new UserError("--speed and --seconds must be above 0");
        }
        try {
            if (Files.isDirectory(out)) {
                List<Path> content = new ArrayList<>();
                try (Stream<Path> files = Files.list(out)) {
                    files.forEach(content::add);
                }
                if (!content.isEmpty() && !Files.exists(out.resolve(MARKER))) {
                    throw new UserError(out + " is not empty and not an earlier demo; choose another --out");
                }
                for (Path file : content) {
                    delete(file);
                }
            }
            Files.createDirectories(out);
            Files.createFile(out.resolve(MARKER));
        } catch (IOException e) {
            throw new UserError(out + " cannot be prepared: " + e.getMessage(), e);
        }
    }

    private static void delete(Path tree) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(tree)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
