package dev.warmroute.cli;

import dev.warmroute.export.table.ScenarioTable;
import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.UserError;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.publish.PublisherSettings;
import dev.warmroute.simulator.sweep.GridReader;
import dev.warmroute.simulator.sweep.KafkaRunner;
import dev.warmroute.simulator.sweep.LocalRunner;
import dev.warmroute.simulator.sweep.Sweep;
import dev.warmroute.simulator.sweep.SweepDirectory;
import dev.warmroute.simulator.sweep.SweepExecution;
import dev.warmroute.simulator.sweep.SweepProgress;
import dev.warmroute.simulator.sweep.SweepRow;
import dev.warmroute.simulator.sweep.SweepRunner;
import dev.warmroute.simulator.sweep.SweepSummary;
import dev.warmroute.simulator.sweep.SweepTopics;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sweep}: a grid of scenarios into a table. */
@Command(
        name = "sweep",
        description =
                "Simulates every scenario of a grid (policies x sessions x capacities x replicas x seeds x engines, on a trace or a"
                        + " workload) into a table with a row each: in this process, or by workers over Kafka. The bytes of the table depend on"
                        + " the grid alone.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute sweep data/examples/grid.yaml --out ./sweep"})
final class SweepCommand implements Callable<Integer> {
    /** Workers are started by others. */
    private static final int NONE_HERE = 0;

    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "GRID", description = "YAML file with the grid; docs/SWEEPS.md has its keys.")
    private Path grid;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Directory of the results and the table.")
    private Path out;

    @Option(
            names = "--resume",
            description = "Take over the results that are in DIR, of this grid or of one that has grown into it.")
    private boolean resume;

    /** Who computes. */
    static final class Where {
        @Option(names = "--threads", description = "Scenarios at the same time in this process (default: processors).")
        private Integer threads;

        @Option(
                names = "--workers",
                paramLabel = "N",
                description =
                        "Start N worker processes on this machine, with a broker between; one that dies is replaced.")
        private Integer workers;

        @ArgGroup(exclusive = false)
        private SweepCluster cluster;
    }

    @ArgGroup
    private Where where = new Where();

    @Override
    public Integer call() {
        json.prepare(SweepSummary.class);
        Sweep sweep = GridReader.read(grid, BuildVersion.program());
        try (SweepDirectory directory = SweepDirectory.open(out, sweep, resume)) {
            ScenarioTable.remove(out);
            Computed computed = compute(sweep, directory);
            SweepProgress run = computed.progress;
            if (run.done() < run.all()) {
                throw new UserError("stopped with " + Figures.count(run.done()) + " of " + Figures.count(run.all())
                        + " results in " + out + "; go on with --resume");
            }
            Path table = ScenarioTable.write(computed.rows, out);
            print(SweepSummary.of(table.toString(), sweep, computed.rows, run));
        }
        return ExitCode.DONE;
    }

    /** @param rows empty when it was stopped */
    private record Computed(SweepProgress progress, List<SweepRow> rows) {}

    private Computed compute(Sweep sweep, SweepDirectory directory) {
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            return compute(sweep, directory, progress);
        }
    }

    private Computed compute(Sweep sweep, SweepDirectory directory, Progress progress) {
        if (where.cluster != null) {
            return overKafka(sweep, directory, progress, where.cluster.access(), where.cluster.topics(), NONE_HERE);
        }
        if (where.workers != null) {
            try (EmbeddedBroker broker = EmbeddedBroker.temporary()) {
                KafkaAccess access = new KafkaAccess(broker.bootstrap(), Map.of());
                return overKafka(
                        sweep,
                        directory,
                        progress,
                        access,
                        new SweepTopics(PublisherSettings.DEFAULT_PREFIX),
                        where.workers);
            }
        }
        int threads = where.threads == null ? Runtime.getRuntime().availableProcessors() : where.threads;
        SweepRunner runner = new LocalRunner(threads);
        return run(sweep, directory, progress, runner, runner::stop);
    }

    private Computed overKafka(
            Sweep sweep,
            SweepDirectory directory,
            Progress progress,
            KafkaAccess access,
            SweepTopics topics,
            int workers) {
        String help = "no worker yet; start as many as you like: warmroute worker --bootstrap " + access.bootstrap()
                + " --prefix " + topics.prefix();
        KafkaRunner runner = new KafkaRunner(access, topics, progress::line, workers == NONE_HERE ? help : "");
        Computed computed;
        if (workers == NONE_HERE) {
            computed = run(sweep, directory, progress, runner, runner::stop);
        } else {
            try (WorkerProcesses processes =
                    new WorkerProcesses(workers, access.bootstrap(), progress::line, runner::stop)) {
                computed = run(sweep, directory, progress, runner, () -> {
                    processes.ending();
                    runner.stop();
                });
            }
        }
        runner.byWorker().forEach((worker, results) -> progress.line(worker + " computed " + Figures.count(results)));
        return computed;
    }

    private static Computed run(
            Sweep sweep, SweepDirectory directory, Progress progress, SweepRunner runner, Runnable stop) {
        SweepExecution execution = new SweepExecution(sweep, directory, runner);
        SweepProgress run = UntilStopped.run(() -> execution.run(p -> progress.update(p.line())), stop);
        return new Computed(run, run.done() < run.all() ? List.of() : execution.rows());
    }

    private void print(SweepSummary summary) {
        PrintWriter stdout = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(summary, stdout);
        } else {
            SweepText.print(summary, stdout);
        }
    }
}
