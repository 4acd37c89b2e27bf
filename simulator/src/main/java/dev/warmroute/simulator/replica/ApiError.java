package dev.warmroute.simulator.replica;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A request that is answered with an error, in vLLM's words.
 *
 * <p>There are two shapes. What the schema refuses (broken JSON, a missing field) is worded by the web framework and looks
 * the same on every path; what the server refuses looks as the path's protocol wants it.
 */
final class ApiError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String type;
    private final String param;
    private final boolean schema;

    private ApiError(int status, String type, String param, String message, boolean schema) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
        this.param = param;
        this.schema = schema;
    }

    /** A value that the server refuses; {@code param} is empty when no single field is to blame. */
    static ApiError badRequest(String param, String message) {
        return new ApiError(400, "BadRequestError", param, message, false);
    }

    static ApiError unknownModel(String asked, String served) {
        return new ApiError(
                404,
                "NotFoundError",
                "model",
                "The model `" + asked + "` does not exist. Valid aliases: " + served + ".",
                false);
    }

    /** Too many requests are queued; the client may try again. */
    static ApiError overloaded(int limit) {
        return new ApiError(
                503,
                "ServiceUnavailableError",
                "",
                "The queue is full: " + limit + " requests are waiting or running. Please retry later.",
                false);
    }

    static ApiError closing() {
        return new ApiError(503, "ServiceUnavailableError", "", "The server is shutting down.", false);
    }

    static ApiError internal() {
        return new ApiError(500, "InternalServerError", "", "Internal server error", false);
    }

    static ApiError bodyTooLarge(int limit) {
        return new ApiError(
                413, "RequestEntityTooLarge", "", "The request body is larger than " + limit + " bytes.", false);
    }

    /** The body is not JSON from the given character on. */
    static ApiError brokenJson(long character, String expecting) {
        return invalid(
                "json_invalid",
                "body." + character,
                "JSON decode error",
                "<dict of 0 items>",
                ", 'ctx': {'error': '" + expecting + "'}");
    }

    static ApiError missing(String field, int fields) {
        return invalid("missing", "body." + field, "Field required", "<dict of " + fields + " items>", "");
    }

    /** A field of the wrong type; {@code wanted} completes "Input should be a valid ...". */
    static ApiError wrongType(String field, String wanted, String found) {
        return invalid(wanted + "_type", "body." + field, "Input should be a valid " + wanted, found, "");
    }

    private static ApiError invalid(String kind, String where, String message, String input, String rest) {
        return new ApiError(
                400,
                "Bad Request",
                where,
                "1 validation error:\n  {'type': '" + kind + "', 'loc': '" + where + "', 'msg': '" + message
                        + "', 'input': '" + input + "'" + rest + "}",
                true);
    }

    int status() {
        return status;
    }

    /** Returns the body of the answer. */
    ObjectNode body(boolean anthropic) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (anthropic && !schema) {
            body.put("type", "error").putObject("error").put("type", type).put("message", getMessage());
            return body;
        }
        ObjectNode error = body.putObject("error").put("message", getMessage()).put("type", type);
        if (param.isEmpty()) {
            error.putNull("param");
        } else {
            error.put("param", param);
        }
        error.put("code", status);
        return body;
    }
}
