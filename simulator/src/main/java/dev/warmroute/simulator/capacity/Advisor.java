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
import java.util.List;
import java.util.Optional;
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
    private final int available;
    private final Sessions sessions;
    private final PolicyChoice ceilingPolicy;

    /**
     * @param available the most sessions at a time that there are to replay
     * @param sessions called from several threads
     */
    Advisor(Situation now, int available, Sessions sessions) {
        this.now = now;
        this.available = available;
        this.sessions = sessions;
        this.ceilingPolicy = now.how().policy();
    }

    /** The fleet as it is, then what would move it, the most sessions gained first. */
    List<Advice> advice(Progress progress) {
        List<Situation> situations = new ArrayList<>(List.of(now));
        for (Change change : Change.values()) {
            situations.addAll(change.of(now));
        }
        int most = most(situations);
        double[] done = new double[1];
        List<Callable<Advice>> tasks = new ArrayList<>();
        for (Situation situation : situations) {
            tasks.add(() -> {
                Advice advice = tried(situation, most);
                synchronized (done) {
                    progress.at(++done[0] / situations.size());
                }
                return advice;
            });
        }
        List<Advice> tried = Parallel.all(tasks, now.how().threads());
        Advice base = tried.get(0);
        List<Advice> changes =
                tried.subList(1, tried.size()).stream().map(a -> a.over(base)).toList();
        List<Advice> answer = new ArrayList<>(List.of(base));
        answer.addAll(AdviceRanking.of(base, changes));
        return List.copyOf(answer);
    }

    /** The most sessions to look at, the same for every situation, so that what they keep can be compared. */
    private int most(List<Situation> situations) {
        int fit = situations.stream()
                .mapToInt(s -> s.rule().sessionsFit().high())
                .max()
                .orElse(0);
        int replicas =
                situations.stream().mapToInt(s -> s.cache().replicas()).max().orElse(0);
        return Math.min(available, SEARCHED * Math.max(now.demand().sessions(), Math.min(fit, LOOKED_AT)) + replicas);
    }

    private Advice tried(Situation s, int most) {
        Rule rule = s.rule();
        int asked = s.demand().sessions();
        FleetSpec fleet = CapacitySimulation.fleet(s.how(), s.cache());
        FleetSpec unlimited =
                fleet.withEngine(fleet.engine().withoutHostMemory().withUnlimitedBlocks());
        OptionalDouble ceiling = run(s, unlimited, asked, ceilingPolicy, SEEDS).hitPct();
        PolicyRow row = run(s, fleet, asked, s.how().policy(), SEEDS);
        Optional<MostKept> kept = kept(s, fleet, unlimited, rule.sessionsFit().high(), most);
        return new Advice(
                s.change(),
                s.detail(),
                rule.verdict(),
                rule.sessionsFit(),
                0,
                new Advice.Simulated(
                        row.policy(),
                        OptionalInt.of(asked),
                        row.hitPct(),
                        lost(ceiling, row),
                        row.outputTokensPerMin(),
                        row.ttftP95S()),
                kept.map(k -> OptionalInt.of(k.sessions())).orElse(OptionalInt.empty()),
                kept.map(MostKept::orMore).orElse(false),
                OptionalInt.empty());
    }

    /**
     * Looks for the most sessions that keep the cache. Nothing is said of a policy that holds conversations at the router: what is not
     * let in loses no cache, however long it waits.
     */
    private Optional<MostKept> kept(Situation s, FleetSpec fleet, FleetSpec unlimited, int guess, int most) {
        if (s.how().policy().create(s.how().maxNumSeqs()).needs().holds()) {
            return Optional.empty();
        }
        return Optional.of(MostKept.search(guess, most, number -> {
            OptionalDouble ceiling = run(s, unlimited, number, ceilingPolicy, 1).hitPct();
            PolicyRow row = run(s, fleet, number, s.how().policy(), 1);
            return lost(ceiling, row).orElse(Double.MAX_VALUE) <= CapacityAnalysis.LOST_TOO_MUCH_PP;
        }));
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
                                subject,
                                fleet,
                                s.cache().source(),
                                how.timing().name(),
                                List.of(policy),
                                subject.drawn() ? seeds : 1,
                                1),
                        Progress.NONE)
                .policies()
                .get(0);
    }
}
