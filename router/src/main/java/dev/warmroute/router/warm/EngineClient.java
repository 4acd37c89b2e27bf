package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.warmroute.router.ask.ReplicaHttp;
import dev.warmroute.router.config.ReplicaConfig;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Asks replicas on connections of its own, which no client's request ever sees. A call waits for its answer; one whose thread
 * is interrupted closes its connection, and the engine drops the request. Thread-safe.
 */
final class EngineClient implements AutoCloseable {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Duration CONNECT = Duration.ofSeconds(2);

    private final ReplicaHttp http = new ReplicaHttp(CONNECT);

    /**
     * @param empty whether the answer had no body at all
     * @param body missing when the answer was not JSON
     */
    record Answer(int status, boolean empty, JsonNode body) {
        boolean ok() {
            return status == 200;
        }

        /** What went wrong, without anything that the engine repeats of the request: that may be what a prompt says. */
        String problem() {
            String type = body.at("/error/type").asText();
            return "the replica answered " + status + (type.isEmpty() ? "" : " (" + type + ")");
        }
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param atMost time until the whole answer is there
     * @throws IOException as {@link ReplicaHttp#send} says
     */
    Answer post(ReplicaConfig replica, String path, byte[] body, Duration atMost)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(replica.at(path)).POST(BodyPublishers.ofByteArray(body));
        request.header("content-type", "application/json");
        replica.authorization().ifPresent(key -> request.header("authorization", key));
        replica.dataParallelRank().ifPresent(rank -> request.header("x-data-parallel-rank", Integer.toString(rank)));
        CompletableFuture<HttpResponse<byte[]>> sent = http.send(request.build(), atMost);
        try {
            HttpResponse<byte[]> answer = sent.get();
            return new Answer(answer.statusCode(), answer.body().length == 0, json(answer.body()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException("a question to replica " + replica.id() + " failed", e.getCause());
        } finally {
            sent.cancel(true);
        }
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
        http.close();
    }
}
