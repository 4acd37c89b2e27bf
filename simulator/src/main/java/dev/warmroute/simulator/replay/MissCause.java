package dev.warmroute.simulator.replay;

import java.util.Locale;

/** Why a prompt token was computed and not found in the cache; each has exactly one cause, the first that applies. */
public enum MissCause {
    /**
     * It was computed by a replica that has started again since: for a conversation the one where its last turn was, wherever
     * this turn went; for a request without a session the one it went to.
     */
    REPLICA_RESTARTED,
    /** It was computed on another replica, which still runs: for a conversation, where its last turn was. */
    MOVED,
    /** It was said for the first time: all of a conversation's first turn, and what later turns add. */
    FIRST_TURN,
    /** It stands behind a place where the prompt differs from what the conversation had said. */
    HISTORY_EDITED,
    /** It was there when the request came and was overwritten while it waited. */
    EVICTED_WAITING,
    /** It was overwritten before the request came. */
    EVICTED_IDLE,
    /** It was known, but in a block that was not full, or in the last block, of which a token must be computed. */
    ROUNDING;

    /** Name in results. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
