package dev.warmroute.router.proxy;

import dev.warmroute.router.json.JsonFieldScanner;
import dev.warmroute.router.json.JsonFields;
import dev.warmroute.router.session.BodyIds;
import dev.warmroute.router.session.Opening;
import dev.warmroute.router.session.SpokenBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;

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

    private static final int MODEL = 0;
    private static final int STREAM = 1;

    private final JsonFieldScanner scanner = new JsonFieldScanner(FIELDS);
    private boolean idsWanted;

    /** Begins with a body; {@code idsWanted} says whether its ids matter, which costs reading it to its end. */
    void begin(boolean idsWanted) {
        scanner.reset();
        this.idsWanted = idsWanted;
    }

    /** Reads on, until everything is known that is wanted. */
    void feed(ByteBuf part) {
        if (!idsWanted && scanner.has(MODEL) && scanner.has(STREAM)) {
            return;
        }
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
        return text(MODEL);
    }

    boolean stream() {
        return scanner.value(STREAM).equals("true") && !scanner.isText(STREAM);
    }

    /**
     * What the body tells about the conversation.
     *
     * @param withOpening whether the first user message may stand for a conversation that has no id
     */
    SpokenBody spoken(ByteBuf body, boolean withOpening) {
        return new SpokenBody() {
            @Override
            public BodyIds ids() {
                return new BodyIds(text(2), text(3), text(4), text(5), text(6));
            }

            @Override
            public String opening() {
                if (!withOpening) {
                    return "";
                }
                String opening = Opening.of(new ByteBufInputStream(body.duplicate()));
                return opening.isEmpty() ? "" : model() + '\n' + opening;
            }
        };
    }

    private String text(int field) {
        return scanner.isText(field) ? scanner.value(field) : "";
    }
}
