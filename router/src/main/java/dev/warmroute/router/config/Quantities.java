package dev.warmroute.router.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations, sizes and shares as people write them. */
public final class Quantities {
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,12})\\s*([A-Za-z]*)");
    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?)\\s*(%?)");

    private Quantities() {}

    /** {@code 500ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 1d}; a bare number only if it is 0. */
    public static Optional<Duration> duration(String text) {
        Matcher m = NUMBER_AND_UNIT.matcher(text.strip());
        if (!m.matches()) {
            return Optional.empty();
        }
        long n = Long.parseLong(m.group(1));
        return switch (m.group(2)) {
            case "ms" -> Optional.of(Duration.ofMillis(n));
            case "s" -> Optional.of(Duration.ofSeconds(n));
            case "m" -> Optional.of(Duration.ofMinutes(n));
            case "h" -> Optional.of(Duration.ofHours(n));
            case "d" -> Optional.of(Duration.ofDays(n));
            case "" -> n == 0 ? Optional.of(Duration.ZERO) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** A part of a whole, more than 0 and at most 1: {@code 0.25} or {@code 25%}. */
    public static OptionalDouble share(String text) {
        Matcher m = SHARE.matcher(text.strip());
        double share =
                m.matches() ? Double.parseDouble(m.group(1)) / (m.group(2).isEmpty() ? 1 : 100) : 0;
        return share > 0 && share <= 1 ? OptionalDouble.of(share) : OptionalDouble.empty();
    }

    /** Bytes: {@code 512}, {@code 64KB}, {@code 32MB}, {@code 1GB}; a kilobyte is 1,024 bytes, {@code KiB} means the same. */
    public static OptionalLong size(String text) {
        Matcher m = NUMBER_AND_UNIT.matcher(text.strip());
        if (!m.matches()) {
            return OptionalLong.empty();
        }
        long n = Long.parseLong(m.group(1));
        return switch (m.group(2).toUpperCase(Locale.ROOT)) {
            case "", "B" -> OptionalLong.of(n);
            case "K", "KB", "KIB" -> OptionalLong.of(n << 10);
            case "M", "MB", "MIB" -> OptionalLong.of(n << 20);
            case "G", "GB", "GIB" -> OptionalLong.of(n << 30);
            default -> OptionalLong.empty();
        };
    }
}
