package dev.warmroute.router.proxy;

import dev.warmroute.router.json.JsonFieldScanner;
import dev.warmroute.router.json.JsonFields;
import dev.warmroute.router.session.BodyField;
import dev.warmroute.router.session.Opening;
import dev.warmroute.router.session.SpokenBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.util.Arrays;
import java.util.stream.Stream;

/** Reads what routing wants to know out of a request's body while it arrives. One per client connection. */
final class RequestFacts {
    private static final int MODEL = 0;
    private static final int STREAM = 1;
    private static final int PREVIOUS_RESPONSE = 2;
    private static final int FIRST_OF_SPEAKER = 3;

    private static final JsonFields FIELDS = JsonFields.of(Stream.concat(
                    Stream.of("model", "stream", "previous_response_id"),
                    Arrays.stream(BodyField.values()).map(BodyField::path))
            .toArray(String[]::new));

    private final JsonFieldScanner scanner = new JsonFieldScanner(FIELDS);
    private boolean toTheEnd;

    /** Begins with a body; {@code toTheEnd} says whether more is asked of it than model and streaming. */
    void begin(boolean toTheEnd) {
        scanner.reset();
        this.toTheEnd = toTheEnd;
    }

    /** Reads on, until everything is known that is wanted. */
    void feed(ByteBuf part) {
        if (!toTheEnd && scanner.has(MODEL) && scanner.has(STREAM)) {
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

    /** Stored response that the request goes on from; empty when there is none, or it was not asked for. */
    String previousResponse() {
        return text(PREVIOUS_RESPONSE);
    }

    /**
     * What the body tells about the conversation.
     *
     * @param withOpening whether the first user message may stand for a conversation that has no id
     */
    SpokenBody spoken(ByteBuf body, boolean withOpening) {
        return new SpokenBody() {
            @Override
            public String value(BodyField field) {
                int number = FIRST_OF_SPEAKER + field.ordinal();
                return scanner.isText(number) == field.isText() ? scanner.value(number) : "";
            }

            @Override
            public String opening() {
                if (!withOpening || !previousResponse().isEmpty()) {
                    return ""; // what goes on from a stored response does not say how that began
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
