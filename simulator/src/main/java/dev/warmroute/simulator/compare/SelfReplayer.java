package dev.warmroute.simulator.compare;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.GuidedFleet;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.RecordedPlacements;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.timing.ServedRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Replays a recording on the fleet that served it, placed as it was and by the policy that decided then, and compares with
 * what the engines counted. A policy that draws at random would draw anew: of such a one only the placements are compared.
 */
public final class SelfReplayer {
    /** Difference of the cached tokens up to which a replay is faithful, in percent. */
    public static final double TOLERANCE_PCT = 3;

    private static final double SECOND = 1e9;
    private static final Seeds SEEDS = new Seeds(1);

    private final Subject.OfTrace trace;
    private final FleetSpec fleet;
    private final double tolerancePct;

    /**
     * @param trace of a recording
     * @param fleet that served it
     * @param tolerancePct largest difference of the cached tokens that is accepted, in percent
     */
    public SelfReplayer(Subject.OfTrace trace, FleetSpec fleet, double tolerancePct) {
        if (!(tolerancePct >= 0)) {
            throw new UserError("the tolerance must not be negative: " + tolerancePct + " %");
        }
        this.trace = trace;
        this.fleet = fleet;
        this.tolerancePct = tolerancePct;
    }

    /**
     * Replays and compares; empty when less than half of the requests say what was cached, or where they went.
     *
     * @param policy name and parameters of the recorded policy, where there was a single one
     */
    public Optional<SelfReplay> run(Optional<WhatIfRequest.PolicyChoice> policy) {
        List<Turn> turns = trace.load().turns();
        long known = turns.stream().filter(SelfReplayer::known).count();
        if (known == 0 || 2 * known < turns.size()) {
            return Optional.empty();
        }
        SelfReplay.Figures recorded = recorded(turns);
        RoutingPolicy others =
                Policies.create("round_robin", Map.of(), fleet.engine().maxNumSeqs());
        Outcome placed = replay(RecordedPlacements.of(turns, Long.MAX_VALUE, others, SEEDS));
        SelfReplay.Figures asPlaced = figures(turns, placed);
        Optional<SelfReplay.Figures> byPolicy =
                policy.flatMap(this::again).filter(o -> !o.randomised()).map(o -> figures(turns, o));
        Optional<SelfReplay.CacheAlone> cacheAlone = cacheAlone(turns);
        double cached = byPolicy.orElse(asPlaced).cachedTokens();
        double off = offPct(cached, recorded.cachedTokens());
        return Optional.of(new SelfReplay(
                policy.map(WhatIfRequest.PolicyChoice::name).orElse(""),
                known,
                recorded,
                cacheAlone,
                asPlaced,
                byPolicy,
                off,
                tolerancePct,
                Math.abs(off) <= tolerancePct));
    }

    private static double offPct(double cached, long recorded) {
        return recorded == 0 ? 100 * cached : 100 * (cached / recorded - 1);
    }

    private Optional<SelfReplay.CacheAlone> cacheAlone(List<Turn> turns) {
        List<ServedRequest> served =
                turns.stream().flatMap(t -> ServedRequest.of(0, t).stream()).toList();
        if (served.size() < turns.size() || trace.load().restarted()) {
            return Optional.empty(); // an end that is not known would hold up all that came behind it
        }
        int[] cached = GuidedFleet.run(fleet, turns, served).cachedTokens();
        long prompt = 0;
        long expected = 0;
        long found = 0;
        long exact = 0;
        for (int i = 0; i < cached.length; i++) {
            prompt += served.get(i).promptTokens();
            expected += served.get(i).cachedTokens();
            found += cached[i];
            exact += cached[i] == served.get(i).cachedTokens() ? 1 : 0;
        }
        return Optional.of(new SelfReplay.CacheAlone(found, 100.0 * found / prompt, exact, offPct(found, expected)));
    }

    private static boolean known(Turn turn) {
        return turn.recorded().cachedTokens() >= 0 && turn.recorded().replica() >= 0;
    }

    private Optional<Outcome> again(WhatIfRequest.PolicyChoice choice) {
        RoutingPolicy policy;
        try {
            policy = choice.create(fleet.engine().maxNumSeqs());
        } catch (UserError e) {
            return Optional
                    .empty(); // a policy of another version or of somebody else: its placements are known all the same
        }
        return Optional.of(replay(policy));
    }

    private Outcome replay(RoutingPolicy policy) {
        boolean open = trace.how() == Subject.Mode.OPEN;
        return FleetReplay.run(
                open ? trace.load().open() : trace.load().closed(0), fleet, policy, SEEDS, Progress.NONE);
    }

    private static SelfReplay.Figures recorded(List<Turn> turns) {
        long prompt = 0;
        long cached = 0;
        long output = 0;
        long first = Long.MAX_VALUE;
        long last = 0;
        long known = 0;
        for (Turn t : turns) {
            if (known(t)) {
                known++;
                prompt += t.prompt().tokens();
                cached += t.recorded().cachedTokens();
            }
            if (t.recorded().durationNanos() >= 0) {
                output += t.outputTokens();
                first = Math.min(first, t.arrivalNanos());
                last = Math.max(last, t.arrivalNanos() + t.recorded().durationNanos());
            }
        }
        Quantiles ttft = Quantiles.of(turns.stream()
                .filter(t -> known(t) && t.recorded().ttftNanos() >= 0)
                .mapToDouble(t -> t.recorded().ttftNanos() / SECOND)
                .toArray());
        return new SelfReplay.Figures(
                cached,
                100.0 * cached / prompt,
                known,
                last > first ? OptionalDouble.of(output * 60 * SECOND / (last - first)) : OptionalDouble.empty(),
                ttft.at(0.5),
                ttft.at(0.95));
    }

    private static SelfReplay.Figures figures(List<Turn> turns, Outcome outcome) {
        RequestLog log = outcome.requests();
        Turn[] byIndex = new Turn[turns.stream().mapToInt(Turn::index).max().orElse(0) + 1];
        turns.forEach(t -> byIndex[t.index()] = t);
        long prompt = 0;
        long cached = 0;
        long output = 0;
        long exact = 0;
        double[] ttft = new double[log.size()];
        int firsts = 0;
        for (int r = 0; r < log.size(); r++) {
            output += log.produced(r);
            Turn turn = byIndex[log.index(r)];
            if (!known(turn) || !log.wasAdmitted(r)) {
                continue;
            }
            prompt += log.promptTokens(r);
            cached += log.cachedTokens(r);
            exact += log.cachedTokens(r) == turn.recorded().cachedTokens() ? 1 : 0;
            if (log.hasFirst(r)) {
                ttft[firsts++] = (log.first(r) - log.sent(r)) / SECOND;
            }
        }
        Quantiles first = Quantiles.of(Arrays.copyOf(ttft, firsts));
        double seconds = (outcome.endNanos() - outcome.startNanos()) / SECOND;
        return new SelfReplay.Figures(
                cached,
                prompt == 0 ? 0 : 100.0 * cached / prompt,
                exact,
                seconds > 0 ? OptionalDouble.of(output * 60 / seconds) : OptionalDouble.empty(),
                first.at(0.5),
                first.at(0.95));
    }
}
