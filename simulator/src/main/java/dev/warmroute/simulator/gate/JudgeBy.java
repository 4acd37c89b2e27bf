package dev.warmroute.simulator.gate;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Which number has to be on the right side of a bound. */
public enum JudgeBy {
    /**
     * The end of the 95 % interval at which it is hardest: a policy passes only if other sessions like these would have passed
     * it, too. What cannot be told does not pass, since the policy in force has shown that it works, and the new one has not.
     */
    INTERVAL,
    /** The figure itself: even a policy that is exactly as good as the bound then passes every other time. */
    FIGURE;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
