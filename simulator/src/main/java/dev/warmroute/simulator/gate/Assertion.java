package dev.warmroute.simulator.gate;

import java.util.Objects;

/** Something that a policy must do on a trace to pass the gate. */
public sealed interface Assertion {
    /** As it was written. */
    String text();

    /** Whether it needs a policy to be held against. */
    boolean relative();

    /** The verdict of the capacity analysis is <em>fits</em>. */
    record Fits(String text) implements Assertion {
        /** The word that says it. */
        static final String WORD = "fits";

        public Fits {
            Objects.requireNonNull(text, "text");
        }

        @Override
        public boolean relative() {
            return false;
        }
    }

    /** A figure is on the right side of a bound. */
    record Bounded(String text, Metric metric, Comparison comparison, Bound bound) implements Assertion {
        public Bounded {
            Objects.requireNonNull(text, "text");
            Objects.requireNonNull(metric, "metric");
            Objects.requireNonNull(comparison, "comparison");
            Objects.requireNonNull(bound, "bound");
        }

        @Override
        public boolean relative() {
            return bound.relative();
        }
    }

    /**
     * Reads one; see {@link AssertionParser} for how they are written.
     *
     * @throws dev.warmroute.router.UserError if it is wrong; the message says in which column, and what was expected
     */
    static Assertion parse(String text) {
        return new AssertionParser(text).parse();
    }
}
