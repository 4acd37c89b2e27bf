package dev.warmroute.simulator.replica;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the handler of a request by path and method, once its whole body is there. An unknown path is answered with 404, an
 * unknown method with 405, an {@link ApiError} as it says.
 */
final class Routes {
    /** Answers a request whose body has been read. */
    interface Handler {
        void handle(HttpServerRequest request, byte[] body);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

    private final Map<String, Map<String, Handler>> handlers = new HashMap<>();
    private final int maxBody;

    Routes(int maxBodyBytes) {
        this.maxBody = maxBodyBytes;
    }

    Routes on(HttpMethod method, String path, Handler handler) {
        handlers.computeIfAbsent(path, p -> new TreeMap<>()).put(method.name(), handler);
        return this;
    }

    void dispatch(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        Replies.common(response);
        Map<String, Handler> methods = handlers.get(request.path());
        Handler handler = methods == null ? null : methods.get(request.method().name());
        if (methods == null) {
            Replies.detail(response, 404, "Not Found");
        } else if (handler == null) {
            response.putHeader("allow", String.join(", ", methods.keySet()));
            Replies.detail(response, 405, "Method Not Allowed");
        } else {
            readBody(request, handler);
        }
    }

    private void readBody(HttpServerRequest request, Handler handler) {
        Buffer body = Buffer.buffer();
        boolean[] refused = {false};
        request.handler(part -> {
            if (body.length() + part.length() <= maxBody) {
                body.appendBuffer(part);
            } else if (!refused[0]) {
                refused[0] = true;
                answer(request, () -> {
                    throw ApiError.bodyTooLarge(maxBody);
                });
            }
        });
        request.exceptionHandler(gone -> refused[0] = true);
        request.endHandler(end -> {
            if (!refused[0]) {
                answer(request, () -> handler.handle(request, body.getBytes()));
            }
        });
    }

    private static void answer(HttpServerRequest request, Runnable handling) {
        boolean anthropic = request.path().startsWith(Api.MESSAGES.path());
        try {
            handling.run();
        } catch (ApiError e) {
            Replies.error(request.response(), e, anthropic);
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.method(), request.path(), e);
            Replies.error(request.response(), ApiError.internal(), anthropic);
        }
    }
}
