package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.warmroute.router.config.ReplicaConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Asks replicas on connections of its own, which no client's request ever sees. A call waits for its answer; one whose thread
 * is interrupted closes its connection, and the engine drops the request. Thread-safe.
 */
final class EngineClient implements AutoCloseable {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();

    /** @param body missing when the answer was not JSON */
    record Answer(int status, JsonNode body) {
        boolean ok() {
            return status == 200;
        }

        /** What went wrong, without anything that the engine repeats of the request: that may be what a prompt says. */
        String problem() {
            String type = body.at("/error/type").asText();
            return "the replica answered " + status + (type.isEmpty() ? "" : " (" + type + ")");
        }
    }

    /** @param atMost time until the whole answer is there */
    Answer post(ReplicaConfig replica, String path, byte[] body, Duration atMost) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(replica.at(path)).timeout(atMost).POST(BodyPublishers.ofByteArray(body));
        request.header("content-type", "application/json");
        replica.authorization().ifPresent(key -> request.header("authorization", key));
        replica.dataParallelRank().ifPresent(rank -> request.header("x-data-parallel-rank", Integer.toString(rank)));
        var answer = http.send(request.build(), BodyHandlers.ofByteArray());
        return new Answer(answer.statusCode(), json(answer.body()));
    }

    private static JsonNode json(byte[] body) {
        try {
            JsonNode json = MAPPER.readTree(body);
            return json == null ? MissingNode.getInstance() : json;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
