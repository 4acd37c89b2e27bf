package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.SplittableRandom;

/** What the sessions of a workload ask of the cache, by drawing so many of them. */
final class WorkloadDemand {
    private static final int DRAWN = 200;
    private static final double P95 = 0.95;

    private WorkloadDemand() {}

    static Demand of(WorkloadSpec spec) {
        double[] contexts = new double[DRAWN * spec.turns()];
        double[] answers = new double[contexts.length];
        Seeds seeds = new Seeds(0);
        for (int s = 0, n = 0; s < DRAWN; s++) {
            SplittableRandom random = seeds.stream(Seeds.Purpose.LENGTH, s);
            double said = spec.systemTokens() + draw(spec.firstTokens(), random);
            for (int turn = 0; turn < spec.turns(); turn++, n++) {
                contexts[n] = said;
                answers[n] = draw(spec.outputTokens(), random);
                said += answers[n] + draw(spec.turnTokens(), random);
            }
        }
        Quantiles context = Quantiles.of(contexts);
        Quantiles answer = Quantiles.of(answers);
        double mean = context.mean().orElseThrow();
        double answerMean = answer.mean().orElseThrow();
        return new Demand(
                spec.sessions(),
                spec.systemTokens(),
                mean,
                Math.max(mean, context.at(P95).orElseThrow()),
                answerMean,
                Math.max(answerMean, answer.at(P95).orElseThrow()));
    }

    private static int draw(WorkloadSpec.Range range, SplittableRandom random) {
        return range.low() + random.nextInt(range.high() - range.low() + 1);
    }
}
