package dev.warmroute.router.proxy.http;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;

/**
 * Follows an answer's body through the pieces in which it arrives, to know where it ends and which bytes are content. Changes
 * nothing.
 */
public final class AnswerBody {
    /** Receives the content, without chunk framing, in order. */
    @FunctionalInterface
    public interface Content {
        /** {@code length} bytes of {@code piece} from {@code index} are content; they are the receiver's only during the call. */
        void content(ByteBuf piece, int index, int length);
    }

    private enum State {
        FIXED,
        UNTIL_CLOSE,
        CHUNK_SIZE,
        CHUNK_EXTENSION,
        CHUNK_SIZE_LF,
        CHUNK_DATA,
        CHUNK_DATA_CR,
        CHUNK_DATA_LF,
        TRAILER,
        TRAILER_LF,
        END
    }

    private State state = State.END;
    private long left;
    private int digits;
    private int lineLength;

    /** Begins with the body that this head announces. */
    public void begin(AnswerHead head) {
        left = head.length();
        digits = 0;
        lineLength = 0;
        state = switch (head.framing()) {
            case NONE -> State.END;
            case LENGTH -> left == 0 ? State.END : State.FIXED;
            case CHUNKED -> State.CHUNK_SIZE;
            case UNTIL_CLOSE -> State.UNTIL_CLOSE;
        };
        if (state == State.CHUNK_SIZE) {
            left = 0;
        }
    }

    public boolean ended() {
        return state == State.END;
    }

    /** Whether the end of the connection is the proper end of this body. */
    public boolean endsWithConnection() {
        return state == State.UNTIL_CLOSE;
    }

    /** Whether a new chunk could be put in here without breaking the framing. */
    public boolean betweenChunks() {
        return state == State.CHUNK_SIZE && digits == 0;
    }

    /**
     * Follows a piece from its reader index.
     *
     * @return index after the last byte of this answer; the writer index while it goes on
     */
    public int follow(ByteBuf piece, Content content) throws BadAnswer {
        int i = piece.readerIndex();
        int end = piece.writerIndex();
        while (i < end && state != State.END) {
            switch (state) {
                case FIXED, CHUNK_DATA -> {
                    int n = (int) Math.min(left, end - i);
                    content.content(piece, i, n);
                    i += n;
                    left -= n;
                    if (left == 0) {
                        state = state == State.FIXED ? State.END : State.CHUNK_DATA_CR;
                    }
                }
                case UNTIL_CLOSE -> {
                    content.content(piece, i, end - i);
                    i = end;
                }
                case CHUNK_EXTENSION -> {
                    int cr = piece.forEachByte(i, end - i, ByteProcessor.FIND_CR);
                    i = cr < 0 ? end : cr + 1;
                    if (cr >= 0) {
                        state = State.CHUNK_SIZE_LF;
                    }
                }
                default -> framing(piece.getByte(i++));
            }
        }
        return i;
    }

    private void framing(byte b) throws BadAnswer {
        switch (state) {
            case CHUNK_SIZE -> size(b);
            case CHUNK_SIZE_LF -> {
                require(b, '\n');
                state = left == 0 ? State.TRAILER : State.CHUNK_DATA;
                lineLength = 0;
            }
            case CHUNK_DATA_CR -> {
                require(b, '\r');
                state = State.CHUNK_DATA_LF;
            }
            case CHUNK_DATA_LF -> {
                require(b, '\n');
                state = State.CHUNK_SIZE;
                digits = 0;
            }
            case TRAILER -> {
                if (b == '\r') {
                    state = State.TRAILER_LF;
                } else {
                    lineLength++;
                }
            }
            case TRAILER_LF -> {
                require(b, '\n');
                state = lineLength == 0 ? State.END : State.TRAILER;
                lineLength = 0;
            }
            default -> throw new IllegalStateException("no framing is due in " + state);
        }
    }

    private void size(byte b) throws BadAnswer {
        int digit = Bytes.hex(b);
        if (digit >= 0 && ++digits <= 15) {
            left = left << 4 | digit;
        } else if (digits == 0 || digit >= 0) {
            throw new BadAnswer("a wrong chunk size");
        } else {
            state = b == '\r' ? State.CHUNK_SIZE_LF : State.CHUNK_EXTENSION;
        }
    }

    private static void require(byte b, char expected) throws BadAnswer {
        if (b != expected) {
            throw new BadAnswer("wrong chunk framing");
        }
    }
}
