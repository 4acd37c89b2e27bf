package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.compare.Parallel;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Progress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;

/**
 * Tries every {@link Change}: by the rule, simulated with the sessions asked about, and by looking for the most sessions of which
 * the simulation keeps the cache. Simulated time is bounded, situations are tried in parallel, and the answer does not depend
 * on the number of threads.
 */
final class Advisor {
    /** Simulated time of a run of made-up sessions. */
    static final double SECONDS = 240;

    private static final int SEEDS = 2;
    /** Where sessions are searched for, in multiples of those asked about or said to fit by the rule. */
    private static final int SEARCHED = 2;
    /** More sessions than that are looked at only where more are asked about. */
    private static final int LOOKED_AT = 100;

    /** The sessions of a situation as something to replay. */
    @FunctionalInterface
    interface Sessions {
        Subject at(Situation situation, int sessions);
    }

    private final Situation now;
    private final Sessions sessions;
    private final PolicyChoice ceilingPolicy;

    /** @param sessions called from several threads */
    Advisor(Situation now, Sessions sessions) {
        this.now = now;
        this.sessions = sessions;
        this.ceilingPolicy = now.how().policy();
    }

    /** The fleet as it is, then what would move it, the most sessions gained first. */
    List<Advice> advice(Progress progress) {
        List<Situation> situations = new ArrayList<>(List.of(now));
        for (Change change : Change.values()) {
            situations.addAll(change.of(now));
        }
        double[] done = new double[1];
        List<Callable<Advice>> tasks = new ArrayList<>();
        for (Situation situation : situations) {
            tasks.add(() -> {
                Advice advice = tried(situation);
                synchronized (done) {
                    progress.at(++done[0] / situations.size());
                }
                return advice;
            });
        }
        List<Advice> tried = Parallel.all(tasks, now.how().threads());
        Advice base = tried.get(0);
        List<Advice> ranked = new ArrayList<>(tried.subList(1, tried.size()).stream().map(a -> a.over(base)).toList());
        ranked.sort(Comparator.<Advice>comparingInt(a -> -a.keptGained().orElse(0))
                .thenComparingInt(a -> -a.sessionsGained())
                .thenComparingDouble(a -> -a.simulated().outputTokensPerMin().orElse(0)));
        ranked.add(0, base);
        return List.copyOf(ranked);
    }

    private Advice tried(Situation s) {
        Rule rule = s.rule();
        int asked = s.demand().sessions();
        FleetSpec fleet = CapacitySimulation.fleet(s.how(), s.cache());
        FleetSpec unlimited = fleet.withEngine(fleet.engine().withoutHostMemory().withUnlimitedBlocks());
        OptionalDouble ceiling = run(s, unlimited, asked, ceilingPolicy, SEEDS).hitPct();
        PolicyRow row = run(s, fleet, asked, s.how().policy(), SEEDS);
        int most = SEARCHED * Math.max(now.demand().sessions(), Math.min(rule.sessionsFit().high(), LOOKED_AT)) + s.cache().replicas();
        int kept = kept(s, fleet, ceiling, rule.sessionsFit().high(), most);
        return new Advice(
                s.change(),
                s.detail(),
                rule.verdict(),
                rule.sessionsFit(),
                0,
                new Advice.Simulated(
                        row.policy(), OptionalInt.of(asked), row.hitPct(), lost(ceiling, row), row.outputTokensPerMin(), row.ttftP95S()),
                OptionalInt.of(kept),
                kept == most,
                OptionalInt.empty());
    }

    /** The most sessions that keep the cache: from what the rule says up or down in thirds, then by bisection. */
    private int kept(Situation s, FleetSpec fleet, OptionalDouble ceiling, int guess, int most) {
        int low = 0; // keeps
        int high = most + 1; // does not
        int next = Math.clamp(guess, 1, most);
        while (high - low > Math.max(1, low / 16)) {
            PolicyRow row = run(s, fleet, next, s.how().policy(), 1);
            boolean keeps = lost(ceiling, row).orElse(Double.MAX_VALUE) <= CapacityAnalysis.LOST_TOO_MUCH_PP;
            if (keeps) {
                low = next;
            } else {
                high = next;
            }
            int step = Math.max(1, next / 3);
            boolean bracketed = low > 0 && high <= most;
            next = bracketed ? (low + high) / 2 : keeps ? Math.min(most, next + step) : Math.max(1, next - step);
            if (low >= most || high <= 1) {
                break;
            }
        }
        return low;
    }

    private static OptionalDouble lost(OptionalDouble ceiling, PolicyRow row) {
        return ceiling.isPresent() && row.hitPct().isPresent()
                ? OptionalDouble.of(ceiling.getAsDouble() - row.hitPct().getAsDouble())
                : OptionalDouble.empty();
    }

    private PolicyRow run(Situation s, FleetSpec fleet, int number, PolicyChoice policy, int seeds) {
        Check how = s.how();
        Subject subject = sessions.at(s, number);
        return WhatIf.run(
                        new WhatIfRequest(
                                subject, fleet, s.cache().source(), how.timing().name(), List.of(policy),
                                subject.drawn() ? seeds : 1, 1),
                        Progress.NONE)
                .policies()
                .get(0);
    }
}
