package dev.warmroute.router.proxy.http;

import io.netty.buffer.ByteBuf;
import java.util.Optional;

/** Reads the heads of answers on one connection, one after the other. */
public final class AnswerHeads {
    private final HeadCollector collector = new HeadCollector(AnswerHead.MAX_BYTES);

    /**
     * Reads on; moves the reader index behind what was taken.
     *
     * @param toHead whether a HEAD request is being answered
     * @return the head, once it is whole
     */
    public Optional<AnswerHead> take(ByteBuf piece, boolean toHead) throws BadAnswer {
        byte[] head = collector.take(piece);
        if (head.length > 0) {
            return Optional.of(AnswerHead.parse(head, toHead));
        }
        if (collector.tooLong()) {
            throw new BadAnswer("a head of more than " + AnswerHead.MAX_BYTES + " bytes");
        }
        return Optional.empty();
    }

    /** Whether a head has begun and not ended. */
    public boolean begun() {
        return collector.begun();
    }

    public void reset() {
        collector.reset();
    }
}
