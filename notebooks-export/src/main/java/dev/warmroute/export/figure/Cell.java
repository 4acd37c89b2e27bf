package dev.warmroute.export.figure;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** One cell of a {@link DataTable}. */
public sealed interface Cell {

    /** How it reads, without the unit that the column's head names. */
    String text();

    static Cell words(String text) {
        return new Words(text);
    }

    static Cell of(double value, Unit unit) {
        return new Number(value, unit, Optional.empty(), Mark.NONE);
    }

    static Cell of(OptionalDouble value, Unit unit) {
        return value.isPresent() ? of(value.getAsDouble(), unit) : Missing.NOT_COMPUTED;
    }

    static Cell of(OptionalLong value, Unit unit) {
        return value.isPresent() ? of(value.getAsLong(), unit) : Missing.NOT_COMPUTED;
    }

    static Cell of(double value, Unit unit, Optional<Range> range, Mark mark) {
        return new Number(value, unit, range, mark);
    }

    /** Emphasis of a number. */
    enum Mark {
        NONE,
        /** Best of its column, or not distinguishable from the best. */
        BEST,
        /** Breaks a limit. */
        BAD
    }

    /** Words. */
    record Words(String text) implements Cell {
        public Words {
            Objects.requireNonNull(text, "text");
        }
    }

    /**
     * A number.
     *
     * @param range its interval, where there is one
     */
    record Number(double value, Unit unit, Optional<Range> range, Mark mark) implements Cell {
        public Number {
            Objects.requireNonNull(unit, "unit");
            Objects.requireNonNull(range, "range");
            Objects.requireNonNull(mark, "mark");
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("not a number to show: " + value);
            }
        }

        @Override
        public String text() {
            return unit.digits(value);
        }

        /** The interval, where there is one and it can be seen in the digits that are written. */
        public Optional<Range> visibleRange() {
            return range.filter(r -> !unit.digits(r.low()).equals(unit.digits(r.high())));
        }
    }

    /** Interval of a number; both ends belong to it. */
    record Range(double low, double high) {
        public Range {
            if (!(low <= high)) {
                throw new IllegalArgumentException("an interval from " + low + " to " + high);
            }
        }

        public boolean overlaps(Range other) {
            return low <= other.high && other.low <= high;
        }
    }

    /** A number that nobody knows; never shown as 0. */
    record Missing(String why) implements Cell {
        static final Missing NOT_COMPUTED = new Missing("not known");

        public Missing {
            Objects.requireNonNull(why, "why");
        }

        @Override
        public String text() {
            return "\u2013";
        }
    }
}
