package dev.warmroute.export.figure;

import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * What a number measures, and the one way it is written for people. JSON and tables keep the number itself.
 *
 * <p>Thousands are grouped with commas, decimals follow a point, a minus is the minus sign. A number that is not finite is a
 * mistake of the caller: what is unknown is a {@link Cell.Missing}.
 */
public enum Unit {
    /** Share in percent, one decimal. */
    PERCENT("%", v -> fixed(v, 1)),
    /** Difference of two percentages, one decimal, with its sign. */
    POINTS("pp", v -> signed(v, fixed(Math.abs(v), 1))),
    /** Relative difference in percent, one decimal, with its sign. */
    CHANGE("%", v -> signed(v, fixed(Math.abs(v), 1))),
    /** Time in seconds, about three significant digits. */
    SECONDS("s", Unit::significant),
    /** Tokens, whole up to ten million, then in millions. */
    TOKENS("tokens", Unit::large),
    /** Tokens with their sign, for what is left or lacking. */
    TOKENS_LEFT("tokens", v -> signed(v, large(Math.abs(v)))),
    /** Output speed. */
    TOKENS_PER_MINUTE("tokens/min", v -> fixed(v, 0)),
    /** A number of things; decimals only where it is a mean. */
    COUNT("", Unit::count),
    /** A number of things with its sign. */
    COUNT_LEFT("", v -> signed(v, count(Math.abs(v)))),
    /** A number of things, or more. */
    COUNT_OR_MORE("", v -> count(v) + "+"),
    /** The least that a number of things with its sign may be. */
    COUNT_LEFT_OR_MORE("", v -> "\u2265" + signed(v, count(Math.abs(v)))),
    /** A ratio where 1 means full or equal, two decimals. */
    RATIO("", v -> fixed(v, 2));

    private static final String MINUS = "\u2212";
    private static final char NO_BREAK = '\u00a0';

    private final String symbol;
    private final DoubleFunction<String> digits;

    Unit(String symbol, DoubleFunction<String> digits) {
        this.symbol = symbol;
        this.digits = digits;
    }

    /** Symbol of the unit; empty for plain numbers. */
    public String symbol() {
        return symbol;
    }

    /** Writes a number without its unit, for a column whose head names it. */
    public String digits(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a " + this + " cannot be written: " + value);
        }
        return digits.apply(value);
    }

    /** Writes a number with its unit, separated by a no-break space. */
    public String text(double value) {
        return symbol.isEmpty() ? digits(value) : digits(value) + NO_BREAK + symbol;
    }

    private static String fixed(double value, int decimals) {
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", Math.abs(value));
        boolean zero = text.chars().noneMatch(c -> c >= '1' && c <= '9');
        return value < 0 && !zero ? MINUS + text : text;
    }

    private static String signed(double value, String magnitude) {
        boolean zero = magnitude.chars().noneMatch(c -> c >= '1' && c <= '9');
        return zero ? magnitude : (value < 0 ? MINUS : "+") + magnitude;
    }

    private static String significant(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size < 0.0995) {
            return fixed(value, 3);
        }
        return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
    }

    private static String large(double value) {
        return Math.abs(value) < 1e7
                ? fixed(value, 0)
                : fixed(value / 1e6, Math.abs(value) < 1e8 ? 2 : 1) + NO_BREAK + "M";
    }

    private static String count(double value) {
        return value == Math.rint(value) ? fixed(value, 0) : fixed(value, 2);
    }
}
