package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.RequestHead;
import java.util.List;
import java.util.Optional;

/**
 * The replica that a client names itself, by its data-parallel rank.
 *
 * @param problem why the request cannot have what it names; empty when it can, or names nothing
 * @param status to answer in that case
 * @param replica the one named
 */
record DataParallelRank(String problem, int status, Optional<Replica> replica) {
    static final String HEADER = "x-data-parallel-rank";

    private static final DataParallelRank NONE = new DataParallelRank("", 0, Optional.empty());

    /** What a request names among these replicas. Where none has a rank, the header is none of the router's business. */
    static DataParallelRank of(RequestHead head, List<Seat> seats, Dialect dialect) {
        String named = head.first(HEADER);
        if (named.isEmpty()) {
            return NONE;
        }
        boolean ranks = false;
        for (Seat seat : seats) {
            var rank = seat.replica().config().dataParallelRank();
            ranks |= rank.isPresent();
            if (rank.isPresent() && Integer.toString(rank.getAsInt()).equals(named)) {
                return seat.member().draining()
                        ? wrong(
                                "the replica of data_parallel_rank " + named + " is being drained",
                                dialect.overloaded())
                        : new DataParallelRank("", 0, Optional.of(seat.replica()));
            }
        }
        return ranks ? wrong("no replica of this model has that data_parallel_rank", 400) : NONE;
    }

    private static DataParallelRank wrong(String problem, int status) {
        return new DataParallelRank(problem, status, Optional.empty());
    }
}
