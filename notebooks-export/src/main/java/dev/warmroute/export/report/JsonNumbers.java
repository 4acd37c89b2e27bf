package dev.warmroute.export.report;

/** Numbers as the JSON writes them: whole ones without a fraction, others with as many digits as they need. */
final class JsonNumbers {
    private static final double WHOLE_UP_TO = 9e15;

    private JsonNumbers() {}

    static String text(double value) {
        return isWhole(value) ? Long.toString((long) value) : Double.toString(value);
    }

    static boolean isWhole(double value) {
        return value == Math.rint(value) && Math.abs(value) < WHOLE_UP_TO;
    }
}
