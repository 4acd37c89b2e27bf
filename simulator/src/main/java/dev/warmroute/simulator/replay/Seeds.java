package dev.warmroute.simulator.replay;

import dev.warmroute.router.UserError;
import java.util.SplittableRandom;

/**
 * Independent streams of randomness from one seed: a stream for each purpose and item, so that what one part draws never
 * shifts what another one gets, and two policies that are compared see the same workload.
 */
public final class Seeds {
    /** What randomness is used for; the names enter the seeds, so they must not change. */
    public enum Purpose {
        POLICY(1),
        START(2),
        GAP(3),
        LENGTH(4);

        private final long salt;

        Purpose(long number) {
            this.salt = mix(number);
        }
    }

    private final long seed;

    public Seeds(long seed) {
        this.seed = mix(seed);
    }

    /**
     * Checks a number of runs with different seeds.
     *
     * @return it
     * @throws UserError if there are none
     */
    public static int atLeastOne(int seeds) {
        if (seeds < 1) {
            throw new UserError("seeds must be at least 1, not " + seeds);
        }
        return seeds;
    }

    /** Seed of one item. */
    public long of(Purpose purpose, long item) {
        return mix(mix(seed ^ purpose.salt) + item);
    }

    /** Source of randomness of one item. */
    public SplittableRandom stream(Purpose purpose, long item) {
        return new SplittableRandom(of(purpose, item));
    }

    /** Finalizer of SplitMix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
