package dev.warmroute.router.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Reads a page of metrics in Prometheus' text format (version 0.0.4; timestamps and OpenMetrics' exemplars are read over).
 * Comments, histogram buckets ({@code _bucket}) and times of creation ({@code _created}) are passed by without being taken
 * apart: they are nine tenths of vLLM's page.
 */
public final class MetricsPage {
    private final String page;
    private int at;
    private int line = 1;

    private MetricsPage(String page) {
        this.page = page;
    }

    /**
     * The samples of a page, in its order.
     *
     * @param wanted says by its name whether a sample is wanted; the others are only checked for a valid name
     * @throws IllegalArgumentException if a line is not of this format; the message has its number and what was expected
     */
    public static List<Sample> read(String page, Predicate<String> wanted) {
        List<Sample> samples = new ArrayList<>();
        MetricsPage cursor = new MetricsPage(page);
        while (cursor.at < page.length()) {
            cursor.line(wanted, samples);
        }
        return samples;
    }

    private void line(Predicate<String> wanted, List<Sample> samples) {
        skipBlanks();
        if (!atEnd() && page.charAt(at) != '#') {
            int from = at;
            skipName();
            if (at == from) {
                throw expected("the name of a metric");
            }
            if (!endsWith(from, "_bucket") && !endsWith(from, "_created")) {
                String name = page.substring(from, at);
                if (wanted.test(name)) {
                    samples.add(sample(name));
                }
            }
        }
        skipLine();
    }

    private Sample sample(String name) {
        skipBlanks();
        Map<String, String> labels = !atEnd() && page.charAt(at) == '{' ? labels() : Map.of();
        double value = value();
        skipBlanks();
        if (!atEnd() && page.charAt(at) != '#') {
            timestamp();
        }
        return new Sample(name, labels, value);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new LinkedHashMap<>();
        at++;
        skipBlanks();
        while (peek() != '}') {
            int from = at;
            skipName();
            if (at == from) {
                throw expected("the name of a label");
            }
            String name = page.substring(from, at);
            skipBlanks();
            take('=');
            skipBlanks();
            take('"');
            labels.put(name, quoted());
            skipBlanks();
            if (peek() != '}') {
                take(',');
                skipBlanks();
            }
        }
        at++;
        return labels;
    }

    /** The text up to the closing quote; only the escapes \\, \" and \n exist. */
    private String quoted() {
        int from = at;
        StringBuilder unescaped = null;
        while (peek() != '"') {
            if (page.charAt(at) == '\\') {
                unescaped = (unescaped == null ? new StringBuilder() : unescaped).append(page, from, at);
                at++;
                char escaped = peek();
                switch (escaped) {
                    case 'n' -> unescaped.append('\n');
                    case '"', '\\' -> unescaped.append(escaped);
                    default -> throw expected("\\\\, \\\" or \\n");
                }
                from = at + 1;
            }
            at++;
        }
        String rest = page.substring(from, at++);
        return unescaped == null ? rest : unescaped.append(rest).toString();
    }

    private double value() {
        String text = word();
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    throw expected("a number, not '" + text + "',");
                }
            }
        };
    }

    private void timestamp() {
        String text = word();
        try {
            Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw expected("a timestamp or the end of the line, not '" + text + "',");
        }
    }

    private String word() {
        skipBlanks();
        int from = at;
        while (!atEnd() && !blank(page.charAt(at))) {
            at++;
        }
        return page.substring(from, at);
    }

    private void skipName() {
        while (at < page.length() && nameCharacter(page.charAt(at))) {
            at++;
        }
    }

    private static boolean nameCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    private boolean endsWith(int from, String suffix) {
        return at - from >= suffix.length() && page.startsWith(suffix, at - suffix.length());
    }

    private void skipBlanks() {
        while (at < page.length() && blank(page.charAt(at))) {
            at++;
        }
    }

    private void skipLine() {
        int end = page.indexOf('\n', at);
        at = end < 0 ? page.length() : end + 1;
        line++;
    }

    private boolean atEnd() {
        return at >= page.length() || page.charAt(at) == '\n';
    }

    private char peek() {
        if (atEnd()) {
            throw expected("more");
        }
        return page.charAt(at);
    }

    private void take(char c) {
        if (peek() != c) {
            throw expected("'" + c + "'");
        }
        at++;
    }

    private IllegalArgumentException expected(String what) {
        int start = page.lastIndexOf('\n', Math.max(0, at - 1)) + 1;
        return new IllegalArgumentException(
                "not a page of metrics: line " + line + ", column " + (at - start + 1) + ": expected " + what);
    }
}
