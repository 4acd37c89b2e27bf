package dev.warmroute.cli;

import dev.warmroute.router.config.Quantities;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Options as people write them: {@code 30d}, {@code 10GB}. */
final class Quantity {
    private Quantity() {}

    /** A length of time. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Quantities.duration(text)
                    .filter(Duration::isPositive)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + text + "' is not a time; write 500ms, 2s, 5m, 1h or 30d"));
        }
    }

    /** A number of bytes. */
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return Quantities.size(text).stream()
                    .filter(n -> n > 0)
                    .boxed()
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("'" + text + "' is not a size; write 512MB or 100GB"));
        }
    }
}
