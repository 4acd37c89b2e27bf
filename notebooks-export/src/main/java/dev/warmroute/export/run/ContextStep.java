package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long prompts are at one turn of their conversations.
 *
 * @param turn from 1
 * @param conversations how many came so far
 * @param p50Tokens median
 * @param p95Tokens 95th percentile
 */
public record ContextStep(int turn, int conversations, double p50Tokens, double p95Tokens) {
    /** With fewer conversations a percentile says little. */
    private static final int FEWEST = 5;

    /** The turns that enough conversations reach, in order. */
    static List<ContextStep> of(Requests requests) {
        List<int[]> byTurn = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (int r : requests.inOrder()) {
            int turn = requests.turn(r);
            if (turn == 0) {
                continue;
            }
            if (turn > byTurn.size()) {
                byTurn.add(new int[16]);
                sizes.add(0);
            }
            int size = sizes.get(turn - 1);
            if (size == byTurn.get(turn - 1).length) {
                byTurn.set(turn - 1, Arrays.copyOf(byTurn.get(turn - 1), 2 * size));
            }
            byTurn.get(turn - 1)[size] = requests.log().promptTokens(r);
            sizes.set(turn - 1, size + 1);
        }
        List<ContextStep> steps = new ArrayList<>();
        for (int t = 0; t < byTurn.size() && sizes.get(t) >= FEWEST; t++) {
            Quantiles tokens = Quantiles.of(Arrays.stream(byTurn.get(t), 0, sizes.get(t))
                    .asDoubleStream()
                    .toArray());
            steps.add(new ContextStep(
                    t + 1,
                    sizes.get(t),
                    tokens.at(0.5).orElseThrow(),
                    tokens.at(0.95).orElseThrow()));
        }
        return steps;
    }
}
