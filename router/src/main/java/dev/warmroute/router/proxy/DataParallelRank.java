package dev.warmroute.router.proxy;

import dev.warmroute.router.proxy.http.RequestHead;
import java.util.List;

/** The header with which a client names a data-parallel rank itself. */
final class DataParallelRank {
    static final String HEADER = "x-data-parallel-rank";

    /** The client named none, or no replica has ranks. */
    static final int NONE = -1;

    /** The client named a rank that no replica has. */
    static final int WRONG = -2;

    private DataParallelRank() {}

    /** Index of the replica that the request names, {@link #NONE} or {@link #WRONG}. */
    static int replica(RequestHead head, List<Replica> replicas) {
        String named = head.first(HEADER);
        if (named.isEmpty()) {
            return NONE;
        }
        boolean ranks = false;
        for (int i = 0; i < replicas.size(); i++) {
            var rank = replicas.get(i).config().dataParallelRank();
            if (rank.isPresent() && Integer.toString(rank.getAsInt()).equals(named)) {
                return i;
            }
            ranks |= rank.isPresent();
        }
        return ranks ? WRONG : NONE;
    }
}
