package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.replay.WorkloadSpec;

/**
 * Sessions made up to a {@link Demand}: their prompts grow evenly so that mean and 95th percentile over their turns are those of
 * the demand, with the pauses of the published agent load.
 */
final class DescribedSessions {
    /** Time between an answer's last byte and the next turn. */
    static final WorkloadSpec.Gap GAP = new WorkloadSpec.Gap(0.52, 1.41);

    private static final double BETWEEN_SESSIONS_S = 1.24;
    private static final int TURNS = 6;
    /** Of six evenly growing prompts the mean lies so many steps above the first, and the 95th percentile. */
    private static final double MEAN_STEP = 2.5;

    private static final double P95_STEP = 4.75;
    /** Answer of a described session that does not say how long its answers are. */
    private static final int ASSUMED_OUTPUT = 200;

    private static final int LEAST_MESSAGE = 64;

    private DescribedSessions() {}

    static WorkloadSpec of(Demand demand, CacheSize cache, Check how) {
        int output = demand.outputMeanTokens() >= 1 ? (int) Math.round(demand.outputMeanTokens()) : ASSUMED_OUTPUT;
        double growth = (demand.contextP95Tokens() - demand.contextMeanTokens()) / (P95_STEP - MEAN_STEP);
        int message = (int) Math.max(LEAST_MESSAGE, Math.round(growth) - output);
        long first = Math.round(demand.contextMeanTokens() - MEAN_STEP * (message + output)) - demand.sharedTokens();
        return new WorkloadSpec(
                "description",
                new WorkloadSpec.Machine(
                        cache.replicas(),
                        cache.blockSize(),
                        cache.tokens(),
                        how.maxNumSeqs(),
                        how.maxNumBatchedTokens()),
                new WorkloadSpec.Timing(0, 0, 0, 0, 0),
                0,
                1,
                Math.max(1, demand.sessions()),
                TURNS,
                Math.toIntExact(demand.sharedTokens()),
                fixed(Math.toIntExact(Math.max(1, first))),
                fixed(message),
                fixed(output),
                GAP,
                BETWEEN_SESSIONS_S);
    }

    /** The mean turn of such sessions, of which so much is found cached at best. */
    static Limits.Turns turns(Demand demand, double ceilingPct) {
        return new Limits.Turns(
                demand.contextMeanTokens(),
                demand.contextMeanTokens() * ceilingPct / 100,
                demand.outputMeanTokens() >= 1 ? demand.outputMeanTokens() : ASSUMED_OUTPUT,
                GAP.fixedS() + GAP.exponentialS());
    }

    private static WorkloadSpec.Range fixed(int tokens) {
        return new WorkloadSpec.Range(tokens, tokens);
    }
}
