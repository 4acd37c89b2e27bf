package dev.warmroute.benchmarks.streams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A router in a process of its own, with events to a broker in another one. */
final class RouterUnderTest implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ObjectMapper json = new ObjectMapper();
    private final Program program;
    private final String admin;

    /**
     * Starts a router of the model {@code m} on a port, with its admin address on the next one.
     *
     * @param settings further keys of the model, each with its line's end and four spaces before it
     * @param replicas their ports
     * @param options of the JVM
     */
    RouterUnderTest(
            Path directory, int port, String settings, String bootstrap, List<Integer> replicas, String options) {
        String yaml =
                "listen: 127.0.0.1:" + port + "\nadmin: {listen: '127.0.0.1:" + (port + 1) + "'}\ninstance: drill\n"
                        + "data_dir: " + directory.resolve("router") + "\nkafka: {bootstrap: '" + bootstrap + "'}\n"
                        + "models:\n  - name: m\n" + settings + "    replicas:\n"
                        + replicas.stream()
                                .map(p -> "      - {id: r" + p + ", url: 'http://127.0.0.1:" + p + "'}\n")
                                .collect(Collectors.joining());
        Path file = directory.resolve("router.yaml");
        try {
            Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        admin = "http://127.0.0.1:" + (port + 1);
        program = Program.warmroute(directory.resolve("router.log"), options, "router", "-c", file.toString());
        program.lineThatBegins("events to");
    }

    Watched watched() {
        return program.watched();
    }

    String get(String path) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create(admin + path)).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    JsonNode status() {
        try {
            return json.readTree(get("/warmroute/status"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int inFlight() {
        int n = 0;
        for (JsonNode model : status().path("models")) {
            for (JsonNode replica : model.path("replicas")) {
                n += replica.path("in_flight").asInt();
            }
        }
        return n;
    }

    @Override
    public void close() {
        program.close();
    }
}
