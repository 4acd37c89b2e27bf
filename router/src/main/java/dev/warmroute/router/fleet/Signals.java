package dev.warmroute.router.fleet;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a replica's last scrape said.
 *
 * @param running requests in the running batch
 * @param waiting requests in the engine's queue
 * @param kvUsage fraction of KV blocks held by running requests, 0 to 1; cached but idle blocks count as free
 * @param ageMillis age of the scrape; -1 when there was none, and then the other values mean nothing
 */
public record Signals(double running, double waiting, double kvUsage, long ageMillis) {
    /** Before the first scrape. */
    public static final Signals NONE = new Signals(0, 0, 0, -1);

    /**
     * Signals of a replica from what its page said just now: requests added over its engines, KV usage averaged.
     * {@link #NONE} when the page lacks one of the three for one of the engines.
     */
    public static Signals of(List<EngineSnapshot> engines) {
        double running = 0;
        double waiting = 0;
        double kvUsage = 0;
        for (EngineSnapshot engine : engines) {
            OptionalDouble r = engine.gauge(VllmSeries.RUNNING);
            OptionalDouble w = engine.gauge(VllmSeries.WAITING);
            OptionalDouble kv = engine.gauge(VllmSeries.KV_USAGE);
            if (r.isEmpty() || w.isEmpty() || kv.isEmpty()) {
                return NONE;
            }
            running += r.getAsDouble();
            waiting += w.getAsDouble();
            kvUsage += kv.getAsDouble();
        }
        return engines.isEmpty() ? NONE : new Signals(running, waiting, kvUsage / engines.size(), 0);
    }

    /** The same at a later moment. */
    public Signals aged(long millis) {
        return known() ? new Signals(running, waiting, kvUsage, millis) : this;
    }

    public boolean known() {
        return ageMillis >= 0;
    }

    public boolean knownWithin(long maxAgeMillis) {
        return known() && ageMillis <= maxAgeMillis;
    }
}
