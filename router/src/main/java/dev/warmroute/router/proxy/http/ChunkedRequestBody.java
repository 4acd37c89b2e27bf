package dev.warmroute.router.proxy.http;

/**
 * Follows a chunked request body. Strict: sizes of at most 8 hexadecimal digits, CRLF and nothing else between chunks.
 * Extensions and trailers are read over and not passed on.
 */
public final class ChunkedRequestBody {
    private static final int MAX_LINE = 512;
    private static final int MAX_TRAILERS = 8 * 1024;

    private enum State {
        SIZE,
        EXTENSION,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER,
        TRAILER_LF,
        END
    }

    private State state = State.SIZE;
    private long left;
    private int digits;
    private int lineLength;
    private int trailerLength;

    /** Whether the body has ended. */
    public boolean ended() {
        return state == State.END;
    }

    /** Bytes of content that come next without a break; 0 while framing comes next. */
    public int content() {
        return state == State.DATA ? (int) left : 0;
    }

    /** Says that content was taken. */
    public void took(int bytes) {
        left -= bytes;
        if (left == 0) {
            state = State.DATA_CR;
        }
    }

    /** Reads one byte of framing. */
    public void framing(byte b) throws RequestRefused {
        switch (state) {
            case SIZE -> size(b);
            case EXTENSION -> {
                if (b == '\r') {
                    state = State.SIZE_LF;
                } else if (!Bytes.isFieldContent(b) || ++lineLength > MAX_LINE) {
                    throw wrong();
                }
            }
            case SIZE_LF -> {
                require(b, '\n');
                state = left == 0 ? State.TRAILER : State.DATA;
                lineLength = 0;
            }
            case DATA_CR -> {
                require(b, '\r');
                state = State.DATA_LF;
            }
            case DATA_LF -> {
                require(b, '\n');
                state = State.SIZE;
                digits = 0;
                left = 0;
            }
            case TRAILER -> {
                if (b == '\r') {
                    state = State.TRAILER_LF;
                } else if (!Bytes.isFieldContent(b) || ++trailerLength > MAX_TRAILERS) {
                    throw wrong();
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

    private void size(byte b) throws RequestRefused {
        int digit = Bytes.hex(b);
        if (digit >= 0) {
            if (++digits > 8) {
                throw wrong();
            }
            left = left << 4 | digit;
            if (left > Integer.MAX_VALUE) {
                throw wrong();
            }
        } else if (digits == 0) {
            throw wrong();
        } else if (b == '\r') {
            state = State.SIZE_LF;
        } else if (b == ';' || Bytes.isBlank(b)) {
            state = State.EXTENSION;
        } else {
            throw wrong();
        }
    }

    private static void require(byte b, char expected) throws RequestRefused {
        if (b != expected) {
            throw wrong();
        }
    }

    private static RequestRefused wrong() {
        return new RequestRefused(400, "the chunked body is wrong");
    }
}
