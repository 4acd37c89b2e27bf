package dev.warmroute.export.chart;

import dev.warmroute.export.figure.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** How values lie along an axis: a position for each value, and round values to label. */
sealed interface Scale {

    /** Position of a value along the axis, in the scale's own unit. */
    double position(double value);

    /** Round values between two values, about as many as asked for. */
    List<Double> rounds(double low, double high, int about);

    /** How a round value is written. */
    String label(double value);

    static Scale linear(DoubleFunction<String> label) {
        return new Linear(label);
    }

    static Scale log(DoubleFunction<String> label) {
        return new Log(label);
    }

    /** Percentiles with the tail drawn out: 0, 50, 90, 99, 99.9 are about equally far from each other. */
    static Scale percentiles() {
        return new Tail();
    }

    /** Writes whole and broken numbers short: 512k, 1.05M. */
    static String compact(double value) {
        double size = Math.abs(value);
        if (size >= 1e9) {
            return trimmed(value / 1e9) + "G";
        }
        if (size >= 1e6) {
            return trimmed(value / 1e6) + "M";
        }
        return size >= 1e3 ? trimmed(value / 1e3) + "k" : trimmed(value);
    }

    /** Up to three significant digits without zeros at the end. */
    static String trimmed(double value) {
        double size = Math.abs(value);
        String text = String.format(
                Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    /** Equal steps. */
    record Linear(DoubleFunction<String> text) implements Scale {
        @Override
        public double position(double value) {
            return value;
        }

        @Override
        public List<Double> rounds(double low, double high, int about) {
            double raw = (high - low) / Math.max(1, about);
            double power = Math.pow(10, Math.floor(Math.log10(raw)));
            double lead = raw / power;
            double step = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 2.5 ? 2.5 : lead <= 5 ? 5 : 10);
            List<Double> rounds = new ArrayList<>();
            for (double n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) {
                rounds.add(n * step + 0.0);
            }
            return rounds;
        }

        @Override
        public String label(double value) {
            return text.apply(value);
        }
    }

    /** Equal ratios. */
    record Log(DoubleFunction<String> text) implements Scale {
        private static final double[][] LEADS = {{1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}};

        @Override
        public double position(double value) {
            return Math.log10(value);
        }

        @Override
        public List<Double> rounds(double low, double high, int about) {
            List<Double> rounds = List.of();
            for (double[] leads : LEADS) {
                rounds = rounds(low, high, leads);
                if (rounds.size() <= about) {
                    break;
                }
            }
            return rounds;
        }

        private static List<Double> rounds(double low, double high, double[] leads) {
            List<Double> rounds = new ArrayList<>();
            for (int power = (int) Math.floor(Math.log10(low)); Math.pow(10, power) <= high; power++) {
                for (double lead : leads) {
                    double value = lead * Math.pow(10, power);
                    if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
                        rounds.add(value);
                    }
                }
            }
            return rounds;
        }

        @Override
        public String label(double value) {
            return text.apply(value);
        }
    }

    /** {@code -log10(1 - p)}, the scale of latency percentiles. */
    record Tail() implements Scale {
        private static final double[] ROUNDS = {0, 50, 75, 90, 95, 99, 99.9, 99.99};

        @Override
        public double position(double percentile) {
            return -Math.log10(1 - Math.min(percentile, 99.999) / 100);
        }

        @Override
        public List<Double> rounds(double low, double high, int about) {
            List<Double> rounds = new ArrayList<>();
            for (double round : ROUNDS) {
                if (round >= low && round <= high && (about > 5 || round != 75 && round != 95)) {
                    rounds.add(round);
                }
            }
            return rounds;
        }

        @Override
        public String label(double value) {
            return trimmed(value);
        }
    }

    /** Round values of a unit, without the unit. */
    static DoubleFunction<String> labels(Unit unit) {
        return switch (unit) {
            case TOKENS, TOKENS_LEFT, TOKENS_PER_MINUTE, COUNT, COUNT_LEFT, COUNT_OR_MORE, COUNT_LEFT_OR_MORE ->
                Scale::compact;
            case SECONDS -> v -> Math.abs(v) < 10_000 ? trimmed(v) : compact(v);
            case PERCENT, POINTS, CHANGE, RATIO -> Scale::trimmed;
        };
    }
}
