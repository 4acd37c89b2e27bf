package dev.warmroute.simulator.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One thing that could be changed, and what it would be worth: by the rule and simulated.
 *
 * @param change {@code now} for the fleet as it is, else what is changed
 * @param detail the change in words and figures
 * @param rule verdict of the rule for the sessions asked about
 * @param sessionsFit sessions that fit by the rule
 * @param sessionsGained further ones with mean contexts, compared with now
 * @param simulated the sessions asked about (or as many as the change lets in) on the changed fleet
 * @param sessionsKept the most sessions of which the simulation loses at most 10 points of what as many hit without limit; empty for
 *     a policy that holds conversations at the router, which loses nothing by letting them wait
 * @param orMore whether {@code sessionsKept} is only as far as was looked, which is the same for all
 * @param keptGained {@code sessionsKept} compared with now, at least so many where {@code orMore}; empty where one of the two is not
 *     known, or now's is only as far as was looked
 */
public record Advice(
        String change,
        String detail,
        Verdict rule,
        SessionsFit sessionsFit,
        int sessionsGained,
        Simulated simulated,
        OptionalInt sessionsKept,
        boolean orMore,
        OptionalInt keptGained) {
    public Advice {
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(sessionsFit, "sessionsFit");
        Objects.requireNonNull(simulated, "simulated");
    }

    /**
     * A simulated run.
     *
     * @param policy routing policy
     * @param sessions sessions at the same time; empty for requests at their recorded times
     * @param hitPct hit ratio, in percent
     * @param lostPp points below the ratio without limit
     * @param outputTokensPerMin generated tokens a minute
     * @param ttftP95S 95th percentile of the time to the first byte, holding included, in seconds
     */
    public record Simulated(
            String policy,
            OptionalInt sessions,
            OptionalDouble hitPct,
            @JsonProperty("lost_pp") OptionalDouble lostPp,
            OptionalDouble outputTokensPerMin,
            @JsonProperty("ttft_p95_s") OptionalDouble ttftP95S) {}

    /** The same, with what it gains over the fleet as it is. */
    Advice over(Advice now) {
        OptionalInt gained = sessionsKept.isPresent() && now.sessionsKept.isPresent() && !now.orMore
                ? OptionalInt.of(sessionsKept.getAsInt() - now.sessionsKept.getAsInt())
                : OptionalInt.empty();
        return new Advice(
                change,
                detail,
                rule,
                sessionsFit,
                sessionsFit.high() - now.sessionsFit.high(),
                simulated,
                sessionsKept,
                orMore,
                gained);
    }
}
