package dev.warmroute.router.state;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The requests that were sent to replicas and have not ended, and what they add up to. */
final class Flights {
    /**
     * A request in flight.
     *
     * @param ticket number of the decision that sent it
     * @param at when that was, in nanoseconds
     * @param promptTokens its prompt tokens, 0 when unknown
     * @param uncachedTokens those of them that were not believed to be cached
     * @param firstByteAt when its answer began, nanoseconds; {@link #NEVER} before
     */
    record Flight(
            long ticket,
            String session,
            String replica,
            long at,
            long promptTokens,
            long uncachedTokens,
            long firstByteAt) {
        /** No byte of an answer yet. */
        static final long NEVER = Long.MIN_VALUE;

        boolean answering() {
            return firstByteAt != NEVER;
        }

        /** Pairs of tokens whose attention its prefill computes. */
        double prefillPairs() {
            return uncachedTokens * (promptTokens - uncachedTokens / 2.0);
        }

        Flight begun(long now) {
            return new Flight(ticket, session, replica, at, promptTokens, uncachedTokens, now);
        }
    }

    /** What is in flight to one replica. */
    static final class Load {
        private static final Load NOTHING = new Load();

        private int requests;
        private long promptTokens;
        private int prefilling;
        private long prefillTokens;
        private double prefillPairs;
        private long decided;

        int requests() {
            return requests;
        }

        long promptTokens() {
            return promptTokens;
        }

        /** Requests that have not begun to be answered. */
        int prefilling() {
            return prefilling;
        }

        /** Their uncached prompt tokens. */
        long prefillTokens() {
            return prefillTokens;
        }

        double prefillPairs() {
            return prefillPairs;
        }

        /** Requests ever sent there. */
        long decided() {
            return decided;
        }

        private void prefill(Flight flight, int sign) {
            prefilling += sign;
            prefillTokens += sign * flight.uncachedTokens;
            // Sums of halves below 2^53 are exact, so that what is added and taken away again leaves nothing behind.
            prefillPairs += sign * flight.prefillPairs();
        }
    }

    private final Map<Long, Flight> open = new HashMap<>();
    private final Map<String, Load> loads = new HashMap<>();

    Load load(String replica) {
        return loads.getOrDefault(replica, Load.NOTHING);
    }

    void begin(Flight flight) {
        open.put(flight.ticket, flight);
        Load load = loads.computeIfAbsent(flight.replica, r -> new Load());
        load.requests++;
        load.decided++;
        load.promptTokens += flight.promptTokens;
        load.prefill(flight, 1);
    }

    /** The request's answer begins; returns the request, or nothing when that is known already. */
    Optional<Flight> answering(long ticket, long now) {
        Flight flight = open.get(ticket);
        if (flight == null || flight.answering()) {
            return Optional.empty();
        }
        open.put(ticket, flight.begun(now));
        loads.get(flight.replica).prefill(flight, -1);
        return Optional.of(flight);
    }

    /** The request ends; returns it. */
    Flight end(long ticket) {
        Flight flight = open.remove(ticket);
        if (flight == null) {
            throw new IllegalStateException("request " + ticket + " is not in flight: it was never sent, or has ended");
        }
        Load load = loads.get(flight.replica);
        load.requests--;
        load.promptTokens -= flight.promptTokens;
        if (!flight.answering()) {
            load.prefill(flight, -1);
        }
        return flight;
    }
}
