package dev.warmroute.simulator.replay;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import dev.warmroute.simulator.timing.StepTimeLaw;
import dev.warmroute.simulator.timing.TimingPreset;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A fleet of equal replicas and what lies between them and their clients.
 *
 * @param replicas number of replicas
 * @param engine settings of each
 * @param law time of its steps
 * @param frontend what a request costs in front of the engine
 * @param host what busy replicas that share a machine do to each other's steps
 * @param networkNanos round trip between client and router; half of it each way
 * @param scrapeNanos time between two readings of the replicas' counters, by which the policy's signals age
 * @param warmStart prompts that each replica computes when it starts
 */
public record FleetSpec(
        int replicas,
        EngineConfig engine,
        StepTimeLaw law,
        FrontendDelay frontend,
        SharedHost host,
        long networkNanos,
        long scrapeNanos,
        WarmStart warmStart) {

    /** Most replicas of a fleet, far above any that one router serves: more is a slip, and would end in want of memory. */
    public static final int MOST_REPLICAS = 10_000;

    /** One second, the live router's default. */
    public static final long SCRAPE_NANOS = TimeUnit.SECONDS.toNanos(1);

    public FleetSpec {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(law, "law");
        Objects.requireNonNull(frontend, "frontend");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(warmStart, "warmStart");
        if (replicas < 1 || replicas > MOST_REPLICAS) {
            throw new UserError("a fleet needs 1 to " + MOST_REPLICAS + " replicas, not " + replicas);
        }
        if (networkNanos < 0) {
            throw new UserError("the network's round trip must not be negative: " + networkNanos + " ns");
        }
        if (scrapeNanos < 1) {
            throw new UserError("the scrape interval must be at least 1 ns: " + scrapeNanos);
        }
    }

    /** Replicas that start cold. */
    public FleetSpec(
            int replicas,
            EngineConfig engine,
            StepTimeLaw law,
            FrontendDelay frontend,
            SharedHost host,
            long networkNanos,
            long scrapeNanos) {
        this(replicas, engine, law, frontend, host, networkNanos, scrapeNanos, WarmStart.NONE);
    }

    /** A fleet next to its clients, with counters read every second. */
    public static FleetSpec of(int replicas, EngineConfig engine, TimingPreset timing) {
        return new FleetSpec(replicas, engine, timing.law(), timing.frontend(), timing.host(), 0, SCRAPE_NANOS);
    }

    public FleetSpec withScrapeNanos(long nanos) {
        return new FleetSpec(replicas, engine, law, frontend, host, networkNanos, nanos, warmStart);
    }

    public FleetSpec withNetworkNanos(long nanos) {
        return new FleetSpec(replicas, engine, law, frontend, host, nanos, scrapeNanos, warmStart);
    }

    public FleetSpec withReplicas(int number) {
        return new FleetSpec(number, engine, law, frontend, host, networkNanos, scrapeNanos, warmStart);
    }

    public FleetSpec withEngine(EngineConfig config) {
        return new FleetSpec(replicas, config, law, frontend, host, networkNanos, scrapeNanos, warmStart);
    }

    public FleetSpec withTiming(TimingPreset timing) {
        return new FleetSpec(
                replicas, engine, timing.law(), timing.frontend(), timing.host(), networkNanos, scrapeNanos, warmStart);
    }

    public FleetSpec withWarmStart(WarmStart prompts) {
        return new FleetSpec(replicas, engine, law, frontend, host, networkNanos, scrapeNanos, prompts);
    }
}
