package dev.warmroute.recorder.trace;

import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.prompt.PromptChain;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what a recording knows about prompts into spans of the linear token space, in the order of arrival.
 *
 * <p><b>With block hashes</b> ({@code prompt.blocks.v1}): equal chained hashes are equal tokens. A block counted in bytes
 * has {@code tokensPerByte} tokens a byte on average; since a chained hash always stands at the same position, block i
 * covers the tokens from floor(i * size * tokensPerByte) to floor((i + 1) * size * tokensPerByte) in every prompt that has
 * it. The prompt is then exactly as long as the engine said: the rest behind the last block is shared with nobody, and what
 * is too long is cut.
 *
 * <p><b>Answers.</b> A conversation's prompt that keeps all full blocks of the one before and is long enough to hold its
 * answer too is taken to repeat that prompt, the answer, and then something new, as agents do.
 *
 * <p><b>Without hashes</b> the history is approximated by lengths: turn n shares min(prompt(n-1) + answer(n-1), prompt(n))
 * tokens with turn n-1, and requests without a conversation share nothing.
 */
final class PromptSpace {
    /** Start of the tokens that only one prompt has. */
    private static final long OWN_SPACE = 1L << 60;

    private static final int OWN_BITS = 24;

    private final double tokensPerByte;
    private final Map<String, Turns> conversations = new HashMap<>();
    private final HashedBlocks blocks = new HashedBlocks();
    private long approximated;

    /** The last prompts of a conversation: block events may refer to either, when requests overlap. */
    private static final class Turns {
        private Optional<Known> last = Optional.empty();
        private Optional<Known> before = Optional.empty();
    }

    private record Known(String requestId, Prompt prompt, int fullBlocks, long outputStart, int outputTokens) {
        Prompt withAnswer() {
            return Prompt.builder().all(prompt).span(outputStart, outputTokens).build();
        }
    }

    PromptSpace(double tokensPerByte) {
        this.tokensPerByte = tokensPerByte;
    }

    /** Requests whose prompt was made up from lengths. */
    long approximated() {
        return approximated;
    }

    /**
     * Places a request's prompt, and remembers it with its answer.
     *
     * @param conversation session and agent; empty when nobody knows it
     * @param event the prompt's blocks, if they were recorded
     * @param index position of the request in the trace
     * @param tokens length of the prompt
     */
    Prompt prompt(
            String conversation,
            String requestId,
            Optional<PromptBlocks> event,
            int index,
            int tokens,
            long outputStart,
            int outputTokens) {
        Turns turns =
                conversation.isEmpty() ? new Turns() : conversations.computeIfAbsent(conversation, c -> new Turns());
        Prompt prompt = event.isPresent() ? hashed(turns, event.get(), index, tokens) : byLength(turns, index, tokens);
        turns.before = turns.last;
        int fullBlocks = event.map(e -> (int) (e.length() / e.blockSize())).orElse(-1);
        turns.last = Optional.of(new Known(requestId, prompt, fullBlocks, outputStart, outputTokens));
        return prompt;
    }

    private Prompt byLength(Turns turns, int index, int tokens) {
        approximated++;
        Line line = new Line(index, tokens);
        turns.last.ifPresent(t -> line.take(t.withAnswer(), 0, tokens));
        return line.finish();
    }

    private Prompt hashed(Turns turns, PromptBlocks event, int index, int tokens) {
        double tokensPerUnit = event.unit().equals("bytes") ? tokensPerByte : 1;
        Optional<Known> base = base(turns, event);
        if (event.sharedBlocks() > 0 && base.isEmpty()) {
            return byLength(turns, index, tokens); // the prompt that this one continues is not in the recording
        }
        int shared = boundary(event.sharedBlocks(), event.blockSize(), tokensPerUnit);
        Prompt history = base.map(b -> history(b, event, shared, tokens)).orElse(Prompt.empty());
        Line line = new Line(index, tokens);
        line.take(history, 0, shared);
        long[] hashes = PromptChain.hashes(event.hashes());
        for (int i = 0; i < hashes.length; i++) {
            int from = boundary(event.sharedBlocks() + i, event.blockSize(), tokensPerUnit);
            int to = boundary(event.sharedBlocks() + i + 1, event.blockSize(), tokensPerUnit);
            line.fill(from);
            Prompt block = blocks.block(hashes[i], to - from, slice(history, from, to));
            line.take(block, 0, block.tokens());
        }
        line.take(history, line.tokens(), history.tokens());
        return line.finish();
    }

    private static Optional<Known> base(Turns turns, PromptBlocks event) {
        if (event.previous().isEmpty()) {
            return Optional.empty();
        }
        String previous = event.previous().get();
        return turns.last
                .filter(t -> t.requestId().equals(previous))
                .or(() -> turns.before.filter(t -> t.requestId().equals(previous)));
    }

    /** What the prompt begins with, as far as the conversation's earlier prompt tells. */
    private static Prompt history(Known base, PromptBlocks event, int shared, int tokens) {
        boolean continues = event.sharedBlocks() == base.fullBlocks()
                && tokens >= base.prompt().tokens() + base.outputTokens();
        return continues ? base.withAnswer() : slice(base.prompt(), 0, shared);
    }

    /** The part of a prompt from one position to another, as far as it goes. */
    private static Prompt slice(Prompt prompt, int from, int to) {
        if (from >= Math.min(to, prompt.tokens())) {
            return Prompt.empty();
        }
        Prompt.Builder out = Prompt.builder();
        int at = 0;
        for (int i = 0; i < prompt.spans() && at < to; i++) {
            int start = Math.max(from, at);
            int end = Math.min(to, at + prompt.length(i));
            if (start < end) {
                out.span(prompt.start(i) + (start - at), end - start);
            }
            at += prompt.length(i);
        }
        return out.build();
    }

    private static int boundary(int block, int blockSize, double tokensPerUnit) {
        return (int) ((long) block * blockSize * tokensPerUnit);
    }

    /** A prompt in the making: never longer than it should be, and filled up with tokens of its own. */
    private static final class Line {
        private final Prompt.Builder spans = Prompt.builder();
        private final long own;
        private final int length;
        private int tokens;

        Line(int index, int length) {
            this.own = OWN_SPACE + ((long) index << OWN_BITS);
            this.length = length;
        }

        int tokens() {
            return tokens;
        }

        /** Appends the part of a prompt from one position to another, as far as both go. */
        void take(Prompt from, int start, int end) {
            Prompt part = slice(from, start, Math.min(end, start + length - tokens));
            spans.all(part);
            tokens += part.tokens();
        }

        /** Fills up to a position with tokens that no other prompt has. */
        void fill(int to) {
            int missing = Math.min(to, length) - tokens;
            if (missing > 0) {
                spans.span(own + tokens, missing);
                tokens += missing;
            }
        }

        Prompt finish() {
            fill(length);
            return spans.build();
        }
    }
}
