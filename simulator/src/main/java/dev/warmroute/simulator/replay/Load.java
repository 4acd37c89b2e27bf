package dev.warmroute.simulator.replay;

import dev.warmroute.recorder.trace.Turn;

/**
 * The clients of one replay: which requests start on their own, and which follow the end of another. Holds the state of that
 * one replay.
 */
public interface Load {
    /** Announces the requests that start on their own. */
    void begin(Sender sender);

    /**
     * Announces what follows from the end of a request.
     *
     * @param item number under which the load announced the request
     * @param at when the client had its last byte, in nanoseconds from the start of the replay
     */
    void ended(int item, long at, Sender sender);

    /** Requests that there will be, for progress; -1 when the load goes on as long as it is asked to. */
    long expected();

    /** Takes announcements. */
    interface Sender {
        /**
         * A client will send a request.
         *
         * @param item the load's own number for it
         * @param session number of its session, dense from 0; -1 without one
         * @param conversation number of its conversation (a session's agent), dense from 0; -1 without a session
         * @param at when the client sends it; not before the moment of the announcement
         */
        void send(Turn turn, int item, int session, int conversation, long at);

        /**
         * A replica starts again at that moment: its cache is empty, its homes are forgotten, and what runs or waits on it is
         * computed from its beginning.
         *
         * @param replica its number; one that the replayed fleet does not have is passed over
         */
        void replicaRestarts(int replica, long at);

        /** A session has ended with the last byte of its last request. */
        void sessionEnded(int session, long at);
    }
}
