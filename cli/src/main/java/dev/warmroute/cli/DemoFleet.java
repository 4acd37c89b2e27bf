package dev.warmroute.cli;

import dev.warmroute.router.UserError;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.router.publish.Topics;
import dev.warmroute.simulator.load.AgentLoad;
import dev.warmroute.simulator.load.AgentLoadOptions;
import dev.warmroute.simulator.load.AgentLoadSummary;
import dev.warmroute.simulator.replica.ReplicaOptions;
import dev.warmroute.simulator.replica.StandInReplica;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.apache.kafka.clients.admin.Admin;

/**
 * The demo's machine, all of it real but the model: a Kafka broker, four stand-in replicas behind HTTP with the cache of the
 * published machine (4 x RTX A4000, Qwen3-4B), and a router for each arm.
 */
final class DemoFleet implements AutoCloseable {
    static final String MODEL = "demo";
    static final String PREFIX = "warmroute";
    static final int REPLICAS = 4;
    static final int BLOCK_SIZE = 16;
    static final int USABLE_BLOCKS = 2_095;
    static final int MAX_NUM_SEQS = 32;
    static final int MAX_NUM_BATCHED_TOKENS = 2_048;
    /** The published load: a shared system prompt, a long first message, five more turns. */
    private static final int SHARED_TOKENS = 3_500;

    private static final int FIRST_TOKENS = 7_350;
    private static final int GROWTH_TOKENS = 400;
    private static final int TURNS = 6;
    private static final int OUTPUT_TOKENS = 230;

    static final String TIMING = "a4000-qwen3-4b";

    private final Path directory;
    private final double speed;
    private final EmbeddedBroker broker;
    private final List<StandInReplica> replicas = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    DemoFleet(Path directory, double speed) {
        this.directory = directory;
        this.speed = speed;
        this.broker = EmbeddedBroker.start(directory.resolve("broker"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            Topics.createMissing(admin, PREFIX, 2, Duration.ofDays(7));
        }
        ReplicaOptions options = ReplicaOptions.defaults()
                .withPort(0)
                .withServedModelName(MODEL)
                .withCache(USABLE_BLOCKS + 1, BLOCK_SIZE)
                .withBatch(MAX_NUM_SEQS, MAX_NUM_BATCHED_TOKENS)
                .withTiming(TIMING)
                .withSpeed(speed);
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(StandInReplica.start(options));
        }
    }

    String bootstrap() {
        return broker.bootstrap();
    }

    /** Runs an arm on empty caches; each has a router of its own, whose start marks it in the recording. */
    AgentLoadSummary run(DemoArm arm, double modelSeconds, IntConsumer answered) {
        replicas.forEach(this::clearCache);
        try (LiveRouter router = LiveRouter.start(config(arm), broker.bootstrap())) {
            AtomicInteger count = new AtomicInteger();
            return AgentLoad.run(
                            AgentLoadOptions.defaults()
                                    .withEndpoint("http://127.0.0.1:"
                                            + router.server().port())
                                    .withModel(MODEL)
                                    .withSessions(arm.sessions())
                                    .withShape(SHARED_TOKENS, FIRST_TOKENS, GROWTH_TOKENS, TURNS, OUTPUT_TOKENS)
                                    .withTime(modelSeconds, speed)
                                    .withArm(arm.id()),
                            r -> answered.accept(count.incrementAndGet()))
                    .summary();
        }
    }

    private RouterConfig config(DemoArm arm) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("listen: 127.0.0.1:0\nadmin: {listen: 127.0.0.1:0}\n");
        yaml.append("data_dir: ").append(quoted(directory)).append('\n');
        yaml.append("salt_file: ").append(quoted(directory.resolve("salt"))).append('\n');
        yaml.append("counters: {interval: ").append(Math.round(1000 / speed)).append("ms}\n");
        yaml.append("prompt: {fingerprint: tokenize}\n");
        yaml.append("kafka: {prefix: ").append(PREFIX).append("}\n");
        yaml.append("models:\n  - name: ")
                .append(MODEL)
                .append("\n    max_num_seqs: ")
                .append(MAX_NUM_SEQS);
        yaml.append("\n    policy: ").append(arm.policy()).append("\n    replicas:\n");
        for (int i = 0; i < replicas.size(); i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: \"")
                    .append(replicas.get(i).url())
                    .append("\"}\n");
        }
        return RouterConfig.parse("the demo's router.yaml", yaml.toString());
    }

    private static String quoted(Path path) {
        return '"' + path.toAbsolutePath().toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private void clearCache(StandInReplica replica) {
        try {
            HttpRequest reset = HttpRequest.newBuilder(URI.create(replica.url() + "/reset_prefix_cache"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            http.send(reset, HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UserError("a stand-in replica does not answer on " + replica.url() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted", e);
        }
    }

    @Override
    public void close() {
        replicas.forEach(StandInReplica::close);
        broker.close();
    }
}
