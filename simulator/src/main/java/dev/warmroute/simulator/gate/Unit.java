package dev.warmroute.simulator.gate;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a figure is counted in, and how numbers of it are written. */
public enum Unit {
    /** Differences are in percentage points, so that "1 %" cannot be taken for one of a hundred parts. */
    PERCENT("%", true, Map.of("%", 1.0), Map.of("pp", 1.0)),
    SECONDS("s", true, Map.of("s", 1.0, "ms", 1e-3, "min", 60.0)),
    TOKENS_PER_MIN("tok/min", true, Map.of("tok/min", 1.0)),
    TOKENS("tok", false, Map.of("tok", 1.0)),
    /** Counts and ratios. */
    NONE("", false, Map.of());

    private final String symbol;
    private final boolean neededBesideNumbers;
    private final Map<String, Double> amounts;
    private final Map<String, Double> differences;

    Unit(String symbol, boolean neededBesideNumbers, Map<String, Double> amounts) {
        this(symbol, neededBesideNumbers, amounts, amounts);
    }

    Unit(String symbol, boolean neededBesideNumbers, Map<String, Double> amounts, Map<String, Double> differences) {
        this.symbol = symbol;
        this.neededBesideNumbers = neededBesideNumbers;
        this.amounts = amounts;
        this.differences = differences;
    }

    /** As it is written behind a number; empty for a bare number. */
    public String symbol() {
        return symbol;
    }

    /** The unit that is written so; what no unit is written like counts as none. */
    static Unit of(String symbol) {
        return Stream.of(values())
                .filter(u -> u.symbol.equals(symbol))
                .findFirst()
                .orElse(NONE);
    }

    /** Whether a bare number could mean two things: 0.7 or 70 for percent, milliseconds or seconds. */
    boolean neededBesideNumbers() {
        return neededBesideNumbers;
    }

    /** What one of a written unit is in this one; empty for a unit that is not of this kind. */
    Optional<Double> factor(String written, boolean difference) {
        return Optional.ofNullable((difference ? differences : amounts).get(written));
    }

    /** The units that may be written, for a message. */
    String expected(boolean difference) {
        Map<String, Double> valid = difference ? differences : amounts;
        return valid.isEmpty()
                ? "no unit"
                : String.join(" or ", valid.keySet().stream().sorted().toList());
    }

    /** A figure for people. */
    public String text(double value) {
        String number = switch (this) {
            case PERCENT -> fixed(2, value);
            case SECONDS -> seconds(value);
            case TOKENS_PER_MIN, TOKENS -> fixed(0, value);
            case NONE -> value == Math.rint(value) ? fixed(0, value) : fixed(3, value);
        };
        return symbol.isEmpty() ? number : number + ' ' + symbol;
    }

    private static String seconds(double value) {
        double size = Math.abs(value);
        return fixed(size < 1 ? 3 : size < 100 ? 2 : 1, value);
    }

    private static String fixed(int digits, double value) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
