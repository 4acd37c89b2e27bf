package dev.warmroute.simulator.replica;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Whole answers, with the headers that vLLM's web server sets. */
final class Replies {
    private Replies() {}

    /** Sets what every answer has. */
    static void common(HttpServerResponse response) {
        response.putHeader("date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
        response.putHeader("server", "uvicorn");
        response.putHeader("vary", "Origin");
    }

    static void json(HttpServerResponse response, int status, String json) {
        body(response, status, "application/json", json);
    }

    static void error(HttpServerResponse response, ApiError error, boolean anthropic) {
        json(response, error.status(), error.body(anthropic).toString());
    }

    /** What the web framework says when no path or no method matches. */
    static void detail(HttpServerResponse response, int status, String detail) {
        json(response, status, "{\"detail\":\"" + detail + "\"}");
    }

    static void empty(HttpServerResponse response) {
        response.setStatusCode(200).putHeader("content-length", "0").end();
    }

    static void body(HttpServerResponse response, int status, String type, String text) {
        if (response.closed() || response.ended()) {
            return;
        }
        Buffer body = Buffer.buffer(text);
        response.setStatusCode(status)
                .putHeader("content-type", type)
                .putHeader("content-length", Integer.toString(body.length()));
        response.end(body);
    }
}
