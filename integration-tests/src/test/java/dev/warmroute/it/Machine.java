package dev.warmroute.it;

import dev.warmroute.recorder.ingest.Recorder;
import dev.warmroute.recorder.ingest.RecorderOptions;
import dev.warmroute.recorder.ingest.Until;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.router.publish.Topics;
import dev.warmroute.simulator.load.AgentLoad;
import dev.warmroute.simulator.load.AgentLoadOptions;
import dev.warmroute.simulator.load.AgentLoadSummary;
import dev.warmroute.simulator.replica.ReplicaOptions;
import dev.warmroute.simulator.replica.StandInReplica;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** Four stand-in replicas and a broker, all real but the model; small, and fast enough for a test. */
final class Machine implements AutoCloseable {
    static final String PREFIX = "it";
    static final int REPLICAS = 4;
    static final String TOKEN = "the-operators-token";

    private static final double SPEED = 200;

    private final Path directory;
    private final List<StandInReplica> replicas = new ArrayList<>();
    private EmbeddedBroker broker;

    Machine(Path directory) {
        this.directory = directory;
        startBroker();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            Topics.createMissing(admin, PREFIX, 2, Duration.ofDays(1));
        }
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(replica(0));
        }
    }

    private static StandInReplica replica(int port) {
        return StandInReplica.start(ReplicaOptions.defaults()
                .withPort(port)
                .withCache(400, 16)
                .withBatch(16, 512)
                .withSpeed(SPEED));
    }

    /** Starts an engine again behind its address. */
    void restartReplica(int i) {
        int port = replicas.get(i).port();
        replicas.get(i).close();
        replicas.set(i, replica(port));
    }

    /** Everything on the topics up to now. */
    Recording record(Path trace) {
        new Recorder(RecorderOptions.of(bootstrap(), PREFIX, trace, "test").withUntil(Until.END), p -> {}).run();
        return Recording.open(trace);
    }

    String bootstrap() {
        return broker.bootstrap();
    }

    void stopBroker() {
        broker.close();
    }

    /** Starts the broker where it was, at the address that it had. */
    void startBroker() {
        broker = EmbeddedBroker.start(directory.resolve("broker"));
    }

    LiveRouter router(String policy, int buffer) {
        StringBuilder yaml = new StringBuilder("""
                listen: 127.0.0.1:0
                admin: {listen: 127.0.0.1:0, token: "%s"}
                counters: {interval: 50ms}
                prompt: {fingerprint: tokenize}
                """.formatted(TOKEN));
        yaml.append("kafka: {prefix: ")
                .append(PREFIX)
                .append(", buffer: ")
                .append(buffer)
                .append("}\n");
        yaml.append("data_dir: \"").append(directory).append("\"\n");
        yaml.append("salt_file: \"").append(directory.resolve("salt")).append("\"\n");
        yaml.append("models:\n  - name: stand-in\n    max_num_seqs: 16\n    policy: ")
                .append(policy);
        yaml.append("\n    replicas:\n");
        for (int i = 0; i < REPLICAS; i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: \"")
                    .append(replicas.get(i).url())
                    .append("\"}\n");
        }
        return LiveRouter.start(RouterConfig.parse("the test's router.yaml", yaml.toString()), broker.bootstrap());
    }

    /** Eight agents, one session of four turns each. */
    static AgentLoadSummary drive(LiveRouter router, String arm) {
        return AgentLoad.run(AgentLoadOptions.defaults()
                        .withEndpoint("http://127.0.0.1:" + router.server().port())
                        .withSessions(8)
                        .withShape(200, 300, 50, 4, 20)
                        .withRounds(1)
                        .withTime(
                                36_000,
                                SPEED) // three real minutes: every session ends by itself, on a busy machine too
                        .withArm(arm))
                .summary();
    }

    @Override
    public void close() {
        replicas.forEach(StandInReplica::close);
        broker.close();
    }
}
