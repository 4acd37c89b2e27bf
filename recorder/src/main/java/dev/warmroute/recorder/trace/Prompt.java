package dev.warmroute.recorder.trace;

import java.util.Arrays;

/**
 * What a request says, as token identities without the tokens: a sequence of spans of one linear token space in which
 * equal numbers are equal tokens. A span {@code [start, start + length)} stands for {@code length} consecutive tokens.
 *
 * <p>Every source of traces maps into it without loss: block {@code h} of a trace with blocks of {@code b} tokens is the
 * span {@code [h*b, (h+1)*b)}, so that runs of consecutive blocks are one span; segment {@code s} of a recording is a
 * range of its own. Two prompts share a prefix exactly as long as their token numbers agree.
 *
 * <p>Immutable; adjacent spans are merged, so that equal prompts are equal objects. Lengths are in tokens.
 */
public final class Prompt {
    private static final Prompt EMPTY = new Prompt(new long[0], new int[0], 0);

    private final long[] starts;
    private final int[] lengths;
    private final int tokens;

    private Prompt(long[] starts, int[] lengths, int tokens) {
        this.starts = starts;
        this.lengths = lengths;
        this.tokens = tokens;
    }

    public static Prompt empty() {
        return EMPTY;
    }

    /** Returns a prompt of one span. */
    public static Prompt of(long start, int length) {
        return builder().span(start, length).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Total length in tokens. */
    public int tokens() {
        return tokens;
    }

    public int spans() {
        return starts.length;
    }

    /** First token number of span {@code i}. */
    public long start(int i) {
        return starts[i];
    }

    /** Length in tokens of span {@code i}. */
    public int length(int i) {
        return lengths[i];
    }

    /** Returns the token number at a position; for tests and explanations, it walks the spans. */
    public long tokenAt(int position) {
        int at = position;
        for (int i = 0; i < starts.length; i++) {
            if (at < lengths[i]) {
                return starts[i] + at;
            }
            at -= lengths[i];
        }
        throw new IndexOutOfBoundsException("position " + position + " of a prompt of " + tokens + " tokens");
    }

    /** Returns the length in tokens of the longest prefix that both prompts share. */
    public int commonPrefix(Prompt other) {
        int i = 0, j = 0, inI = 0, inJ = 0, shared = 0;
        while (i < starts.length && j < other.starts.length) {
            if (starts[i] + inI != other.starts[j] + inJ) {
                return shared;
            }
            int step = Math.min(lengths[i] - inI, other.lengths[j] - inJ);
            shared += step;
            inI += step;
            inJ += step;
            if (inI == lengths[i]) {
                i++;
                inI = 0;
            }
            if (inJ == other.lengths[j]) {
                j++;
                inJ = 0;
            }
        }
        return shared;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Prompt p && Arrays.equals(starts, p.starts) && Arrays.equals(lengths, p.lengths);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(starts) + Arrays.hashCode(lengths);
    }

    @Override
    public String toString() {
        return "Prompt[" + tokens + " tokens in " + starts.length + " spans]";
    }

    /** Collects spans in order; neighbours that continue each other become one span. */
    public static final class Builder {
        private long[] starts = new long[8];
        private int[] lengths = new int[8];
        private int spans;
        private int tokens;

        private Builder() {}

        /** Forgets all spans, to be used for another prompt. */
        public Builder clear() {
            spans = 0;
            tokens = 0;
            return this;
        }

        /**
         * Appends a span.
         *
         * @throws IllegalArgumentException if the length is negative; a length of 0 adds nothing
         */
        public Builder span(long start, int length) {
            if (length < 0) {
                throw new IllegalArgumentException("span length must not be negative: " + length);
            }
            if (length == 0) {
                return this;
            }
            tokens = Math.addExact(tokens, length);
            if (spans > 0 && starts[spans - 1] + lengths[spans - 1] == start) {
                lengths[spans - 1] += length;
                return this;
            }
            if (spans == starts.length) {
                starts = Arrays.copyOf(starts, spans * 2);
                lengths = Arrays.copyOf(lengths, spans * 2);
            }
            starts[spans] = start;
            lengths[spans++] = length;
            return this;
        }

        /** Appends the first {@code tokens} tokens of another prompt. */
        public Builder prefixOf(Prompt other, int tokens) {
            int left = tokens;
            for (int i = 0; i < other.spans() && left > 0; i++) {
                int take = Math.min(left, other.length(i));
                span(other.start(i), take);
                left -= take;
            }
            if (left > 0) {
                throw new IllegalArgumentException(
                        "a prompt of " + other.tokens() + " tokens has no prefix of " + tokens);
            }
            return this;
        }

        public Builder all(Prompt other) {
            return prefixOf(other, other.tokens());
        }

        public Prompt build() {
            return spans == 0 ? EMPTY : new Prompt(Arrays.copyOf(starts, spans), Arrays.copyOf(lengths, spans), tokens);
        }
    }
}
