package dev.warmroute.cli;

import dev.warmroute.simulator.sweep.SweepWorker;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code worker}: computes scenarios of sweeps. */
@Command(
        name = "worker",
        description =
                "Takes scenarios of sweeps from Kafka, simulates them and sends the results back, until stopped. Any number of"
                        + " workers on any machines share the work; they may come and go, and be killed, while a sweep runs.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute worker --bootstrap localhost:9092 --threads 2"})
final class WorkerCommand implements Callable<Integer> {
    static final String WITH_PARENT = "--with-parent";

    @Spec
    private CommandSpec spec;

    @Mixin
    private SweepCluster cluster;

    @Option(names = "--threads", description = "Scenarios at the same time (default: processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--trace",
            paramLabel = "TRACE",
            description =
                    "A trace as it is called here, for sweeps that call it something else; may be repeated. What is the same is"
                            + " known by its hash.")
    private List<String> traces = List.of();

    @Option(names = WITH_PARENT, hidden = true, description = "End with the process that started this one.")
    private boolean withParent;

    @Override
    public Integer call() {
        PrintWriter stdout = spec.commandLine().getOut();
        String name = SweepCluster.processName();
        SweepWorker.Settings settings = new SweepWorker.Settings(
                cluster.access(), cluster.topics(), name, BuildVersion.program(), threads, traces);
        int computed;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            SweepWorker worker = new SweepWorker(settings, new SweepWorker.Listener() {
                @Override
                public void ready() {
                    stdout.printf(
                            "worker %s takes tasks from %s at %s%n",
                            name, settings.topics().tasks(), settings.access().bootstrap());
                    stdout.flush();
                }

                @Override
                public void computed(int scenarios) {
                    if (!withParent) { // which counts itself
                        progress.update(String.format(Locale.ROOT, "%,d scenarios computed", scenarios));
                    }
                }

                @Override
                public void said(String line) {
                    progress.line(line);
                }
            });
            if (withParent) {
                ProcessHandle.current().parent().ifPresent(p -> p.onExit().thenRun(worker::stop));
            }
            computed = UntilStopped.run(worker::run, worker::stop);
        }
        stdout.printf(Locale.ROOT, "%,d scenarios computed%n", computed);
        return ExitCode.DONE;
    }
}
