package dev.warmroute.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Figures for the terminal; a dash stands for what was not measured. */
final class Figures {
    private static final String UNKNOWN = "-";

    private Figures() {}

    /** Without trailing zeros: 20, 0.5. */
    static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String count(OptionalLong value) {
        return value.isPresent() ? count(value.getAsLong()) : UNKNOWN;
    }

    static String fixed(OptionalDouble value, int digits) {
        return value.isPresent() ? String.format(Locale.ROOT, "%,." + digits + "f", value.getAsDouble()) : UNKNOWN;
    }

    /** Seconds with three significant digits or so: 0.042, 1.25, 38.3, 412. */
    static String seconds(OptionalDouble value) {
        if (value.isEmpty()) {
            return UNKNOWN;
        }
        double s = value.getAsDouble();
        double size = Math.abs(s);
        return String.format(Locale.ROOT, size < 1 ? "%.3f" : size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f", s);
    }
}
