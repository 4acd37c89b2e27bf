package dev.warmroute.simulator.sweep;

import java.util.List;
import java.util.function.Consumer;

/** Has scenarios computed somewhere. Used once. */
public interface SweepRunner {
    /**
     * Has scenarios computed, and returns when all are, or soon after {@link #stop}.
     *
     * @param missing ids of the sweep that are wanted, in the order in which they are best begun
     * @param results takes each result, one at a time; of a scenario more than one may come, all equal
     * @throws dev.warmroute.router.UserError if it cannot go on
     */
    void run(Sweep sweep, List<String> missing, Consumer<ScenarioResult> results);

    /** Asks {@link #run} to return, from another thread. */
    void stop();
}
