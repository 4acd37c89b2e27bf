package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What one replay looked like from inside.
 *
 * @param policy as the result names it
 * @param seed of the replay
 * @param ttft distribution of the time to first token, by growing percentile; empty without a clock
 * @param timeline load and prompt tokens over time; empty without a clock
 * @param occupancy what the caches held over time; empty without a clock or without a limit
 * @param lanes some conversations, turn by turn, where most was computed again; empty without a clock or sessions
 * @param contexts prompts by turn; empty without sessions
 * @param placed conversations that began on each replica, by number
 * @param growers sessions whose prompts grew most, the most first
 * @param costliest sessions of which most was computed again, the costliest first
 * @param misplaced sessions of which most was computed again because a turn went elsewhere, the costliest first
 * @param coldest single turns of which most was computed again, the costliest first
 */
public record RunView(
        String policy,
        int seed,
        List<Percentile> ttft,
        Optional<Timeline> timeline,
        Optional<Occupancy> occupancy,
        Optional<Lanes> lanes,
        List<ContextStep> contexts,
        List<Integer> placed,
        List<SessionCost> growers,
        List<SessionCost> costliest,
        List<SessionCost> misplaced,
        List<ColdTurn> coldest) {
    /** The tail in ever finer steps. */
    private static final int STEPS_A_DECADE = 40;

    public RunView {
        Objects.requireNonNull(policy, "policy");
        ttft = List.copyOf(ttft);
        Objects.requireNonNull(timeline, "timeline");
        Objects.requireNonNull(occupancy, "occupancy");
        Objects.requireNonNull(lanes, "lanes");
        contexts = List.copyOf(contexts);
        placed = List.copyOf(placed);
        growers = List.copyOf(growers);
        costliest = List.copyOf(costliest);
        misplaced = List.copyOf(misplaced);
        coldest = List.copyOf(coldest);
    }

    /** @param percentile from 0 to 100 */
    public record Percentile(double percentile, double seconds) {}

    /** Looks at a replay; nothing of it is kept. */
    public static RunView of(String policy, int seed, Outcome outcome, RunMachine machine) {
        Requests requests = Requests.of(outcome);
        SessionCosts sessions = new SessionCosts(requests, machine);
        return new RunView(
                policy,
                seed,
                outcome.timed() ? percentiles(requests) : List.of(),
                Timeline.of(requests, machine.replicas()),
                Occupancy.of(outcome, machine),
                Lanes.of(requests, machine),
                ContextStep.of(requests),
                placed(requests, machine.replicas()),
                sessions.growers(),
                sessions.costliest(),
                sessions.misplaced(),
                ColdTurn.of(requests, machine));
    }

    private static List<Percentile> percentiles(Requests requests) {
        double[] times = new double[requests.inOrder().length];
        int n = 0;
        for (int r : requests.inOrder()) {
            if (requests.log().hasFirst(r)) {
                times[n++] = (requests.log().first(r) - requests.log().sent(r)) / Requests.SECOND;
            }
        }
        Quantiles quantiles = Quantiles.of(times, n);
        List<Percentile> points = new ArrayList<>();
        // Beyond the last but one request the tail is a single value.
        for (int step = 0; n > 0; step++) {
            double tail = Math.pow(10, -(double) step / STEPS_A_DECADE);
            if (step > 0 && tail * n < 1) {
                break;
            }
            points.add(new Percentile(100 * (1 - tail), quantiles.at(1 - tail).orElseThrow()));
        }
        return points;
    }

    private static List<Integer> placed(Requests requests, int replicas) {
        int[] began = new int[replicas];
        for (int r : requests.inOrder()) {
            if (requests.turn(r) == 1 && requests.log().replica(r) >= 0) {
                began[requests.log().replica(r)]++;
            }
        }
        List<Integer> placed = new ArrayList<>();
        for (int n : began) {
            placed.add(n);
        }
        return placed;
    }
}
