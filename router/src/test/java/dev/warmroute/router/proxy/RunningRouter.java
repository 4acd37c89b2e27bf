package dev.warmroute.router.proxy;

import static org.awaitility.Awaitility.await;

import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.session.Salt;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A router in front of scripted replicas of the model {@code m}, r0, r1 and so on, with its events kept in memory. */
final class RunningRouter implements AutoCloseable {
    private final MemorySink sink = new MemorySink();
    private final RouterServer server;

    private RunningRouter(String yaml) {
        this(yaml, 0);
    }

    private RunningRouter(String yaml, int maxSockets) {
        server = RouterServer.start(
                RouterConfig.parse("test", yaml),
                RouterServices.of(sink, new Salt(new byte[32]))
                        .withEventLoops(2)
                        .withMaxSockets(maxSockets));
    }

    static RunningRouter inFrontOf(ScriptedReplica... replicas) {
        return with("", replicas);
    }

    static RunningRouter with(String more, ScriptedReplica... replicas) {
        String[] urls = new String[replicas.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = replicas[i].url();
        }
        return withUrls(more, urls);
    }

    /** With room for so many connections. */
    static RunningRouter withMaxSockets(int maxSockets, ScriptedReplica replica) {
        return new RunningRouter(yaml("", replica.url()), maxSockets);
    }

    static RunningRouter withUrls(String more, String... urls) {
        return new RunningRouter(yaml(more, urls));
    }

    private static String yaml(String more, String... urls) {
        StringBuilder yaml = new StringBuilder("listen: 127.0.0.1:0\nadmin: {listen: '127.0.0.1:0'}\n" + more
                + "\nmodels:\n  - name: m\n    policy: warden\n    replicas:\n");
        for (int i = 0; i < urls.length; i++) {
            yaml.append("      - {id: r")
                    .append(i)
                    .append(", url: '")
                    .append(urls[i])
                    .append("'}\n");
        }
        return yaml.toString();
    }

    static RunningRouter fromYaml(String yaml) {
        return new RunningRouter(yaml);
    }

    RouterServer server() {
        return server;
    }

    MemorySink sink() {
        return sink;
    }

    RawClient client() throws IOException {
        return new RawClient(server.port());
    }

    /** The completions, once there are so many of them; fails when there are more. */
    List<RequestCompleted> completed(int n) {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> sink.all(RequestCompleted.class).size() >= n);
        List<RequestCompleted> all = sink.all(RequestCompleted.class);
        if (all.size() != n) {
            throw new AssertionError(all.size() + " completions instead of " + n + ": " + all);
        }
        return all;
    }

    List<RoutingDecision> decisions() {
        return sink.all(RoutingDecision.class);
    }

    /** Requests in flight on all replicas together. */
    int inFlight() {
        return server.status().models().stream()
                .flatMap(m -> m.replicas().stream())
                .mapToInt(ProxyStatus.ReplicaRow::inFlight)
                .sum();
    }

    @Override
    public void close() {
        server.close("test", Duration.ofSeconds(1));
    }
}
