package dev.warmroute.it;

import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.live.LiveRouter;
import dev.warmroute.router.publish.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/** What the drills share: four replicas that say who they are, a broker that can be taken away, routers, clients. */
final class Drill implements AutoCloseable {
    static final String PREFIX = "drill";
    private static final int REPLICAS = 4;
    private static final Pattern ID = Pattern.compile("\"id\":\"(\\w+)\"");

    private final Path directory;
    private final List<NamedReplica> replicas = IntStream.range(0, REPLICAS)
            .mapToObj(i -> new NamedReplica("r" + i))
            .toList();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private EmbeddedBroker broker;

    Drill(Path directory) {
        this.directory = directory;
    }

    /** Starts a broker outside of the routers, with the topics; at the address that it had, if there was one before. */
    void startBroker() {
        broker = EmbeddedBroker.start(directory.resolve("broker"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            Topics.createMissing(admin, PREFIX, 2, Duration.ofDays(1));
        }
    }

    void stopBroker() {
        broker.close();
    }

    String bootstrap() {
        return broker.bootstrap();
    }

    /** A configuration for these replicas, with further lines. */
    String yaml(String instance, String more) {
        return yaml(instance, more, replicas);
    }

    private String yaml(String instance, String more, List<NamedReplica> inOrder) {
        StringBuilder yaml = new StringBuilder("instance: " + instance + "\n" + more + """

                counters: {interval: 1h}
                prompt: {fingerprint: off}
                data_dir: "%1$s"
                salt_file: "%1$s/salt"
                models:
                  - name: m
                    policy: warden
                    replicas:
                """.formatted(directory));
        inOrder.forEach(r -> yaml.append("      - {id: ")
                .append(r.name())
                .append(", url: \"")
                .append(r.url())
                .append("\"}\n"));
        return yaml.toString();
    }

    /** A router in this process that writes to the drill's broker. */
    LiveRouter router(String instance, int buffer) {
        return router(instance, buffer, "30s");
    }

    /** @param homesWait how long its start waits for the homes */
    LiveRouter router(String instance, int buffer, String homesWait) {
        return router(instance, buffer, homesWait, replicas);
    }

    /** A router that has the replicas in the opposite order, and so decides ties in another way. */
    LiveRouter contraryRouter(String instance, int buffer) {
        return router(instance, buffer, "30s", replicas.reversed());
    }

    private LiveRouter router(String instance, int buffer, String homesWait, List<NamedReplica> inOrder) {
        String more = "listen: 127.0.0.1:0\nadmin: {listen: 127.0.0.1:0}\nkafka: {prefix: " + PREFIX + ", buffer: "
                + buffer + "}\nhomes: {wait: " + homesWait + "}";
        return LiveRouter.start(
                RouterConfig.parse("the drill's router.yaml", yaml(instance, more, inOrder)), bootstrap());
    }

    private static HttpRequest turn(int port, String session, boolean stream) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/chat/completions"))
                .header("content-type", "application/json")
                .header("x-session-id", session)
                .POST(BodyPublishers.ofString("{\"model\":\"m\",\"stream\":" + stream
                        + ",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}"))
                .build();
    }

    /** Name of the replica that answers a conversation's next turn. */
    String turn(int port, String session) {
        try {
            HttpResponse<String> answer = http.send(turn(port, session, false), BodyHandlers.ofString());
            Matcher id = ID.matcher(answer.body());
            if (answer.statusCode() != 200 || !id.find()) {
                throw new AssertionError(answer.statusCode() + " " + answer.body());
            }
            return id.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Begins a turn whose answer does not end, and waits for its first bytes. */
    void beginStream(int port, String session) throws Exception {
        http.send(turn(port, session, true), BodyHandlers.ofInputStream())
                .body()
                .read();
    }

    String get(String url) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    /** Does all at once, a few at a time; results in the order asked for. */
    static <T> List<T> atOnce(List<Callable<T>> tasks, int threads) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<T> results = new ArrayList<>();
            for (Future<T> each : pool.invokeAll(tasks)) {
                results.add(each.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** The replica of each conversation's next turn. */
    List<String> turns(int port, List<String> sessions) throws Exception {
        return atOnce(
                sessions.stream()
                        .<Callable<String>>map(s -> () -> turn(port, s))
                        .toList(),
                8);
    }

    static List<String> sessions(int n) {
        return IntStream.range(0, n).mapToObj(i -> "conversation-" + i).toList();
    }

    @Override
    public void close() {
        replicas.forEach(NamedReplica::close);
        if (broker != null) {
            broker.close();
        }
    }
}
