package dev.warmroute.export.run;

import dev.warmroute.simulator.replay.MissCause;
import dev.warmroute.simulator.replay.RequestLog;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Sums a replay up by session, and finds those to look at. */
final class SessionCosts {
    private static final int SHOWN = 8;

    private final Collection<Sum> sums;

    SessionCosts(Requests requests, RunMachine machine) {
        Map<Integer, Sum> bySession = new TreeMap<>();
        for (int r : requests.inOrder()) {
            int session = requests.log().session(r);
            if (session != RequestLog.NOT_YET) {
                int first = r;
                bySession
                        .computeIfAbsent(session, s -> new Sum(requests, machine, first))
                        .add(r);
            }
        }
        sums = bySession.values();
    }

    List<SessionCost> growers() {
        return top(SessionCost::grown, s -> s.grown() > 0);
    }

    List<SessionCost> costliest() {
        return top(SessionCost::againTokens, s -> s.againTokens() > 0);
    }

    List<SessionCost> misplaced() {
        return top(SessionCost::movedTokens, s -> s.movedTokens() > 0);
    }

    private List<SessionCost> top(ToLongFunction<SessionCost> by, Predicate<SessionCost> worth) {
        return sums.stream()
                .map(Sum::cost)
                .filter(worth)
                .sorted(Comparator.comparingLong(by).reversed())
                .limit(SHOWN)
                .toList();
    }

    private static final class Sum {
        private final Requests requests;
        private final RunMachine machine;
        private final String name;
        private final long first;
        private final BitSet replicas = new BitSet();
        private long most;
        private int turns;
        private int movedTurns;
        private long again;
        private long moved;
        private double seconds;

        Sum(Requests requests, RunMachine machine, int r) {
            this.requests = requests;
            this.machine = machine;
            this.name = machine.session(requests, r);
            this.first = requests.log().promptTokens(r);
        }

        void add(int r) {
            turns++;
            most = Math.max(most, requests.log().promptTokens(r));
            if (requests.log().replica(r) >= 0) {
                replicas.set(requests.log().replica(r));
            }
            movedTurns += requests.moved(r) ? 1 : 0;
            int tokens = requests.again(r);
            again += tokens;
            moved += requests.log().missed(r, MissCause.MOVED);
            seconds += machine.prefillSeconds(tokens, Math.max(0, requests.log().cachedTokens(r)));
        }

        SessionCost cost() {
            return new SessionCost(name, turns, first, most, replicas.cardinality(), movedTurns, again, moved, seconds);
        }
    }
}
