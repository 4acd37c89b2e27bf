package dev.warmroute.simulator.gate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What became of an assertion.
 *
 * @param text as it was written
 * @param outcome what was found
 * @param value the figure, in the unit; of {@code fits}, the sessions at the same time
 * @param low lower end of its 95 % interval; where the bound lies at a baseline's figure, the interval is that of the paired
 *     difference from the bound, drawn around the figure. Of {@code fits}, the sessions that fit with contexts at their 95th
 *     percentile
 * @param high upper end; of {@code fits}, the sessions that fit with mean contexts
 * @param bound what it was held against
 * @param baseline the baseline's figure, where the bound lies at it
 * @param unit as written behind numbers; empty for none
 * @param detail the same in words
 */
@JsonPropertyOrder({"text", "ok"})
public record Judgement(
        String text,
        Outcome outcome,
        OptionalDouble value,
        OptionalDouble low,
        OptionalDouble high,
        OptionalDouble bound,
        OptionalDouble baseline,
        String unit,
        String detail) {
    public Judgement {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(detail, "detail");
    }

    /** What was found of an assertion. */
    public enum Outcome {
        OK("ok"),
        /** It does not hold. */
        FAILED("FAIL"),
        /** The bound lies within the interval, or there is no interval: it may hold or not. */
        TOO_UNCERTAIN("too uncertain"),
        /** The figure was not computed: nothing can be said. */
        NOT_COMPUTED("not computed");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        /** For people. */
        public String words() {
            return words;
        }

        @JsonValue
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @JsonProperty("ok")
    public boolean ok() {
        return outcome == Outcome.OK;
    }

    /** The line for people: outcome, assertion, detail. */
    @JsonIgnore
    public String line() {
        return outcome.words() + "  " + text + "  " + detail;
    }
}
