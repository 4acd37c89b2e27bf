package dev.warmroute.simulator.validate;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The published table beside what one set of parameters simulates, and what the text beside the table left open.
 *
 * @param workload the workload simulated; every row with the same parameters
 * @param seeds simulated runs of each row
 * @param hitMaePp mean over all rows of how far the hit rate is off, in percentage points
 * @param outputMapePct mean over the rows that a stationary model can explain of how far the output is off, in percent
 * @param pairs numbers of sessions measured with affinity off and on
 * @param signs in how many pairs the difference on - off has the right sign
 * @param median where the time to the first byte goes at the two largest numbers of sessions
 * @param sevenCards what each of two changes made at once brought
 * @param ok whether everything is within its tolerance
 * @param complaints what is not, in words
 */
public record SeedResult(
        String workload,
        int seeds,
        List<Row> rows,
        @JsonProperty("hit_mae_pp") double hitMaePp,
        @JsonProperty("output_mape_pct") double outputMapePct,
        int pairs,
        Signs signs,
        List<FirstByte> median,
        SevenCards sevenCards,
        boolean ok,
        List<String> complaints) {
    public SeedResult {
        rows = List.copyOf(rows);
        median = List.copyOf(median);
        complaints = List.copyOf(complaints);
    }

    /**
     * The columns of the table.
     *
     * @param stayedPct not told with affinity off
     */
    public record Figures(
            @JsonProperty("output_tokens_per_min") double outputTokensPerMin,
            @JsonProperty("ttfb_p50_s") double ttfbP50S,
            @JsonProperty("ttfb_p95_s") double ttfbP95S,
            double replicasBusy,
            double prefixHitPct,
            OptionalDouble stayedPct) {}

    /**
     * A row.
     *
     * @param affinity {@code off} or {@code on}
     * @param stationary whether a model whose replicas work at one speed can explain it: not when busy replicas put out more than a
     *     quarter more than with fewer sessions, although fewer of the prompt tokens were cached
     */
    public record Row(int sessions, String affinity, Figures measured, Figures simulated, boolean stationary) {
        double hitOffPp() {
            return Math.abs(simulated.prefixHitPct() - measured.prefixHitPct());
        }

        double outputOffPct() {
            return 100 * Math.abs(simulated.outputTokensPerMin() / measured.outputTokensPerMin() - 1);
        }
    }

    /** Pairs with the right sign. */
    public record Signs(
            int output,
            @JsonProperty("ttfb_p50") int ttfbP50,
            @JsonProperty("ttfb_p95") int ttfbP95,
            int hit) {}

    /**
     * Times to the first byte under a variant, in seconds.
     *
     * @param variant what is different
     * @param quickPct requests that took less than a second
     */
    public record FirstByte(
            int sessions,
            String variant,
            double hitPct,
            double meanS,
            @JsonProperty("p10_s") double p10S,
            @JsonProperty("p50_s") double p50S,
            @JsonProperty("p90_s") double p90S,
            @JsonProperty("p95_s") double p95S,
            double quickPct) {}

    /**
     * The machine of seven cards: from many sessions that a hash put on few cards to fewer sessions placed by load.
     *
     * @param cells hit rates of every combination
     * @param sessionsPp part of the gain that fewer sessions brought: mean of doing that first and of doing it second
     * @param placementPp the same of the placement
     */
    public record SevenCards(List<Cell> cells, double sessionsPp, double placementPp) {
        public SevenCards {
            cells = List.copyOf(cells);
        }

        /** One combination. */
        public record Cell(
                int sessions,
                String placement,
                double hitPct,
                @JsonProperty("ttfb_p50_s") double ttfbP50S) {}
    }
}
