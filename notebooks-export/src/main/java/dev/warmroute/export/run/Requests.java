package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The requests of a replay that count, in the order in which they were sent, each with the turn before it. */
final class Requests {
    static final double SECOND = 1e9;

    /** Causes by which a token is computed that some replica had computed before. */
    static final List<MissCause> AGAIN =
            List.of(MissCause.MOVED, MissCause.EVICTED_WAITING, MissCause.EVICTED_IDLE, MissCause.REPLICA_RESTARTED);

    private static final int NONE = -1;

    private final Outcome outcome;
    private final RequestLog log;
    private final int[] order;
    private final int[] before;
    private final int[] turn;

    private Requests(Outcome outcome) {
        this.outcome = outcome;
        this.log = outcome.requests();
        this.order = IntStream.range(0, log.size())
                .filter(outcome::counts)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(log::sent).thenComparingInt(r -> r))
                .mapToInt(Integer::intValue)
                .toArray();
        this.before = new int[log.size()];
        this.turn = new int[log.size()];
        int[] last = new int[log.conversations()];
        Arrays.fill(last, NONE);
        Arrays.fill(before, NONE);
        for (int r : order) {
            int conversation = log.conversation(r);
            if (conversation != RequestLog.NOT_YET) {
                before[r] = last[conversation];
                turn[r] = before[r] == NONE ? 1 : turn[before[r]] + 1;
                last[conversation] = r;
            }
        }
    }

    static Requests of(Outcome outcome) {
        return new Requests(outcome);
    }

    Outcome outcome() {
        return outcome;
    }

    RequestLog log() {
        return log;
    }

    /** Their numbers in the log. */
    int[] inOrder() {
        return order;
    }

    /** Number within its conversation, from 1; 0 without a session. */
    int turn(int r) {
        return turn[r];
    }

    boolean hasBefore(int r) {
        return before[r] != NONE;
    }

    /** The conversation's request before it. */
    int before(int r) {
        return before[r];
    }

    /** Whether it went elsewhere than the turn before it. */
    boolean moved(int r) {
        return hasBefore(r) && log.replica(before[r]) != log.replica(r);
    }

    /** Prompt tokens computed although a replica had had them. */
    int again(int r) {
        return AGAIN.stream().mapToInt(cause -> log.missed(r, cause)).sum();
    }

    /** Last moment of a request: its end, or that of the replay. */
    long end(int r) {
        return log.hasEnded(r) ? log.end(r) : outcome.endNanos();
    }

    static String replica(int number) {
        return "r" + number;
    }
}
