package dev.warmroute.cli;

import dev.warmroute.recorder.ingest.KafkaAccess;
import dev.warmroute.router.publish.PublisherSettings;
import dev.warmroute.simulator.sweep.SweepTopics;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import picocli.CommandLine.Option;

/** The cluster on which sweeps and workers meet. */
final class SweepCluster {
    @Option(names = "--bootstrap", paramLabel = "HOST:PORT", required = true, description = "Brokers.")
    private String bootstrap;

    @Option(names = "--prefix", description = "What the topics' names begin with (default: ${DEFAULT-VALUE}).")
    private String prefix = PublisherSettings.DEFAULT_PREFIX;

    @Option(names = "--property", paramLabel = "NAME=VALUE", description = "Further Kafka property; may be repeated.")
    private Map<String, String> properties = Map.of();

    KafkaAccess access() {
        return new KafkaAccess(bootstrap, properties);
    }

    SweepTopics topics() {
        return new SweepTopics(prefix);
    }

    /** Host and process id: no two processes that run at a time have the same. */
    static String processName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        return host + '-' + ProcessHandle.current().pid();
    }
}
