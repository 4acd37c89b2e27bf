package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.Kind;
import dev.warmroute.simulator.admin.RouterAdmin;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at a router again and again while an arm runs. */
final class RampWatch implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 500;
    private static final long SHORTEST_MILLIS = 10;

    private final RouterAdmin admin;
    private final Map<Kind, Long> before;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final long end;
    private long samples;
    private long busy;
    private int mostHeld;

    /** Looks while turns are started, and no longer. */
    RampWatch(RouterAdmin admin, AgentLoadOptions load) {
        this.admin = admin;
        this.end = System.nanoTime() + load.wallNanos(load.seconds());
        before = decisions(admin.status());
        long every = Math.max(SHORTEST_MILLIS, Math.round(INTERVAL_MILLIS / load.speed()));
        timer.scheduleWithFixedDelay(this::sample, every, every, TimeUnit.MILLISECONDS);
    }

    private void sample() {
        try {
            JsonNode status = admin.status();
            int withRequests = 0;
            for (JsonNode replica : status.path("replicas")) {
                withRequests += replica.path("in_flight").asInt() > 0 ? 1 : 0;
            }
            add(withRequests, status.path("held").asInt());
        } catch (UserError e) {
            // a look that failed is a sample less; the arm's own requests tell when the router is gone
        }
    }

    private synchronized void add(int withRequests, int held) {
        if (System.nanoTime() - end > 0) {
            return;
        }
        samples++;
        busy += withRequests;
        mostHeld = Math.max(mostHeld, held);
    }

    synchronized double replicasBusy() {
        return samples == 0 ? 0 : (double) busy / samples;
    }

    synchronized int mostHeld() {
        return mostHeld;
    }

    /** Of the decisions since the start about conversations with a home, the share that sent them there. */
    OptionalDouble stayedPct() {
        Map<Kind, Long> since = decisions(admin.status());
        since.replaceAll((kind, n) -> n - before.get(kind));
        long stayed = since.get(Kind.STICKY);
        long all = stayed + since.get(Kind.OVERFLOW) + since.get(Kind.MOVED) + since.get(Kind.FAILOVER);
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * stayed / all);
    }

    private static Map<Kind, Long> decisions(JsonNode status) {
        Map<Kind, Long> sums = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            long sum = 0;
            for (JsonNode replica : status.path("replicas")) {
                sum += replica.path("decisions").path(kind.wireName()).asLong();
            }
            sums.put(kind, sum);
        }
        return sums;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
