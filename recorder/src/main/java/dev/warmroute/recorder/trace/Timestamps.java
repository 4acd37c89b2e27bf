package dev.warmroute.recorder.trace;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** RFC 3339 times as microseconds since the epoch. */
final class Timestamps {
    private static final int FRACTION = 19;

    private Timestamps() {}

    /** Reads a time; empty when it is none. The form that routers write is read without the JDK's general parser. */
    static OptionalLong micros(String text) {
        int n = text.length();
        if (n > FRACTION && n <= FRACTION + 11 && text.charAt(n - 1) == 'Z' && text.charAt(10) == 'T') {
            long seconds = fast(text, n);
            if (seconds != Long.MIN_VALUE) {
                return OptionalLong.of(seconds);
            }
        }
        try {
            Instant at = Instant.parse(text);
            return OptionalLong.of(TimeUnit.SECONDS.toMicros(at.getEpochSecond()) + at.getNano() / 1000);
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }

    /** {@code 2026-11-30T01:02:03.456789Z}; the smallest long for anything else. */
    private static long fast(String t, int n) {
        int year = digits(t, 0, 4);
        int month = digits(t, 5, 7);
        int day = digits(t, 8, 10);
        int hour = digits(t, 11, 13);
        int minute = digits(t, 14, 16);
        int second = digits(t, 17, 19);
        if ((year | month | day | hour | minute | second) < 0
                || t.charAt(4) != '-'
                || t.charAt(7) != '-'
                || t.charAt(13) != ':'
                || t.charAt(16) != ':'
                || month < 1
                || month > 12
                || day < 1
                || day > 28 && day > LocalDate.of(year, month, 1).lengthOfMonth()
                || hour > 23
                || minute > 59
                || second > 59) {
            return Long.MIN_VALUE;
        }
        long micros = 0;
        if (n > FRACTION + 1) {
            if (t.charAt(FRACTION) != '.' || n == FRACTION + 2) {
                return Long.MIN_VALUE;
            }
            long scale = 100_000;
            for (int i = FRACTION + 1; i < n - 1; i++) {
                int digit = t.charAt(i) - '0';
                if (digit < 0 || digit > 9) {
                    return Long.MIN_VALUE;
                }
                micros += digit * scale;
                scale /= 10;
            }
        }
        long days = LocalDate.of(year, month, day).toEpochDay();
        return TimeUnit.SECONDS.toMicros(((days * 24 + hour) * 60 + minute) * 60 + second) + micros;
    }

    private static int digits(String t, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = t.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }
}
