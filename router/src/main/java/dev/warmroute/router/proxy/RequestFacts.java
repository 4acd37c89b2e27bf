package dev.warmroute.router.proxy;

import dev.warmroute.router.json.JsonFieldScanner;
import dev.warmroute.router.json.JsonFields;
import dev.warmroute.router.session.BodyIds;
import io.netty.buffer.ByteBuf;

/** Reads what routing wants to know out of a request's body while it arrives. One per client connection. */
final class RequestFacts {
    private static final JsonFields FIELDS = JsonFields.of(
            "model",
            "stream",
            "metadata.user_id",
            "prompt_cache_key",
            "session_id",
            "litellm_session_id",
            "user");

    private final JsonFieldScanner scanner = new JsonFieldScanner(FIELDS);

    void begin() {
        scanner.reset();
    }

    void feed(ByteBuf part) {
        if (part.nioBufferCount() == 1) {
            scanner.feed(part.nioBuffer());
        } else {
            for (var piece : part.nioBuffers()) {
                scanner.feed(piece);
            }
        }
    }

    /** Model asked for; empty when the body names none. */
    String model() {
        return text(0);
    }

    boolean stream() {
        return scanner.value(1).equals("true") && !scanner.isText(1);
    }

    BodyIds ids() {
        return new BodyIds(text(2), text(3), text(4), text(5), text(6));
    }

    private String text(int field) {
        return scanner.isText(field) ? scanner.value(field) : "";
    }
}
