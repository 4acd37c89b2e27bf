package dev.warmroute.router.proxy;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the replica that holds a response by asking all of them at once, on connections of its own: for responses that another
 * router saw, or this one before it was started again.
 */
final class ResponseFinder implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Models models;
    private final StoredResponses responses;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    ResponseFinder(Models models, StoredResponses responses) {
        this.models = models;
        this.responses = responses;
    }

    /**
     * The holder of a response, remembered from then on; empty when no replica knows it. Ends within two seconds and never
     * fails.
     *
     * @param authorization the client's own, for replicas without a key of their own; may be empty
     */
    CompletableFuture<Optional<Replica>> find(String id, String authorization) {
        CompletableFuture<Optional<Replica>> found = new CompletableFuture<>();
        List<Replica> asked = models.all().stream()
                .flatMap(m -> m.seats().stream())
                .map(Seat::replica)
                .distinct()
                .toList();
        CompletableFuture<?>[] answers = asked.stream()
                .map(replica -> http.sendAsync(
                                question(replica, id, authorization), HttpResponse.BodyHandlers.discarding())
                        .thenAccept(answer -> {
                            if (answer.statusCode() == 200) {
                                responses.remember(id, replica);
                                found.complete(Optional.of(replica));
                            }
                        }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(answers).whenComplete((done, failure) -> found.complete(Optional.empty()));
        return found;
    }

    private static HttpRequest question(Replica replica, String id, String authorization) {
        HttpRequest.Builder request = HttpRequest.newBuilder(replica.config().at(Paths.RESPONSES + '/' + id))
                .timeout(TIMEOUT);
        String key = replica.config().authorization().orElse(authorization);
        if (!key.isEmpty()) {
            request.header("authorization", key);
        }
        return request.build();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
