package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.publish.PublisherSettings;
import dev.warmroute.router.publish.Topics;
import dev.warmroute.simulator.sweep.SweepTopics;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code topics}: the topics on a cluster. */
@Command(
        name = "topics",
        description = "Creates the topics on a Kafka cluster, or says which they are.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute topics --create --bootstrap localhost:9092 --partitions 12"})
final class TopicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--create", description = "Create those that are missing.")
    private boolean create;

    @Option(names = "--bootstrap", paramLabel = "HOST:PORT", description = "Brokers; needed with --create.")
    private String bootstrap;

    @Option(names = "--prefix", description = "What the names begin with (default: ${DEFAULT-VALUE}).")
    private String prefix = PublisherSettings.DEFAULT_PREFIX;

    @Option(names = "--partitions", description = "Partitions of a new topic (default: ${DEFAULT-VALUE}).")
    private int partitions = 4;

    @Option(
            names = "--retention-days",
            paramLabel = "DAYS",
            description = "How long events are kept (default: ${DEFAULT-VALUE}).")
    private int retentionDays = 7;

    @Option(
            names = "--sweeps",
            description = "Those of sweeps too, which sweeps and workers otherwise make themselves.")
    private boolean sweeps;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (!create) {
            for (Topic topic : Topic.values()) {
                out.println(topic.name(prefix) + (topic.compacted() ? "  (compacted)" : ""));
            }
            if (sweeps) {
                out.println(new SweepTopics(prefix).tasks());
                out.println(new SweepTopics(prefix).results() + "  (compacted)");
            }
            return ExitCode.DONE;
        }
        if (bootstrap == null) {
            throw new UserError("say where: --bootstrap HOST:PORT");
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            List<String> made =
                    new ArrayList<>(Topics.createMissing(admin, prefix, partitions, Duration.ofDays(retentionDays)));
            if (sweeps) {
                made.addAll(new SweepTopics(prefix).prepare(admin));
            }
            out.println(made.isEmpty() ? "all topics were there already" : "created " + String.join(", ", made));
        } catch (KafkaException e) {
            throw new UserError("Kafka at " + bootstrap + ": " + e.getMessage(), e);
        }
        return ExitCode.DONE;
    }
}
