package dev.warmroute.simulator.kv;

import dev.warmroute.router.UserError;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A vLLM release; what follows the third number (a candidate, a build) does not count. */
public record VllmVersion(int major, int minor, int patch) implements Comparable<VllmVersion> {
    /** The release that warmroute's engine follows step by step. */
    public static final VllmVersion REFERENCE = new VllmVersion(0, 32, 0);

    private static final Pattern FORM = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?(?:[^\\d].*)?");
    private static final Comparator<VllmVersion> ORDER = Comparator.comparingInt(VllmVersion::major)
            .thenComparingInt(VllmVersion::minor)
            .thenComparingInt(VllmVersion::patch);

    public VllmVersion {
        if (major < 0 || minor < 0 || patch < 0) {
            throw new IllegalArgumentException(
                    "a version has no negative numbers: " + major + "." + minor + "." + patch);
        }
    }

    /** Reads "0.32.0", "v0.9" or "0.26.1rc1.dev608+g99a". */
    public static VllmVersion parse(String text) {
        Matcher m = FORM.matcher(text.strip());
        if (!m.matches()) {
            throw new UserError("'" + text + "' is not a vLLM version; expected numbers as in 0.32.0");
        }
        int patch = m.group(3) == null ? 0 : Integer.parseInt(m.group(3));
        return new VllmVersion(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), patch);
    }

    public boolean atLeast(int major, int minor, int patch) {
        return compareTo(new VllmVersion(major, minor, patch)) >= 0;
    }

    @Override
    public int compareTo(VllmVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
