package dev.warmroute.router.proxy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Asks every replica's {@code /health} every two seconds, on threads and connections of its own that no request ever sees. A
 * refused connection or an error status is a failure; silence is one only if the replica has not answered any request lately
 * either. A replica that comes up, and every half minute, is asked for its version and the models it serves.
 */
final class HealthChecks implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Adapters come and go while an engine runs. */
    private static final int CHECKS_BETWEEN_INTRODUCTIONS = 15;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Shared shared;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final Map<Replica, Watch> watches = new HashMap<>();
    private boolean open;

    /**
     * The watch over a replica.
     *
     * @param over counted down when it is to end
     */
    private record Watch(Thread thread, CountDownLatch over) {
        /** Ends between two checks, or in the middle of one. */
        private void end() {
            over.countDown();
            thread.interrupt();
        }
    }

    HealthChecks(Shared shared) {
        this.shared = shared;
    }

    synchronized void start() {
        open = true;
        watchMembers();
    }

    /** Watches the replicas that are members now and no others. */
    synchronized void watchMembers() {
        if (!open) {
            return;
        }
        for (ModelRoute route : shared.models().all()) {
            for (Seat seat : route.seats()) {
                watches.computeIfAbsent(seat.replica(), replica -> begin(route, replica));
            }
        }
        watches.entrySet().removeIf(watched -> {
            if (watched.getKey().removed()) {
                watched.getValue().end();
            }
            return watched.getKey().removed();
        });
    }

    private Watch begin(ModelRoute route, Replica replica) {
        CountDownLatch over = new CountDownLatch(1);
        Thread thread =
                Thread.ofVirtual().name("warmroute-health-" + replica.id()).start(() -> watch(route, replica, over));
        return new Watch(thread, over);
    }

    private void watch(ModelRoute route, Replica replica, CountDownLatch over) {
        boolean known = false;
        int checks = 0;
        try {
            do {
                boolean wasOut = !replica.health().up();
                if (check(replica)) {
                    if (!known || wasOut || ++checks % CHECKS_BETWEEN_INTRODUCTIONS == 0) {
                        introduce(route, replica);
                    }
                    if (!known && !wasOut) {
                        shared.observer().up(replica);
                    }
                    known = true;
                    shared.observer().succeeded(replica);
                }
            } while (!over.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean check(Replica replica) throws InterruptedException {
        try {
            replica.lookUpAgain();
            int status = http.send(request(replica, "/health"), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status >= 500) {
                shared.observer().failed(replica, "health_" + status);
            }
            return status < 500;
        } catch (HttpConnectTimeoutException e) {
            shared.observer().failed(replica, "connect_timeout");
        } catch (HttpTimeoutException e) {
            if (shared.clock().nanos() - replica.answeredAt() > TIMEOUT.toNanos()) {
                shared.observer().failed(replica, "health_timeout");
            }
        } catch (IOException e) {
            shared.observer().failed(replica, "health_unreachable");
        }
        return false;
    }

    private HttpRequest request(Replica replica, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(replica.config().at(path)).timeout(TIMEOUT);
        replica.config().authorization().ifPresent(key -> request.header("authorization", key));
        return request.build();
    }

    /** Learns version and model description; a replica that does not tell them is as good. */
    private void introduce(ModelRoute route, Replica replica) throws InterruptedException {
        replica.engineVersion(
                get(replica, "/version").map(v -> v.path("version").asText("")).filter(v -> !v.isEmpty()));
        for (JsonNode card : get(replica, "/v1/models").map(m -> m.path("data")).orElse(MAPPER.createArrayNode())) {
            if (card instanceof ObjectNode object) {
                shared.models().describe(route, object);
            }
        }
    }

    private Optional<JsonNode> get(Replica replica, String path) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = http.send(request(replica, path), HttpResponse.BodyHandlers.ofByteArray());
            return answer.statusCode() == 200 ? Optional.of(MAPPER.readTree(answer.body())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized void close() {
        open = false;
        watches.values().forEach(Watch::end);
        for (Watch watch : watches.values()) {
            try {
                watch.thread().join(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        http.shutdownNow();
    }
}
