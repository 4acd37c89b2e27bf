package dev.warmroute.simulator.gate;

import dev.warmroute.router.Nearest;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.gate.Assertion.Bounded;
import dev.warmroute.simulator.gate.Assertion.Fits;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Reads an assertion:
 *
 * <pre>
 * assertion  = "fits" | metric ( ">=" | "<=" | ">" | "<" ) bound
 * bound      = number [ unit ]
 *            | [ number "*" ] "baseline" [ ( "+" | "-" ) number [ unit ] ]
 * metric     = a field of a row of whatif, with its unit or without: ttft_p95_s, ttft_p95, misses.moved
 * unit       = "%" | "pp" (beside the baseline) | "s" | "ms" | "min" | "tok/min" | "tok"
 * </pre>
 *
 * Blanks may stand between the parts. A unit may be left out where the metric's name says it, or there is none: {@code hit>=0.7}
 * would always hold, and is refused.
 */
final class AssertionParser {
    private static final String BASELINE = "baseline";

    private final String text;
    private int at;

    AssertionParser(String text) {
        this.text = text;
    }

    Assertion parse() {
        int start = skipBlanks();
        String word = take(c -> Character.isLetterOrDigit(c) || c == '_' || c == '.');
        if (word.equals(Fits.WORD)) {
            requireEnd();
            return new Fits(text.strip());
        }
        Metric metric = Metrics.named(word).orElseThrow(() -> wrong(start, unknown(word)));
        boolean unitKnown = !metric.unit().neededBesideNumbers() || word.equals(metric.name());
        Comparison comparison = comparison();
        Bound bound = bound(metric, unitKnown);
        requireEnd();
        return new Bounded(text.strip(), metric, comparison, bound);
    }

    private static String unknown(String word) {
        if (word.isEmpty()) {
            return "an assertion begins with a metric, as in hit>=70%, or is 'fits'";
        }
        List<String> valid = Stream.concat(
                        Stream.concat(Metrics.names().stream(), Stream.of(Fits.WORD)),
                        Metrics.values().stream().map(Metric::name))
                .toList();
        return "there is no metric '" + word + "'; "
                + Nearest.to(word, valid)
                        .map(n -> "did you mean '" + n + "'?")
                        .orElseGet(
                                () -> "there are " + String.join(", ", Metrics.names()) + ", and the assertion 'fits'");
    }

    private Comparison comparison() {
        int start = skipBlanks();
        String symbol = take(c -> "<>=!~".indexOf(c) >= 0);
        return Stream.of(Comparison.values())
                .filter(c -> c.symbol().equals(symbol))
                .findFirst()
                .orElseThrow(() -> wrong(
                        start, (symbol.isEmpty() ? "expected" : "'" + symbol + "' is not one of") + " >=, <=, > or <"));
    }

    private Bound bound(Metric metric, boolean unitKnown) {
        int start = skipBlanks();
        if (take(Character::isLetter).equals(BASELINE)) {
            return new Bound(1, offset(metric, unitKnown));
        }
        at = start;
        double number = number();
        int afterNumber = skipBlanks();
        if (!takeIf('*')) {
            at = afterNumber;
            return new Bound(0, number * unit(metric, unitKnown, false));
        }
        int second = skipBlanks();
        if (!take(Character::isLetter).equals(BASELINE)) {
            throw wrong(second, "expected 'baseline' after '*', as in 1.1*baseline");
        }
        if (!(number > 0)) {
            throw wrong(start, "the baseline must count more than 0 times");
        }
        return new Bound(number, offset(metric, unitKnown));
    }

    /** What is added to the baseline. */
    private double offset(Metric metric, boolean unitKnown) {
        skipBlanks();
        int sign = takeIf('+') ? 1 : takeIf('-') ? -1 : 0;
        return sign == 0 ? 0 : sign * number() * unit(metric, unitKnown, true);
    }

    private double number() {
        int start = skipBlanks();
        String digits = take(c -> c >= '0' && c <= '9' || c == '.');
        try {
            double number = Double.parseDouble(digits);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw wrong(
                start,
                digits.isEmpty()
                        ? "expected a number, as in 70, or 'baseline'"
                        : "'" + digits + "' is not a number; write it with digits and a point, as in 0.5");
    }

    private double unit(Metric metric, boolean unitKnown, boolean difference) {
        int start = skipBlanks();
        String written = take(c -> Character.isLetter(c) || c == '%' || c == '/');
        Unit unit = metric.unit();
        if (written.isEmpty()) {
            if (!unitKnown) {
                throw wrong(
                        start,
                        "a number for '" + metric.shortName() + "' needs its unit: " + unit.expected(difference));
            }
            return 1;
        }
        return unit.factor(written, difference)
                .orElseThrow(() -> wrong(
                        start,
                        "'" + written + "' is not a unit of " + (difference ? "a difference of '" : "'")
                                + metric.shortName() + "': write " + unit.expected(difference)));
    }

    private void requireEnd() {
        int start = skipBlanks();
        if (start < text.length()) {
            throw wrong(start, "nothing may follow here, but there is '" + text.substring(start) + "'");
        }
    }

    private int skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private String take(IntPredicate belongs) {
        int start = at;
        while (at < text.length() && belongs.test(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean takeIf(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private UserError wrong(int column, String message) {
        return new UserError("the assertion '" + text + "', column " + (column + 1) + ": " + message);
    }
}
