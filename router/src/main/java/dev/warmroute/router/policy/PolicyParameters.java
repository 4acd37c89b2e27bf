package dev.warmroute.router.policy;

import dev.warmroute.router.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Parameters given for one policy, by name. A policy's factory reads each with its default; what is left over is refused,
 * so that a misspelt parameter never goes unnoticed.
 */
public final class PolicyParameters {
    private final String policy;
    private final Map<String, String> given;
    private final int maxNumSeqs;
    private final Map<String, Parameter> read = new LinkedHashMap<>();
    private final Map<String, String> values = new TreeMap<>();

    /**
     * A parameter that a policy has.
     *
     * @param byDefault its default as text
     * @param meaning what it does, with its unit
     */
    public record Parameter(String name, String byDefault, String meaning) {}

    /**
     * @param policy the policy's own name
     * @param maxNumSeqs the model's {@code max_num_seqs}, from which automatic thresholds are derived
     */
    public PolicyParameters(String policy, Map<String, String> given, int maxNumSeqs) {
        this.policy = policy;
        this.given = new TreeMap<>(given);
        this.maxNumSeqs = maxNumSeqs;
    }

    public int maxNumSeqs() {
        return maxNumSeqs;
    }

    /** Returns a finite number, or the default when it was not given. */
    public double number(String name, double byDefault, String meaning) {
        String text = text(name, plain(byDefault), meaning);
        double value = text == null ? byDefault : parsed(name, text);
        values.put(name, Double.toString(value));
        return value;
    }

    /** Returns a finite number of at least {@code least}, or the default when it was not given. */
    public double number(String name, double least, double byDefault, String meaning) {
        double value = number(name, byDefault, meaning);
        if (value < least) {
            throw wrong(name, "a number of at least " + plain(least), given.get(name));
        }
        return value;
    }

    private double parsed(String name, String text) {
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below, with the value
        }
        throw wrong(name, "a number", text);
    }

    /** Returns a whole number of at least {@code least}, or the default when it was not given. */
    public int count(String name, int least, int byDefault, String meaning) {
        return whole(name, least, byDefault, text(name, Integer.toString(byDefault), meaning));
    }

    /**
     * Returns a whole number of at least {@code least}, or one that is derived when it was not given or is {@code auto}.
     *
     * @param rule how it is derived, in words
     */
    public int automatic(String name, int least, int derived, String rule, String meaning) {
        String text = text(name, "auto: " + rule, meaning);
        return whole(name, least, derived, "auto".equals(text) ? null : text);
    }

    private int whole(String name, int least, int byDefault, String text) {
        int value = text == null ? byDefault : parsed(name, least, text);
        values.put(name, Integer.toString(value));
        return value;
    }

    private int parsed(String name, int least, String text) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below, with the value
        }
        throw wrong(name, "a whole number of at least " + least, text);
    }

    /** Returns one of the words, the first when it was not given. */
    public String choice(String name, List<String> words, String meaning) {
        String text = text(name, words.get(0), meaning);
        String value = text == null ? words.get(0) : text;
        if (!words.contains(value)) {
            throw wrong(name, "one of " + String.join(", ", words), value);
        }
        values.put(name, value);
        return value;
    }

    /** Text as given; null when it was not. */
    private String text(String name, String byDefault, String meaning) {
        read.put(name, new Parameter(name, byDefault, meaning));
        return given.get(name);
    }

    private PolicyError wrong(String name, String expected, String text) {
        return new PolicyError(
                name, "policy '" + policy + "': " + name + " must be " + expected + ", not '" + text + "'");
    }

    /** What the policy is, with every parameter that was read and the value that it has. */
    PolicySpec spec(int version) {
        return PolicySpec.of(policy, version, values);
    }

    /** The parameters that the policy has, in the order in which it reads them. */
    List<Parameter> declared() {
        return List.copyOf(read.values());
    }

    /** Refuses parameters that the policy did not ask for. */
    public void requireNothingElse() {
        List<String> valid = new ArrayList<>(read.keySet());
        for (String name : given.keySet()) {
            if (!read.containsKey(name)) {
                throw new PolicyError(
                        name,
                        "policy '" + policy + "' has no parameter '" + name + "'; "
                                + Nearest.to(name, valid)
                                        .map(n -> "did you mean '" + n + "'?")
                                        .orElse(
                                                valid.isEmpty()
                                                        ? "it has none"
                                                        : "it has " + String.join(", ", valid)));
            }
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
