package dev.warmroute.simulator.replay;

/**
 * Why the tokens of one prompt were missed: what is known of it when its replica takes it into the batch, and the rule that
 * gives each missed token its cause. All fields are numbers of tokens from the start of the prompt.
 *
 * @param cached found in the cache; what lies behind is missed
 * @param cachedAtArrival would have been found when the request entered the queue
 * @param here computed by this replica since it last started
 * @param beforeRestart computed by a replica that has started again since: for a conversation the one where its last turn was, for a
 *     request without a session this one
 * @param common as said before
 * @param said of which something was said before, be it the same or, behind {@code common}, something else
 * @param edited whether what follows {@code common} takes the place of something else
 * @param reusable the most that any cache could give back: whole blocks of {@code common}, never the prompt's last token
 * @param length the whole prompt
 */
record MissRule(
        int cached,
        int cachedAtArrival,
        int here,
        int beforeRestart,
        int common,
        int said,
        boolean edited,
        int reusable,
        int length) {

    /** The cause of a missed token: the first that applies, in the order of {@link MissCause}. */
    MissCause of(int token) {
        boolean couldHit = token < reusable;
        if (couldHit && token >= here && token < beforeRestart) {
            return MissCause.REPLICA_RESTARTED;
        }
        if (couldHit && token >= here) {
            return MissCause.MOVED;
        }
        if (token >= said) {
            return MissCause.FIRST_TURN;
        }
        if (edited && token >= common) {
            return MissCause.HISTORY_EDITED;
        }
        if (couldHit && token < cachedAtArrival) {
            return MissCause.EVICTED_WAITING;
        }
        if (couldHit) {
            return MissCause.EVICTED_IDLE;
        }
        return MissCause.ROUNDING;
    }

    /** Takes missed tokens. */
    @FunctionalInterface
    interface Charges {
        void charge(MissCause cause, int tokens);
    }

    /** Charges every missed token once. The cause can only change at one of the fields, so stretches are charged at once. */
    void charge(Charges to) {
        int from = cached;
        while (from < length) {
            int until = length;
            until = nearer(until, from, cachedAtArrival);
            until = nearer(until, from, here);
            until = nearer(until, from, beforeRestart);
            until = nearer(until, from, common);
            until = nearer(until, from, said);
            until = nearer(until, from, reusable);
            to.charge(of(from), until - from);
            from = until;
        }
    }

    private static int nearer(int until, int from, int change) {
        return change > from && change < until ? change : until;
    }
}
