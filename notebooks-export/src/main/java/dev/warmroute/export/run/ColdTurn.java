package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.MissCause;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A turn of which much was computed again.
 *
 * @param session its name, or a number
 * @param turn within its conversation
 * @param sentS when it was sent, in seconds from the first send
 * @param replica where it went
 * @param replicaBefore where the turn before had gone
 * @param cause why most of it was computed again, as the misses are named
 * @param promptTokens its prompt
 * @param againTokens tokens of it that a replica had had
 * @param againS what computing those takes, with nothing beside it, in seconds
 */
public record ColdTurn(
        String session,
        int turn,
        double sentS,
        String replica,
        String replicaBefore,
        String cause,
        long promptTokens,
        long againTokens,
        double againS) {
    private static final int SHOWN = 8;

    static List<ColdTurn> of(Requests requests, RunMachine machine) {
        return Arrays.stream(requests.inOrder())
                .filter(requests::hasBefore)
                .filter(r -> requests.again(r) > 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(r -> -requests.again(r))
                        .thenComparingInt(r -> r))
                .limit(SHOWN)
                .map(r -> of(requests, machine, r))
                .toList();
    }

    private static ColdTurn of(Requests requests, RunMachine machine, int r) {
        MissCause most = Requests.AGAIN.stream()
                .max(Comparator.comparingInt(c -> requests.log().missed(r, c)))
                .orElseThrow();
        return new ColdTurn(
                machine.session(requests, r),
                requests.turn(r),
                (requests.log().sent(r) - requests.outcome().startNanos()) / Requests.SECOND,
                Requests.replica(requests.log().replica(r)),
                Requests.replica(requests.log().replica(requests.before(r))),
                most.wireName(),
                requests.log().promptTokens(r),
                requests.again(r),
                machine.prefillSeconds(requests.again(r), requests.log().cachedTokens(r)));
    }
}
