package dev.warmroute.router.ask;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests that may be sent twice. The whole answer has to be there in time, not only its begin, and may not be larger than
 * {@value #MOST_BYTES} bytes. Thread-safe.
 */
public final class ReplicaHttp implements AutoCloseable {
    /** The token ids of more than two million tokens. */
    static final int MOST_BYTES = 16 << 20;

    private final HttpClient http;

    /** @param connect how long a connection may take */
    public ReplicaHttp(Duration connect) {
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connect)
                .build();
    }

    /**
     * Sends a request, a second time where the connection broke: a server closes what it finds idle, and a request may have been
     * on its way by then. To cancel what is returned closes the connection, and the replica drops the request.
     *
     * @param atMost time until the whole answer is there
     * @return fails with an {@link IOException}: an {@link HttpTimeoutException} when it was not there in time, an
     *     {@link AnswerTooLarge} when there is too much of it
     */
    public CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request, Duration atMost) {
        CompletableFuture<HttpResponse<byte[]>> answer = new CompletableFuture<>();
        attempt(request, answer, true);
        CompletableFuture<HttpResponse<byte[]>> inTime =
                answer.copy().orTimeout(atMost.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<HttpResponse<byte[]>> told =
                inTime.exceptionallyCompose(failure -> CompletableFuture.failedFuture(inTime(cause(failure), atMost)));
        told.whenComplete((a, failure) -> answer.cancel(true));
        return told;
    }

    private void attempt(HttpRequest request, CompletableFuture<HttpResponse<byte[]>> answer, boolean again) {
        CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, head -> new LimitedBody(MOST_BYTES));
        sent.whenComplete((whole, failure) -> {
            if (failure == null) {
                answer.complete(whole);
            } else if (again && broke(cause(failure)) && !answer.isDone()) {
                attempt(request, answer, false);
            } else {
                answer.completeExceptionally(cause(failure));
            }
        });
        answer.whenComplete((whole, failure) -> sent.cancel(true));
    }

    private static Throwable inTime(Throwable failure, Duration atMost) {
        return failure instanceof TimeoutException
                ? new HttpTimeoutException("no whole answer within " + atMost.toSeconds() + " s")
                : failure;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static boolean broke(Throwable failure) {
        return failure instanceof IOException
                && !(failure instanceof HttpTimeoutException)
                && !(failure instanceof ConnectException)
                && !(failure instanceof AnswerTooLarge);
    }

    /** Ends what is under way. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
