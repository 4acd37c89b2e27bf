package dev.warmroute.simulator.capacity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order of what could be changed: the most sessions kept first. Numbers that the search cannot tell apart are the same, and are
 * ordered by the sessions that fit by the rule, then by the output. Where it is not known what is kept, it counts like now.
 */
final class AdviceRanking {
    private AdviceRanking() {}

    /**
     * @param now the fleet as it is
     * @param changes the changes, in any order
     */
    static List<Advice> of(Advice now, List<Advice> changes) {
        List<Advice> left = new ArrayList<>(changes);
        left.sort(Comparator.comparingInt(a -> -kept(a, now)));
        List<Advice> ranked = new ArrayList<>();
        while (!left.isEmpty()) {
            int best = kept(left.get(0), now);
            // Alike with the best that is left: what is alike with each other only by way of a third is not.
            List<Advice> alike =
                    left.stream().filter(a -> MostKept.same(best, kept(a, now))).toList();
            left.removeAll(alike);
            alike.stream()
                    .sorted(Comparator.<Advice>comparingInt(a -> -a.sessionsGained())
                            .thenComparingDouble(
                                    a -> -a.simulated().outputTokensPerMin().orElse(0)))
                    .forEach(ranked::add);
        }
        return List.copyOf(ranked);
    }

    private static int kept(Advice advice, Advice now) {
        return advice.sessionsKept().orElse(now.sessionsKept().orElse(0));
    }
}
