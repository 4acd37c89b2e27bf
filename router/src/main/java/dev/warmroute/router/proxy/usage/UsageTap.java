package dev.warmroute.router.proxy.usage;

import dev.warmroute.router.proxy.http.AnswerBody;
import dev.warmroute.router.proxy.http.AnswerHead;
import io.netty.buffer.ByteBuf;

/** Listens to the content of one answer after the other on a connection. */
public final class UsageTap implements AnswerBody.Content {
    private enum Mode {
        IGNORE,
        JSON,
        EVENTS
    }

    private final UsageReader reader = new UsageReader();
    private final EventTail tail = new EventTail();
    private Mode mode = Mode.IGNORE;

    /** Begins with an answer; one that is neither JSON nor an event stream, or is compressed, is not listened to. */
    public void begin(AnswerHead head) {
        mode = head.encoded()
                ? Mode.IGNORE
                : head.isEventStream() ? Mode.EVENTS : head.isJson() ? Mode.JSON : Mode.IGNORE;
        if (mode == Mode.JSON) {
            reader.begin();
        } else if (mode == Mode.EVENTS) {
            tail.begin();
        }
    }

    /** Listens to nothing until the next {@link #begin}. */
    public void ignore() {
        mode = Mode.IGNORE;
    }

    @Override
    public void content(ByteBuf piece, int index, int length) {
        switch (mode) {
            case JSON -> reader.feed(piece.nioBuffer(index, length));
            case EVENTS -> tail.feed(piece, index, length);
            default -> {}
        }
    }

    /** The answer's id, as soon as it has been said; empty before. */
    public String id() {
        return switch (mode) {
            case JSON -> reader.id();
            case EVENTS -> tail.id(reader);
            default -> "";
        };
    }

    /** What the answer has said so far. */
    public Usage usage() {
        return switch (mode) {
            case JSON -> reader.read();
            case EVENTS -> tail.read(reader);
            default -> Usage.UNKNOWN;
        };
    }
}
