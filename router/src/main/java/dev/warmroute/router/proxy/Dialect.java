package dev.warmroute.router.proxy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warmroute.router.proxy.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The client's dialect: in which words it hears that something went wrong. */
enum Dialect {
    OPENAI {
        @Override
        ObjectNode error(int status, String message) {
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            answer.putObject("error")
                    .put("message", message)
                    .put("type", openAiType(status))
                    .put("param", status == 404 && message.contains("model") ? "model" : null)
                    .put("code", status);
            return answer;
        }

        @Override
        String event(int status, String message) {
            return "data: " + error(status, message) + "\n\n";
        }

        @Override
        int overloaded() {
            return 503;
        }
    },
    ANTHROPIC {
        @Override
        ObjectNode error(int status, String message) {
            ObjectNode answer = JsonNodeFactory.instance.objectNode().put("type", "error");
            answer.putObject("error").put("type", anthropicType(status)).put("message", message);
            return answer;
        }

        @Override
        String event(int status, String message) {
            return "event: error\ndata: " + error(status, message) + "\n\n";
        }

        @Override
        int overloaded() {
            return 529;
        }
    };

    /** The dialect of a request, by its path and headers. */
    static Dialect of(RequestHead head) {
        return head.path().startsWith("/v1/messages")
                        || !head.first("anthropic-version").isEmpty()
                ? ANTHROPIC
                : OPENAI;
    }

    /** Body of an error answer. */
    abstract ObjectNode error(int status, String message);

    /** The same inside a stream that has begun. */
    abstract String event(int status, String message);

    /** Status that says "not now, come back". */
    abstract int overloaded();

    /** Name in events. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    byte[] errorBody(int status, String message) {
        return error(status, message).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String openAiType(int status) {
        return switch (status) {
            case 403 -> "PermissionDeniedError";
            case 404 -> "NotFoundError";
            case 413 -> "RequestEntityTooLarge";
            case 502 -> "BadGatewayError";
            case 503 -> "ServiceUnavailableError";
            case 504 -> "GatewayTimeoutError";
            default -> status >= 500 ? "InternalServerError" : "BadRequestError";
        };
    }

    private static String anthropicType(int status) {
        return switch (status) {
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 413 -> "request_too_large";
            case 504 -> "timeout_error";
            case 529 -> "overloaded_error";
            default -> status >= 500 ? "api_error" : "invalid_request_error";
        };
    }
}
