package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The bounds of asymptotic analysis: with R replicas, a session that comes back every Z seconds and asks D seconds of a resource
 * each time, a resource is used up by R Z / D sessions (utilisation law). Each bound is what one resource alone allows; the
 * smallest one binds first. The cache is the {@link Rule}'s.
 */
final class Limits {
    /** More sessions than anybody asks about: a bound beyond says no more than that. */
    private static final int MANY = 1_000_000;

    private static final double NANOS = 1e9;

    private final Rule rule;
    private final int replicas;

    Limits(Rule rule, int replicas) {
        this.rule = rule;
        this.replicas = replicas;
    }

    /**
     * What the sessions do to the replicas' time, apart from the cache.
     *
     * @param pauseS mean time between the end of an answer and the session's next turn, in seconds; what serving takes comes on top
     */
    record Turns(double promptTokens, double cachedTokens, double outputTokens, double pauseS) {}

    /**
     * The bounds, the one that binds first at the head; ties in the order of {@link Limit}.
     *
     * @param how machine and budgets; empty to know of the cache alone
     * @param turns the mean turn; empty where nobody knows when sessions come back
     */
    List<LimitBound> bounds(Optional<Check> how, Optional<Turns> turns) {
        List<LimitBound> bounds = new ArrayList<>();
        RuleLedger.Machine machine = rule.ledger().machine();
        bounds.add(new LimitBound(
                Limit.CACHE,
                machine.sessionsFitMean(),
                say(
                        "a replica holds %d sessions of %.0f tokens beside %d shared ones",
                        machine.sessionsFitMean() / replicas, machine.contextMeanTokens(), machine.sharedTokens())));
        if (rule.uneven()) {
            int fits = rule.sessionsFitWhereTheyAre();
            bounds.add(new LimitBound(
                    Limit.PLACEMENT,
                    fits,
                    say(
                            "with sessions spread as recorded, %d of %d on the fullest replica, that replica is full first",
                            rule.most(), machine.sessions())));
        }
        if (how.isPresent() && turns.isPresent()) {
            times(how.get(), turns.get(), bounds);
        }
        bounds.sort(Comparator.comparingInt(LimitBound::sessions).thenComparing(LimitBound::limit));
        return List.copyOf(bounds);
    }

    private void times(Check how, Turns turn, List<LimitBound> bounds) {
        StepTimeLaw law = how.timing().law();
        long cached = Math.round(turn.cachedTokens);
        long computed = Math.max(1, Math.round(turn.promptTokens) - cached);
        double prefillS = law.stepNanos(computed, StepTimeLaw.chunkAttention(computed, cached), 0, 0) / NANOS;
        long context = Math.round(turn.promptTokens);
        double aloneS = turn.outputTokens * law.stepNanos(0, 0, 1, context) / NANOS;
        double cycleS = turn.pauseS + prefillS + aloneS;
        bounds.add(new LimitBound(
                Limit.PREFILL,
                sessions(cycleS / prefillS),
                say(
                        "a turn computes %d prompt tokens in %.3g s and comes back every %.3g s",
                        computed, prefillS, cycleS)));
        int batch = how.maxNumSeqs();
        double crowdedS = turn.outputTokens * law.stepNanos(0, 0, batch, batch * context) / NANOS;
        bounds.add(new LimitBound(
                Limit.DECODE,
                sessions(batch * (turn.pauseS + prefillS + crowdedS) / crowdedS),
                say(
                        "a replica generates for %d sequences at once, %.0f tokens each in %.3g s",
                        batch, turn.outputTokens, crowdedS)));
    }

    private int sessions(double perReplica) {
        return (int) Math.min(MANY, replicas * perReplica);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
