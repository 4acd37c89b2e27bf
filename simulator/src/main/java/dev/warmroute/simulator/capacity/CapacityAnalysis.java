package dev.warmroute.simulator.capacity;

import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
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
 * (the answer). The verdict is the rule's; where the simulation loses more of the ceiling than {@value #LOST_TOO_MUCH_PP}
 * points although the rule says that the sessions fit, it is lowered to <em>edge</em>.
 */
public final class CapacityAnalysis {
    /** Percentage points of the ceiling beyond which a simulation contradicts a rule that fits. */
    static final double LOST_TOO_MUCH_PP = 10;

    private CapacityAnalysis() {}

    /**
     * Analyses a trace in one pass, without keeping it unless a check is asked for. The reader stays the caller's to close.
     *
     * @param progress hears the simulated check
     */
    public static CapacityResult ofTrace(TraceReader reader, CapacityRequest request, Progress progress) {
        ReuseDistance reuse = new ReuseDistance(request.blockSize());
        SessionProfile profile = new SessionProfile();
        TraceTotals totals = new TraceTotals();
        List<Turn> kept = new ArrayList<>();
        boolean simulate = request.check().isPresent() && request.cache().isPresent();
        while (reader.hasNext()) {
            Turn turn = reader.next();
            reuse.add(turn.prompt());
            profile.add(turn);
            totals.add(turn);
            if (simulate) {
                kept.add(turn);
            }
        }
        TraceDescription description = reader.description();
        if (totals.requests == 0) {
            throw new UserError("the trace " + description.name() + " has no request");
        }
        TraceSummary summary = totals.summary(description, profile.sessions());
        OptionalInt sessions = request.sessions();
        if (sessions.isEmpty() && description.commonClock()) {
            sessions = profile.concurrent();
        }
        Optional<Rule> rule = Optional.empty();
        if (sessions.isPresent() && request.cache().isPresent() && profile.sessions() > 0) {
            rule = Optional.of(Rule.even(profile.demand(sessions.getAsInt()), request.cache().get()));
        }
        Optional<CapacityCheck> check = Optional.empty();
        if (simulate) {
            boolean closed = description.hasSessions() && description.hasGaps();
            Subject subject = new Subject.OfTrace(
                    summary,
                    new TraceLoad(kept),
                    closed ? Subject.Mode.CLOSED : Subject.Mode.OPEN,
                    closed ? request.sessions().orElse(0) : 0);
            check = Optional.of(new CapacitySimulation(request.check().get(), request.cache().get())
                    .check(subject, sessions.orElse(0), OptionalDouble.of(reuse.unlimitedHitPct()), rule, progress));
        }
        return result(Optional.of(summary), request, rule, Optional.of(reuse.curve(request.at())), check);
    }

    /**
     * Analyses a description: sessions of so many tokens on a given cache. There is no reuse curve.
     *
     * @throws UserError if the request has no cache
     */
    public static CapacityResult ofDemand(Demand demand, CapacityRequest request, Progress progress) {
        CacheSize cache = request.cache()
                .orElseThrow(() -> new UserError("a description needs the cache: replicas, and the capacity of each"));
        Demand asked = request.sessions().isPresent() ? demand.withSessions(request.sessions().getAsInt()) : demand;
        Rule rule = Rule.even(asked, cache);
        Optional<CapacityCheck> check = request.check()
                .map(c -> new CapacitySimulation(c, cache).check(asked, rule, progress));
        return result(Optional.empty(), request, Optional.of(rule), Optional.empty(), check);
    }

    private static CapacityResult result(
            Optional<TraceSummary> trace,
            CapacityRequest request,
            Optional<Rule> rule,
            Optional<ReuseCurve> reuse,
            Optional<CapacityCheck> check) {
        Optional<Verdict> verdict = rule.map(Rule::verdict).map(v -> {
            boolean contradicted = check.isPresent() && check.get().lostPp().orElse(0) > LOST_TOO_MUCH_PP;
            return v == Verdict.FITS && contradicted ? Verdict.EDGE : v;
        });
        Optional<RuleLedger> ledger = rule.map(Rule::ledger);
        return new CapacityResult(
                trace,
                verdict,
                rule.map(Rule::sessionsFit),
                rule.map(r -> check.flatMap(CapacityCheck::saturated).orElse(r.limit())),
                request.cache().map(CacheSize::source).orElse(""),
                request.cache().map(CapacityResult.Cache::of),
                ledger.map(RuleLedger::machine)
                        .map(m -> new CapacityResult.Headroom(m.sessionsFitMean() - m.sessions(), m.headroomTokens())),
                ledger.map(l -> warnings(request, l.machine())).orElse(List.of()),
                ledger,
                reuse,
                check);
    }

    private static List<String> warnings(CapacityRequest request, RuleLedger.Machine machine) {
        return request.served()
                .map(served -> served.warnings(machine.contextP95Tokens(), machine.sharedTokens()))
                .orElse(List.of());
    }

    /** Sums over a trace that is read once. */
    private static final class TraceTotals {
        private long requests;
        private long promptTokens;
        private long outputTokens;
        private long withoutSession;
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        void add(Turn turn) {
            requests++;
            promptTokens += turn.prompt().tokens();
            outputTokens += turn.outputTokens();
            withoutSession += turn.hasSession() ? 0 : 1;
            first = Math.min(first, turn.arrivalNanos());
            last = Math.max(last, turn.arrivalNanos());
        }

        TraceSummary summary(TraceDescription description, int sessions) {
            return new TraceSummary(
                    description.name(),
                    description.sha256(),
                    requests,
                    sessions,
                    withoutSession,
                    promptTokens,
                    outputTokens,
                    (last - first) / 1e9);
        }
    }
}
