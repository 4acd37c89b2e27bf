package dev.warmroute.simulator.validate;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Answer of {@code validate published}.
 *
 * @param machines one a published case
 * @param ttftWorstPct largest error of a time to first token below saturation, cold, cached and under load, in percent
 * @param saturationErrorPct error of the requests a second that the machine can serve
 * @param knee sessions up to which the L4's cache holds: an interval, and the published one
 * @param ok whether everything is within its tolerance
 * @param complaints what is not
 */
public record PublishedResult(
        List<Machine> machines,
        double ttftWorstPct,
        double saturationErrorPct,
        Knee knee,
        boolean ok,
        List<String> complaints) {
    public PublishedResult {
        machines = List.copyOf(machines);
        Objects.requireNonNull(knee, "knee");
        complaints = List.copyOf(complaints);
    }

    /** A machine, its one parameter set, and what it predicts. */
    public record Machine(String name, List<Parameter> parameters, List<Row> rows) {
        public Machine {
            Objects.requireNonNull(name, "name");
            parameters = List.copyOf(parameters);
            rows = List.copyOf(rows);
        }
    }

    /** @param origin {@code first principles}, {@code fitted} or {@code assumed} */
    public record Parameter(String name, double value, String unit, String origin) {}

    /**
     * One published figure.
     *
     * @param what name of the measurement
     * @param at where it was taken: prompt tokens, requests a second or sessions
     * @param published figure; empty where only the prediction is of interest
     * @param errorPct predicted against published, in percent
     * @param toleratedPct largest error that is accepted; empty where none is asked for
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Row(
            String what,
            double at,
            OptionalDouble published,
            double predicted,
            OptionalDouble errorPct,
            OptionalDouble toleratedPct) {
        static Row of(String what, double at, OptionalDouble published, double predicted, OptionalDouble tolerated) {
            OptionalDouble error = published.isPresent()
                    ? OptionalDouble.of(100 * (predicted / published.getAsDouble() - 1))
                    : OptionalDouble.empty();
            return new Row(what, at, published, predicted, error, tolerated);
        }

        boolean outside() {
            return errorPct.isPresent()
                    && toleratedPct.isPresent()
                    && !(Math.abs(errorPct.getAsDouble()) <= toleratedPct.getAsDouble());
        }
    }

    /**
     * Where the cache stops holding the sessions.
     *
     * @param low sessions that fit at their longest contexts
     * @param high sessions that fit at their mean contexts
     * @param publishedLow last number of sessions that was fine
     * @param publishedHigh first that was not
     * @param contains whether the published cliff lies inside
     */
    public record Knee(double low, double high, int publishedLow, int publishedHigh, boolean contains) {}
}
