package dev.warmroute.cli;

import dev.warmroute.recorder.ingest.RecordedRun;
import dev.warmroute.recorder.ingest.Recorder;
import dev.warmroute.recorder.ingest.RecorderOptions;
import dev.warmroute.recorder.ingest.Until;
import dev.warmroute.recorder.trace.Retention;
import dev.warmroute.recorder.trace.TraceWriter.Limits;
import dev.warmroute.router.UserError;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.publish.PublisherSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code record}: topics into a trace directory. */
@Command(
        name = "record",
        description =
                "Records a router's topics into a trace directory, until stopped or up to an end. Started again on the same"
                        + " directory it goes on where the trace ends. Several recorders of a group share the partitions, each with a"
                        + " directory of its own; 'trace join' makes one of them.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute record --data-dir ./warmroute-data --out ./trace --until end"})
final class RecordCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** Which broker. */
    static final class From {
        @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Brokers.")
        private String bootstrap;

        @Option(
                names = "--data-dir",
                paramLabel = "DIR",
                description = "data_dir of a router that brings its own broker.")
        private Path dataDir;
    }

    @ArgGroup(multiplicity = "1")
    private From from;

    @Option(names = "--prefix", description = "What the topics' names begin with (default: ${DEFAULT-VALUE}).")
    private String prefix = PublisherSettings.DEFAULT_PREFIX;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Trace directory.")
    private Path out;

    @Option(names = "--group", description = "Consumer group in which several recorders share the partitions.")
    private String group;

    @Option(
            names = "--until",
            paramLabel = "END",
            description =
                    "'end' for what the topics hold now, or a time such as 2026-11-30T12:00:00Z (default: until stopped).")
    private String until;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description =
                    "Begin with events of this time, of partitions that are not in the trace (default: everything there is).")
    private Instant first;

    @Option(
            names = "--roll",
            converter = Quantity.Time.class,
            paramLabel = "TIME",
            description =
                    "Finish segments at least this often; what is finished is safe and can be read (default: 5m).")
    private Duration roll = RecorderOptions.DEFAULT_ROLL;

    @Option(
            names = "--keep",
            converter = Quantity.Time.class,
            paramLabel = "TIME",
            description = "Drop segments whose last event is older, such as 30d (default: keep everything).")
    private Duration keep;

    @Option(
            names = "--keep-size",
            converter = Quantity.Size.class,
            paramLabel = "SIZE",
            description = "Drop the oldest segments while all take more, such as 100GB (default: keep everything).")
    private Long keepSize;

    @Option(names = "--property", paramLabel = "NAME=VALUE", description = "Further Kafka property; may be repeated.")
    private Map<String, String> properties = Map.of();

    @Override
    public Integer call() {
        RecorderOptions options = RecorderOptions.of(bootstrap(), prefix, out, BuildVersion.version())
                .withProperties(properties)
                .withRolling(Limits.DEFAULT, roll)
                .withRetention(new Retention(
                        Optional.ofNullable(keep), keepSize == null ? OptionalLong.empty() : OptionalLong.of(keepSize)))
                .withUntil(until());
        if (first != null) {
            options = options.withFrom(first.toEpochMilli());
        }
        if (group != null) {
            options = options.withGroup(group);
        }
        RecordedRun run;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            Recorder recorder = new Recorder(
                    options,
                    p -> progress.update(String.format(
                            "recorded %,d events, %,.0f/s, %s to go",
                            p.events(), p.eventsPerSecond(), p.lag() < 0 ? "?" : Figures.count(p.lag()))));
            run = UntilStopped.run(recorder::run, recorder::stop);
        }
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.printf(
                "%,d events recorded in %.1f s into %s (%,d segments)%n",
                run.events(), run.seconds(), out, run.manifest().segments().size());
        return ExitCode.DONE;
    }

    private String bootstrap() {
        if (from.bootstrap != null) {
            return from.bootstrap;
        }
        return EmbeddedBroker.lastBootstrap(from.dataDir.resolve("broker"))
                .orElseThrow(
                        () -> new UserError("no broker has run in " + from.dataDir + "; is it the router's data_dir?"));
    }

    private Until until() {
        if (until == null) {
            return Until.STOPPED;
        }
        if (until.equals("end")) {
            return Until.END;
        }
        try {
            return new Until.Time(Instant.parse(until).toEpochMilli());
        } catch (DateTimeParseException e) {
            throw new UserError("--until must be 'end' or a time such as 2026-11-30T12:00:00Z, not '" + until + "'", e);
        }
    }
}
