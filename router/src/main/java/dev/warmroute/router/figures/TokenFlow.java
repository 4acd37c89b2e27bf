package dev.warmroute.router.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Prompt tokens of the last hour, found in the cache and computed, in steps of ten seconds. Not thread-safe. */
final class TokenFlow {
    static final int STEP_SECONDS = 10;
    private static final int STEPS = 360;
    private static final int RATE_STEPS = 6;
    private static final int CACHED = 0;
    private static final int COMPUTED = 1;

    private final Buckets buckets = new Buckets(STEP_SECONDS, STEPS, 2);

    /**
     * Prompt tokens per second in one step.
     *
     * @param atUs begin of the step, microseconds since the epoch
     */
    public record Step(long atUs, double cachedPerSecond, double computedPerSecond) {}

    void add(long atUs, long cached, long computed) {
        buckets.add(atUs, CACHED, cached);
        buckets.add(atUs, COMPUTED, computed);
    }

    /** Rates over about the last minute, in tokens per second; over less while the router is younger than that. */
    Step rate(long sinceUs, long nowUs) {
        long from = Math.max(sinceUs, (buckets.bucket(nowUs) - RATE_STEPS + 1) * buckets.bucketMicros());
        double seconds = Math.max(1, (nowUs - from) / (double) TimeUnit.SECONDS.toMicros(1));
        return new Step(
                from,
                buckets.last(RATE_STEPS, CACHED, nowUs) / seconds,
                buckets.last(RATE_STEPS, COMPUTED, nowUs) / seconds);
    }

    /** The steps that are over, oldest first, from {@code sinceUs} on but for an hour at most. */
    List<Step> steps(long sinceUs, long nowUs) {
        List<Step> steps = new ArrayList<>();
        long now = buckets.bucket(nowUs);
        for (long b = Math.max(buckets.bucket(sinceUs), now - STEPS + 1); b < now; b++) {
            steps.add(new Step(
                    b * buckets.bucketMicros(),
                    buckets.in(b, CACHED) / (double) STEP_SECONDS,
                    buckets.in(b, COMPUTED) / (double) STEP_SECONDS));
        }
        return steps;
    }
}
