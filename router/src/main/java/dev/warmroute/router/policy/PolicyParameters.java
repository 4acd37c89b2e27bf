package dev.warmroute.router.policy;

import dev.warmroute.router.UserError;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Parameters given for one policy, by name. A policy's factory reads each with its default; what is left over is refused,
 * so that a misspelt parameter never goes unnoticed.
 */
public final class PolicyParameters {
    private final String policy;
    private final Map<String, String> given;
    private final int maxNumSeqs;
    private final Set<String> read = new LinkedHashSet<>();

    /** @param maxNumSeqs the model's {@code max_num_seqs}, from which automatic thresholds are derived */
    public PolicyParameters(String policy, Map<String, String> given, int maxNumSeqs) {
        this.policy = policy;
        this.given = new TreeMap<>(given);
        this.maxNumSeqs = maxNumSeqs;
    }

    public int maxNumSeqs() {
        return maxNumSeqs;
    }

    /** Returns a finite number, or the default when it was not given. */
    public double number(String name, double byDefault) {
        read.add(name);
        String text = given.get(name);
        if (text == null) {
            return byDefault;
        }
        try {
            double value = Double.parseDouble(text);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below, with the value
        }
        throw new UserError("policy '" + policy + "': " + name + " must be a number, not '" + text + "'");
    }

    /** Returns a whole number of at least {@code least}, or the default when it was not given or is {@code auto}. */
    public int count(String name, int least, int byDefault) {
        read.add(name);
        String text = given.get(name);
        if (text == null || text.equals("auto")) {
            return byDefault;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below, with the value
        }
        throw new UserError(
                "policy '" + policy + "': " + name + " must be a whole number of at least " + least + ", not '" + text + "'");
    }

    /** Refuses parameters that the policy did not ask for. */
    public void requireNothingElse() {
        for (String name : given.keySet()) {
            if (!read.contains(name)) {
                throw new UserError("policy '" + policy + "' has no parameter '" + name + "'; it has "
                        + (read.isEmpty() ? "none" : String.join(", ", read)));
            }
        }
    }
}
