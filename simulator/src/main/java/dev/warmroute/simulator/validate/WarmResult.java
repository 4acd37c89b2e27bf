package dev.warmroute.simulator.validate;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The published table of cold and warm system prompts beside what one set of parameters a model simulates.
 *
 * @param systemTokens system prompt, which warm replicas have computed
 * @param userTokens what follows it, of which nothing was said before
 * @param tolerance how far the speed-up of a cell may be off
 * @param most largest speed-up that knowing the system prompt can bring, whatever a step costs: all tokens over those that are left
 * @param models parameters of each
 * @param cells the table
 * @param within cells whose speed-up is off by no more than the tolerance
 * @param impossible cells that no parameters can reach, each with its reason
 * @param worst largest deviation of a speed-up, of the others
 * @param ok whether every cell is one or the other
 * @param complaints what is not, in words
 */
public record WarmResult(
        int systemTokens,
        int userTokens,
        double tolerance,
        double most,
        List<Model> models,
        List<Cell> cells,
        int within,
        int impossible,
        double worst,
        boolean ok,
        List<String> complaints) {
    public WarmResult {
        models = List.copyOf(models);
        cells = List.copyOf(cells);
        complaints = List.copyOf(complaints);
    }

    /**
     * The parameters of a model: a step takes {@code base + token * prompt tokens + pair * token pairs}.
     *
     * @param times published times that they were fitted to, by least squares on the relative errors: all of the model's but those
     *     of impossible cells
     * @param rmsPct root mean square of the errors that are left, in percent
     */
    public record Model(
            String model, double baseMs, double tokenUs, double attentionPairNs, int times, double rmsPct) {}

    /** @param off simulated speed-up less the published one */
    public record Cell(
            String model,
            int concurrency,
            Times published,
            Times simulated,
            double off,
            boolean within,
            String reason) {
        /** Whether nothing is to be said against it. */
        boolean holds() {
            return within || !reason.isEmpty();
        }
    }

    /** Mean times to first token, and how many times as fast the warm one is. */
    public record Times(
            @JsonProperty("cold_s") double coldS,
            @JsonProperty("warm_s") double warmS,
            double speedUp) {
        static Times of(double coldS, double warmS) {
            return new Times(coldS, warmS, coldS / warmS);
        }
    }
}
