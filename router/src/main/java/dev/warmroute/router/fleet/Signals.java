package dev.warmroute.router.fleet;

/**
 * What a replica's last scrape said.
 *
 * @param running requests in the running batch
 * @param waiting requests in the engine's queue
 * @param kvUsage fraction of KV blocks held by running requests, 0 to 1; cached but idle blocks count as free
 * @param ageMillis age of the scrape; -1 when there was none, and then the other values mean nothing
 */
public record Signals(double running, double waiting, double kvUsage, long ageMillis) {
    /** Before the first scrape, or after the engine was started again. */
    public static final Signals NONE = new Signals(0, 0, 0, -1);

    public boolean known() {
        return ageMillis >= 0;
    }

    public boolean knownWithin(long maxAgeMillis) {
        return known() && ageMillis <= maxAgeMillis;
    }
}
