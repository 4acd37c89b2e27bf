package dev.warmroute.simulator.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * One arm of one step: the columns of the published table, and what it leaves out. Times are model seconds.
 *
 * @param arm policy that decided
 * @param sessionsPerHour sessions that reached their last turn, by the hour
 * @param replicasBusy replicas with a request of this router in flight, mean of the samples
 * @param prefixHitPct prompt tokens that the servers said were cached, in percent; empty when they do not say
 * @param stayedPct of the decisions about conversations with a home, those that sent them there; empty when the policy keeps none
 * @param mostHeld the most requests that waited at the router at a time
 */
public record RampRow(
        int sessions,
        String arm,
        double sessionsPerHour,
        double outputTokensPerMin,
        @JsonProperty("ttfb_p50_s") OptionalDouble ttfbP50S,
        @JsonProperty("ttfb_p95_s") OptionalDouble ttfbP95S,
        double replicasBusy,
        OptionalDouble prefixHitPct,
        OptionalDouble stayedPct,
        @JsonProperty("session_p50_s") OptionalDouble sessionP50S,
        @JsonProperty("session_p95_s") OptionalDouble sessionP95S,
        int requests,
        int failures,
        int mostHeld) {

    /** The published columns first. */
    private static final String HEADER =
            "sessions,arm,sessions_per_hour,output_tokens_per_min,ttfb_p50_s,ttfb_p95_s,replicas_busy,"
                    + "prefix_hit_pct,stayed_pct,session_p50_s,session_p95_s,requests,failures,most_held";

    /** The rows as CSV, with a header. */
    public static String csv(List<RampRow> rows) {
        StringBuilder out = new StringBuilder(HEADER).append('\n');
        for (RampRow r : rows) {
            out.append(r.sessions)
                    .append(',')
                    .append(r.arm)
                    .append(',')
                    .append(Math.round(r.sessionsPerHour))
                    .append(',')
                    .append(Math.round(r.outputTokensPerMin))
                    .append(',')
                    .append(text(r.ttfbP50S, 3))
                    .append(',')
                    .append(text(r.ttfbP95S, 3))
                    .append(',')
                    .append(text(OptionalDouble.of(r.replicasBusy), 2))
                    .append(',')
                    .append(text(r.prefixHitPct, 1))
                    .append(',')
                    .append(text(r.stayedPct, 1))
                    .append(',')
                    .append(text(r.sessionP50S, 2))
                    .append(',')
                    .append(text(r.sessionP95S, 2))
                    .append(',')
                    .append(r.requests)
                    .append(',')
                    .append(r.failures)
                    .append(',')
                    .append(r.mostHeld)
                    .append('\n');
        }
        return out.toString();
    }

    private static String text(OptionalDouble value, int digits) {
        return value.isPresent() ? String.format(Locale.ROOT, "%." + digits + "f", value.getAsDouble()) : "";
    }
}
