package dev.warmroute.router.proxy;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections of clients and to replicas are open, and may be. A process that has no file left can neither take a
 * connection nor make one, write an event or answer its operator; so the proxy stops taking clients while some are left, and
 * says so to those that it turns away. Thread-safe.
 */
final class OpenSockets {
    /** What clients are told. */
    static final String FULL = "the router has no room for another connection";

    /** Files for everything else: what the operator and the replicas' metrics need, Kafka's connections, a broker's segments. */
    private static final int RESERVE = 256;

    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Logger LOG = LoggerFactory.getLogger(OpenSockets.class);

    private final int most;
    private final int mostWithReplicas;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong toldAt;

    /** @param most connections with which no further client is taken */
    OpenSockets(int most, long now) {
        this.most = most;
        // Clients that were idle when they were taken may ask later on.
        this.mostWithReplicas = most + Math.min(RESERVE, most) / 2;
        this.toldAt = new AtomicLong(now - TELL_NANOS);
    }

    /** Connections that this process can have besides the files that are open already; where nobody says, any number. */
    static int leftByTheSystem() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            long limit = system.getMaxFileDescriptorCount();
            long reserve = Math.min(RESERVE, limit / 8);
            return Math.clamp(limit - system.getOpenFileDescriptorCount() - reserve, 1, Integer.MAX_VALUE / 2);
        }
        return Integer.MAX_VALUE / 2;
    }

    /**
     * What the operator should know when replicas could be busy with more requests than there may be connections for.
     *
     * @param places requests that all replicas can run at the same time; each has a client's connection and one to a replica
     * @param held requests that may be kept waiting besides
     */
    Optional<String> tooFewFor(long places, long held) {
        long needed = 2 * places + held;
        return needed <= most
                ? Optional.empty()
                : Optional.of("the limit of open files leaves room for " + most + " connections; all " + places
                        + " places of the replicas"
                        + (held == 0 ? "" : " and " + held + " requests held")
                        + " would take " + needed + ": raise it by " + (needed - most) + " (LimitNOFILE, ulimit -n)");
    }

    void opened() {
        open.incrementAndGet();
    }

    void closed() {
        open.decrementAndGet();
    }

    /** Whether a client that is connected, and counted, has to be turned away. */
    boolean tooManyForAClient(long now) {
        return tooMany(open.get() > most, now);
    }

    /** Whether so many have been turned away at once that their answers, too, would take the files that are kept back. */
    boolean tooManyToAnswer() {
        return open.get() > most + (mostWithReplicas - most) / 2;
    }

    /** Whether no further connection to a replica can be made. */
    boolean tooManyForAReplica(long now) {
        return tooMany(open.get() >= mostWithReplicas, now);
    }

    private boolean tooMany(boolean full, long now) {
        long told = toldAt.get();
        if (full && now - told >= TELL_NANOS && toldAt.compareAndSet(told, now)) {
            LOG.warn(
                    "{} connections are open, as many as the limit of open files allows: further clients are turned"
                            + " away; raise the limit (LimitNOFILE, ulimit -n)",
                    open.get());
        }
        return full;
    }
}
