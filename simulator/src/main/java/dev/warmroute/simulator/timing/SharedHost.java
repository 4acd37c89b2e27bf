package dev.warmroute.simulator.timing;

/**
 * Replicas that share a machine slow each other down: while {@code n} of them have work, a step, and the delay in front of the engine, takes
 * {@code 1 + slowdown * (n - 1)} times as long as alone. Replicas on cards of their own have a slowdown of 0; on the cores
 * of one CPU it is near 1 over the number of replicas that it serves at full speed.
 *
 * @param slowdown what every other busy replica adds to a step, as a share of its time alone; at least 0
 */
public record SharedHost(double slowdown) {
    public static final SharedHost NONE = new SharedHost(0);

    public SharedHost {
        if (!(slowdown >= 0 && Double.isFinite(slowdown))) {
            throw new IllegalArgumentException(
                    "what another busy replica adds to a step must not be negative: " + slowdown);
        }
    }

    /** Whether busy replicas matter to each other. */
    public boolean shared() {
        return slowdown > 0;
    }

    /**
     * How many times longer a step takes.
     *
     * @param busy replicas that have work; may be a mean over time
     */
    public double factor(double busy) {
        return 1 + slowdown * Math.max(0, busy - 1);
    }
}
