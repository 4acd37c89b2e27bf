package dev.warmroute.simulator.gate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Answer of {@code promote}.
 *
 * @param step what was done
 * @param model the router's model
 * @param before policy in force before
 * @param after the policy that was checked, or that was gone back to
 * @param check the check; empty for a rollback
 */
@JsonPropertyOrder({"ok"})
public record Promotion(Step step, String model, String before, String after, Optional<CheckResult> check) {
    public Promotion {
        Objects.requireNonNull(step, "step");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(check, "check");
    }

    /** What was done. */
    public enum Step {
        PROMOTED("%1$s: %3$s decides from now on, in place of %2$s; its check is recorded as %4$s."),
        WOULD_PROMOTE("%1$s: %3$s would take the place of %2$s; nothing was changed."),
        /** The check passed, and there is nothing to change. */
        IN_FORCE_ALREADY("%1$s: %3$s is in force already; nothing was changed."),
        NOT_PASSED("%1$s: %3$s did not pass its check; %2$s stays in force."),
        ROLLED_BACK("%1$s: %3$s decides again, in place of %2$s."),
        WOULD_ROLL_BACK("%1$s: %3$s would decide again, in place of %2$s; nothing was changed.");

        private final String sentence;

        Step(String sentence) {
            this.sentence = sentence;
        }

        @JsonValue
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @JsonProperty("ok")
    public boolean ok() {
        return step != Step.NOT_PASSED;
    }

    /** What was done, for people. */
    @JsonIgnore
    public String sentence() {
        return String.format(
                Locale.ROOT,
                step.sentence,
                model,
                before,
                after,
                check.map(CheckResult::hash).orElse(""));
    }
}
