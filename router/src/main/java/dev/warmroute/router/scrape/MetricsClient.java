package dev.warmroute.router.scrape;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** GET requests with a limit on their whole time and on the size of the answer. */
final class MetricsClient {
    private static final int MAX_BYTES = 16 << 20;

    /** uvicorn closes idle connections after 5 s. */
    private static final int KEEP_ALIVE_SECONDS = 4;

    private final Vertx vertx;
    private final HttpClient http;
    private final Duration timeout;

    /** An answer, whatever its status. */
    record Answer(int status, String body) {}

    MetricsClient(Vertx vertx, Duration timeout) {
        this.vertx = vertx;
        this.timeout = timeout;
        this.http = vertx.createHttpClient(new HttpClientOptions()
                .setConnectTimeout(Math.toIntExact(timeout.toMillis()))
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS));
    }

    /** Asks; fails when no whole answer came in time. */
    Future<Answer> get(ScrapeTarget target, String path) {
        String base = target.url().toString();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
        target.apiKey().ifPresent(key -> options.putHeader("authorization", "Bearer " + key));
        return http.request(options).compose(request -> {
            Promise<Answer> answered = Promise.promise();
            long timer = vertx.setTimer(
                    timeout.toMillis(),
                    id -> abort(request, answered, "no answer within " + timeout.toMillis() + " ms"));
            request.send().onFailure(answered::tryFail).onSuccess(response -> collect(request, response, answered));
            return answered.future().onComplete(done -> vertx.cancelTimer(timer));
        });
    }

    private static void collect(HttpClientRequest request, HttpClientResponse response, Promise<Answer> answered) {
        Buffer body = Buffer.buffer();
        response.exceptionHandler(answered::tryFail);
        response.handler(chunk -> {
            if (body.length() + chunk.length() > MAX_BYTES) {
                abort(request, answered, "the answer has more than " + MAX_BYTES + " bytes");
            } else {
                body.appendBuffer(chunk);
            }
        });
        response.endHandler(
                end -> answered.tryComplete(new Answer(response.statusCode(), body.toString(StandardCharsets.UTF_8))));
    }

    private static void abort(HttpClientRequest request, Promise<Answer> answered, String why) {
        answered.tryFail(new IOException(why));
        request.reset();
    }
}
