package dev.warmroute.simulator.replica;

import java.util.function.Consumer;

/**
 * How a protocol words one answer; made for each. A streamed answer is a sequence of server-sent events, each of which goes out as one
 * chunk: {@link #opening} when the first token is known, {@link #delta} for one or more tokens, {@link #closing} at the end.
 */
interface AnswerFormat {
    /** Returns the body of an answer that is not streamed. */
    String whole(Answer answer);

    /** Writes what goes before the first token and out with it. */
    void opening(Answer answer, Consumer<String> events);

    /** Writes tokens {@code from} to {@code to}, exclusive; {@code to} is the number of tokens in the last one. */
    void delta(Answer answer, int from, int to, Consumer<String> events);

    /** Writes what follows the last token. */
    void closing(Answer answer, Consumer<String> events);
}
