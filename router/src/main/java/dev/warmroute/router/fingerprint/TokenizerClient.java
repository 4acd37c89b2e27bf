package dev.warmroute.router.fingerprint;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.warmroute.router.ask.ReplicaHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks replicas for the token ids of requests. A replica that does not answer is left alone for a while, so that it holds
 * nobody up. Never waits and never fails: what could not be had is empty.
 */
final class TokenizerClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final ReplicaHttp http = new ReplicaHttp(TIMEOUT);
    /** When each replica that did not answer may be asked again. */
    private final Map<String, Long> pausedUntil = new ConcurrentHashMap<>();

    private final AtomicLong unanswered = new AtomicLong();

    /** Times that a replica was asked and did not answer with tokens. */
    long unanswered() {
        return unanswered.get();
    }

    /**
     * Token ids of a request's prompt.
     *
     * @param url base URL of the replica, without a slash at its end
     * @param authorization value of the Authorization field, if the replica wants one
     * @param body the request, for a count by the engine's own rules
     */
    CompletableFuture<Optional<long[]>> tokens(
            String url, Optional<String> authorization, Question question, byte[] body) {
        Long until = pausedUntil.get(url);
        if (until != null && until - System.nanoTime() > 0) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Optional<long[]>> ids =
                ask(url, "/tokenize", authorization, question.json(), TokenizerClient::ids);
        if (!question.countedByMessages()) {
            return ids;
        }
        return ids.thenCombine(
                ask(url, "/v1/messages/count_tokens", authorization, body, TokenizerClient::count),
                (tokens, count) -> tokens.filter(t -> count.isPresent() && count.get() == t.length));
    }

    /** Reads something out of an answer's JSON; null when it is not there. */
    private interface Reading<T> {
        T read(JsonParser json) throws IOException;
    }

    private <T> CompletableFuture<Optional<T>> ask(
            String url, String path, Optional<String> authorization, byte[] body, Reading<T> reading) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        authorization.ifPresent(key -> request.header("authorization", key));
        return http.send(request.build(), TIMEOUT).handle((answer, failure) -> {
            Optional<T> read =
                    failure == null && answer.statusCode() == 200 ? field(answer.body(), reading) : Optional.empty();
            if (read.isEmpty()) {
                unanswered.incrementAndGet();
                boolean refused = failure == null && answer.statusCode() == 400;
                if (!refused) { // 400: it is the request that is wrong, not the replica
                    long now = System.nanoTime();
                    pausedUntil.values().removeIf(until -> until - now <= 0); // also of replicas that are gone
                    pausedUntil.put(url, now + PAUSE_NANOS);
                }
            }
            return read;
        });
    }

    private static <T> Optional<T> field(byte[] json, Reading<T> reading) {
        try (JsonParser parser = Question.MAPPER.getFactory().createParser(json)) {
            return Optional.ofNullable(reading.read(parser));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long[] ids(JsonParser json) throws IOException {
        if (!find(json, "tokens") || json.currentToken() != JsonToken.START_ARRAY) {
            return null;
        }
        long[] ids = new long[1_024];
        int n = 0;
        while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
            if (n == ids.length) {
                ids = Arrays.copyOf(ids, n * 2);
            }
            ids[n++] = json.getLongValue();
        }
        return json.currentToken() == JsonToken.END_ARRAY && n > 0 ? Arrays.copyOf(ids, n) : null;
    }

    private static Integer count(JsonParser json) throws IOException {
        return find(json, "input_tokens") && json.currentToken() == JsonToken.VALUE_NUMBER_INT
                ? json.getIntValue()
                : null;
    }

    /** Goes to the value of a top field. */
    private static boolean find(JsonParser json, String field) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = json.currentName().equals(field);
            json.nextToken();
            if (wanted) {
                return true;
            }
            json.skipChildren();
        }
        return false;
    }
}
