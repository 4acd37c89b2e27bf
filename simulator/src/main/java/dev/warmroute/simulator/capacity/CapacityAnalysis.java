package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.Findings.Curve;
import dev.warmroute.simulator.capacity.Findings.Simulated;
import dev.warmroute.simulator.capacity.Limits.Turns;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.TraceLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Puts the three answers together: the rule (necessary), the reuse curve (an upper bound near the knee) and the simulation
 * (the answer), and looks for what would move the limit. The verdict is the rule's; where the simulation loses more of the ceiling
 * than {@value #LOST_TOO_MUCH_PP} points although the rule says that the sessions fit, it is lowered to <em>edge</em>.
 */
public final class CapacityAnalysis {
    /** Percentage points of the ceiling beyond which a simulation contradicts a rule that fits. */
    static final double LOST_TOO_MUCH_PP = 10;

    /** Share of the progress that the check takes; the rest is the advice's. */
    private static final double CHECK_SHARE = 0.3;

    private CapacityAnalysis() {}

    /**
     * Analyses a trace in one pass, without keeping it unless a check is asked for. The reader stays the caller's to close.
     *
     * @param progress hears the simulations
     */
    public static CapacityResult ofTrace(TraceReader reader, CapacityRequest request, Progress progress) {
        ReuseDistance reuse = new ReuseDistance(request.blockSize());
        WorkingSetMeter meter = new WorkingSetMeter(
                reuse, request.blockSize(), request.outlook().windowS());
        SessionProfile profile = new SessionProfile();
        RecordedHomes homes = new RecordedHomes();
        TraceTotals totals = new TraceTotals();
        List<Turn> kept = new ArrayList<>();
        boolean simulate = request.check().isPresent() && request.cache().isPresent();
        while (reader.hasNext()) {
            Turn turn = reader.next();
            meter.add(turn);
            profile.add(turn);
            homes.add(turn);
            totals.add(turn);
            if (simulate) {
                kept.add(turn);
            }
        }
        TraceDescription description = reader.description();
        if (totals.requests() == 0) {
            throw new UserError("the trace " + description.name() + " has no request");
        }
        TraceSummary summary = totals.summary(description, profile.sessions());
        double ceilingPct = reuse.unlimitedHitPct();
        OptionalInt sessions = request.sessions();
        if (sessions.isEmpty() && description.commonClock()) {
            sessions = profile.concurrent();
        }
        Optional<Rule> rule = Optional.empty();
        if (sessions.isPresent() && request.cache().isPresent() && profile.sessions() > 0) {
            rule = Optional.of(
                    rule(profile.demand(sessions.getAsInt()), request.cache().get(), homes));
        }
        return new Conclusions(
                        request,
                        new Findings(
                                Optional.of(summary),
                                rule,
                                Optional.of(reuse.curve(request.at())),
                                rule.map(r -> curve(r, reuse, description, profile)),
                                description.commonClock() ? meter.result(profile.turnCycleP95S()) : Optional.empty(),
                                rule.flatMap(r -> turns(profile, r.demand(), ceilingPct)),
                                simulate
                                        ? simulated(
                                                request,
                                                rule,
                                                new Played(summary, description, kept),
                                                ceilingPct,
                                                progress)
                                        : Simulated.NOTHING))
                .result();
    }

    private static Curve curve(Rule rule, ReuseDistance reuse, TraceDescription description, SessionProfile profile) {
        return new Curve(
                reuse.hitPct(rule.capacityTokens()),
                description.commonClock() ? profile.concurrent() : OptionalInt.empty());
    }

    /** Where a recording kept its sessions, or evenly. */
    private static Rule rule(Demand demand, CacheSize cache, RecordedHomes homes) {
        return homes.placement(cache.replicas(), demand.sessions())
                .map(placement -> Rule.placed(demand, cache, placement))
                .orElseGet(() -> Rule.even(demand, cache));
    }

    /** A trace that is kept to be replayed. */
    private record Played(TraceSummary summary, TraceDescription description, List<Turn> turns) {
        boolean closed() {
            return description.hasSessions() && description.hasGaps();
        }

        Subject subject(int sessions) {
            return new Subject.OfTrace(
                    summary,
                    new TraceLoad(turns),
                    closed() ? Subject.Mode.CLOSED : Subject.Mode.OPEN,
                    closed() ? sessions : 0);
        }
    }

    /** The check of a trace, and advice where there is a rule and the number of its sessions can be varied. */
    private static Simulated simulated(
            CapacityRequest request, Optional<Rule> rule, Played trace, double ceilingPct, Progress progress) {
        Check how = request.check().orElseThrow();
        CacheSize cache = request.cache().orElseThrow();
        boolean advise = request.outlook().advice() && rule.isPresent() && trace.closed();
        int sessions =
                rule.map(r -> r.demand().sessions()).orElse(request.sessions().orElse(0));
        CapacityCheck check = new CapacitySimulation(how, cache)
                .check(
                        trace.subject(sessions),
                        sessions,
                        OptionalDouble.of(ceilingPct),
                        rule,
                        advise ? share -> progress.at(CHECK_SHARE * share) : progress);
        if (!advise) {
            return Simulated.of(check);
        }
        Demand demand = rule.get().demand();
        TraceSample sample = TraceSample.of(trace.turns(), demand.sessions(), Math.toIntExact(demand.sharedTokens()));
        return new Simulated(
                Optional.of(check),
                new Advisor(
                                Situation.now(demand, cache, how, request.served()),
                                sample.sessions(),
                                (situation, number) -> sample.closed(number, situation.contextPct()))
                        .advice(rest(progress)));
    }

    private static Progress rest(Progress progress) {
        return share -> progress.at(CHECK_SHARE + (1 - CHECK_SHARE) * share);
    }

    /** The mean turn of a trace, which comes back after the recorded pause. */
    private static Optional<Turns> turns(SessionProfile profile, Demand demand, double ceilingPct) {
        OptionalDouble pause = profile.pauseMeanS();
        return pause.isEmpty()
                ? Optional.empty()
                : Optional.of(new Turns(
                        demand.contextMeanTokens(),
                        demand.contextMeanTokens() * ceilingPct / 100,
                        Math.max(1, demand.outputMeanTokens()),
                        pause.getAsDouble()));
    }

    /**
     * Analyses a description: sessions of so many tokens on a given cache. There is no reuse curve and no working set over time.
     *
     * @throws UserError if the request has no cache
     */
    public static CapacityResult ofDemand(Demand demand, CapacityRequest request, Progress progress) {
        CacheSize cache = request.cache()
                .orElseThrow(() -> new UserError("a description needs the cache: replicas, and the capacity of each"));
        Demand asked = request.sessions().isPresent()
                ? demand.withSessions(request.sessions().getAsInt())
                : demand;
        Rule rule = Rule.even(asked, cache);
        Simulated simulated = request.check()
                .map(how -> simulated(request, how, rule, cache, progress))
                .orElse(Simulated.NOTHING);
        return new Conclusions(
                        request,
                        new Findings(
                                Optional.empty(),
                                Optional.of(rule),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                simulated
                                        .check()
                                        .map(c -> DescribedSessions.turns(
                                                asked, c.ceilingPct().orElse(0))),
                                simulated))
                .result();
    }

    private static Simulated simulated(
            CapacityRequest request, Check how, Rule rule, CacheSize cache, Progress progress) {
        boolean advise = request.outlook().advice();
        CapacityCheck check = new CapacitySimulation(how, cache)
                .check(rule.demand(), rule, advise ? share -> progress.at(CHECK_SHARE * share) : progress);
        if (!advise) {
            return Simulated.of(check);
        }
        Situation now = Situation.now(rule.demand(), cache, how.atMost(Advisor.SECONDS), request.served());
        return new Simulated(
                Optional.of(check),
                new Advisor(now, Integer.MAX_VALUE, CapacityAnalysis::described).advice(rest(progress)));
    }

    private static Subject described(Situation situation, int sessions) {
        return new Subject.OfWorkload(
                DescribedSessions.of(situation.demand().withSessions(sessions), situation.cache(), situation.how()),
                situation.how().seconds());
    }
}
