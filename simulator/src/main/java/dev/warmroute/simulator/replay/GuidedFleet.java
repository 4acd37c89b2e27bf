package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.timing.ServedRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded fleet replayed with everything given but its caches: each request comes to the replica that served it when it was
 * sent, and ends when it had ended. What is predicted are cached tokens; a difference is the cache's, not the step times'.
 */
public final class GuidedFleet {
    private GuidedFleet() {}

    /**
     * What became of each request, in the order of the turns.
     *
     * @param cachedTokens found in the prefix cache at its admission; -1 if it was never admitted
     * @param firstNanos when its first token was computed
     */
    public record Result(int[] cachedTokens, long[] firstNanos) {}

    /**
     * Replays a recording.
     *
     * @param fleet the recorded one; its step times only order what happens between two recorded moments
     * @param turns what was said
     * @param served where and when each turn was served, in the same order
     */
    public static Result run(FleetSpec fleet, List<Turn> turns, List<ServedRequest> served) {
        if (turns.size() != served.size()) {
            throw new IllegalArgumentException(turns.size() + " turns, and the times of " + served.size());
        }
        Result result = new Result(new int[turns.size()], new long[turns.size()]);
        BusyReplicas busy = BusyReplicas.of(fleet.replicas(), served);
        for (int replica = 0; replica < fleet.replicas(); replica++) {
            List<Integer> here = new ArrayList<>();
            for (int i = 0; i < served.size(); i++) {
                if (served.get(i).replica() == replica) {
                    here.add(i);
                }
            }
            int r = replica;
            GuidedReplay.Result of = GuidedReplay.run(
                    fleet,
                    at -> fleet.host().shared() ? fleet.host().factor(1 + busy.others(r, at)) : 1,
                    here.stream().map(turns::get).toList(),
                    here.stream().map(served::get).toList());
            for (int i = 0; i < here.size(); i++) {
                result.cachedTokens[here.get(i)] = of.cachedTokens()[i];
                result.firstNanos[here.get(i)] = of.firstNanos()[i];
            }
        }
        return result;
    }
}
