package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.EngineGroups;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.WorkloadSpec;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Simulates the sessions on the fleet and says what that means beside the rule. */
final class CapacitySimulation {
    /** Points of the ceiling that any replay loses: other replicas' first turns, rounding. */
    private static final double AGREES_WITHIN_PP = 3;

    private static final double PREFILL_SATURATES = 0.8;

    private final Check how;
    private final CacheSize cache;
    private final FleetSpec fleet;

    CapacitySimulation(Check how, CacheSize cache) {
        this.how = how;
        this.cache = cache;
        this.fleet = fleet(how, cache);
    }

    static FleetSpec fleet(Check how, CacheSize cache) {
        EngineConfig engine = EngineConfig.defaults()
                .withBlockSize(cache.blockSize())
                .withGroups(EngineGroups.of(cache.layout()))
                .withUsableBlocks(cache.usableBlocks())
                .withMaxNumSeqs(how.maxNumSeqs())
                .withMaxNumBatchedTokens(how.maxNumBatchedTokens());
        return FleetSpec.of(
                cache.replicas(), how.host().map(engine::withHostMemory).orElse(engine), how.timing());
    }

    /** Simulates a trace. */
    CapacityCheck check(
            Subject subject, int sessions, OptionalDouble ceilingPct, Optional<Rule> rule, Progress progress) {
        return judge(run(subject, fleet, progress), sessions, ceilingPct, rule);
    }

    /** Simulates made-up sessions of a demand; the ceiling is a run without limit. */
    CapacityCheck check(Demand demand, Rule rule, Progress progress) {
        return check(DescribedSessions.of(demand, cache, how), rule, progress);
    }

    /** Simulates a workload's sessions; the ceiling is a run without limit. */
    CapacityCheck check(WorkloadSpec sessions, Rule rule, Progress progress) {
        Subject subject = new Subject.OfWorkload(sessions, how.seconds());
        WhatIfResult unlimited = run(
                subject,
                fleet.withEngine(fleet.engine().withoutHostMemory().withUnlimitedBlocks()),
                share -> progress.at(share / 2));
        WhatIfResult limited = run(subject, fleet, share -> progress.at(0.5 + share / 2));
        return judge(limited, sessions.sessions(), unlimited.policies().get(0).hitPct(), Optional.of(rule));
    }

    private WhatIfResult run(Subject subject, FleetSpec on, Progress progress) {
        return WhatIf.run(
                new WhatIfRequest(
                        subject,
                        on,
                        cache.source(),
                        how.timing().name(),
                        List.of(how.policy()),
                        how.seeds(),
                        how.threads()),
                progress);
    }

    private CapacityCheck judge(WhatIfResult result, int sessions, OptionalDouble ceilingPct, Optional<Rule> rule) {
        PolicyRow row = result.policies().get(0);
        OptionalDouble lost = row.hitPct().isPresent() && ceilingPct.isPresent()
                ? OptionalDouble.of(ceilingPct.getAsDouble() - row.hitPct().getAsDouble())
                : OptionalDouble.empty();
        double prefill = prefillShare(result, row);
        boolean cacheHolds = lost.isPresent() && lost.getAsDouble() <= CapacityAnalysis.LOST_TOO_MUCH_PP;
        Optional<Limit> saturated = Optional.empty();
        if (sessions > (long) cache.replicas() * how.maxNumSeqs()) {
            saturated = Optional.of(Limit.DECODE);
        } else if (cacheHolds && prefill > PREFILL_SATURATES) {
            saturated = Optional.of(Limit.PREFILL);
        }
        return new CapacityCheck(
                row.policy(),
                sessions,
                result.trace().spanS(),
                row.hitPct(),
                ceilingPct,
                lost,
                prefill,
                saturated,
                agreement(rule, lost),
                row);
    }

    /** Time of the mean request's uncached tokens, times the requests, over the replicas' time. */
    private double prefillShare(WhatIfResult result, PolicyRow row) {
        double perMinute = row.outputTokensPerMin().orElse(0);
        if (row.requests() == 0 || perMinute == 0) {
            return 0;
        }
        double seconds = result.trace().outputTokens() * 60.0 / perMinute;
        long cached = row.cachedTokens().orElse(0) / row.requests();
        long computed = row.promptTokens() / row.requests() - cached;
        StepTimeLaw law = fleet.law();
        long nanos = law.stepNanos(computed, StepTimeLaw.chunkAttention(computed, cached), 0, 0);
        return Math.min(1, nanos / 1e9 * row.requests() / seconds / cache.replicas());
    }

    private static String agreement(Optional<Rule> rule, OptionalDouble lost) {
        if (lost.isEmpty()) {
            return "nothing was served, so there is nothing to compare";
        }
        String points = String.format(Locale.ROOT, "%.1f points", Math.max(0, lost.getAsDouble()));
        boolean keeps = lost.getAsDouble() <= AGREES_WITHIN_PP;
        boolean loses = lost.getAsDouble() > CapacityAnalysis.LOST_TOO_MUCH_PP;
        if (rule.isEmpty()) {
            return "the simulation loses " + points + " of the ceiling; without a number of sessions there is no rule";
        }
        return switch (rule.get().verdict()) {
            case FITS ->
                loses
                        ? "the rule holds, yet the simulation loses " + points
                                + " of the ceiling: turns wait or move, and what waits is overwritten"
                        : "rule and simulation agree: the sessions fit, " + points + " of the ceiling are lost";
            case EDGE -> "at the edge by the rule, and the simulation loses " + points + " of the ceiling";
            case DOES_NOT_FIT ->
                keeps
                        ? "more sessions than fit at once, yet the simulation loses only " + points
                                + " of the ceiling: they are not all active at a time"
                        : "rule and simulation agree: the sessions do not fit, " + points + " of the ceiling are lost";
        };
    }
}
