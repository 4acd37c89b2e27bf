package dev.warmroute.router.ask;

import java.io.IOException;

/** A replica answered with more than anybody asked for. */
public final class AnswerTooLarge extends IOException {
    private static final long serialVersionUID = 1;

    AnswerTooLarge(int mostBytes) {
        super("the answer has more than " + mostBytes + " bytes");
    }
}
