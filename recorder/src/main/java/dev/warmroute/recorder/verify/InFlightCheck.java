package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import java.util.HashMap;
import java.util.Map;

/**
 * The requests in flight that a decision saw on each candidate are what the router had sent there before and what had not
 * ended: decisions minus completions, in the order of the router's sequence. A further attempt of a request, and its
 * completion, end its place on the replica chosen before. Where events are missing, counting starts anew from the next
 * decision's own figures; at a router's first event it starts from 0.
 */
final class InFlightCheck implements TraceCheck {
    static final String NAME = "in_flight";

    private final Differences differences;
    private final Scope scope;
    private final Map<Writer, Places> places = new HashMap<>();
    private long compared;
    private long faults;
    private long restarts;

    private record ModelReplica(String model, String replica) {}

    private static final class Places {
        private final Map<ModelReplica, Integer> inFlight = new HashMap<>();
        private final Map<String, String> sentTo = new HashMap<>();
        /** Whether counts that are not in the map are 0 rather than unknown. */
        private boolean whole;
    }

    InFlightCheck(Differences differences, Scope scope) {
        this.differences = differences;
        this.scope = scope;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        if (scope.unaccountable()) {
            return;
        }
        Places p = places.computeIfAbsent(writer, w -> {
            Places fresh = new Places();
            fresh.whole = recorded.sequence() == 0 || scope.others();
            return fresh;
        });
        if (event instanceof RoutingDecision d) {
            String before = p.sentTo.remove(d.requestId());
            if (before != null) {
                change(p, d.model(), before, -1);
            }
            compare(p, recorded, d);
            if (d.chosen().isPresent()) {
                p.sentTo.put(d.requestId(), d.chosen().get());
                change(p, d.model(), d.chosen().get(), 1);
            }
        } else if (event instanceof RequestCompleted c) {
            String sentTo = p.sentTo.remove(c.requestId());
            if (sentTo != null) {
                change(p, c.model(), sentTo, -1);
            } else if (!p.whole) {
                endOfUnknown(p, c);
            }
        }
    }

    private void compare(Places p, RecordedEvent recorded, RoutingDecision d) {
        for (Candidate c : d.candidates()) {
            ModelReplica key = new ModelReplica(d.model(), c.replica());
            Integer counted = p.inFlight.get(key);
            if (counted == null && p.whole) {
                counted = 0;
            }
            if (counted != null) {
                compared++;
                if (scope.others() ? counted > c.inFlight() : counted != c.inFlight()) {
                    faults++;
                    differences.add(
                            NAME,
                            recorded,
                            "candidates[" + c.replica() + "].in_flight",
                            c.inFlight(),
                            scope.others() ? "at least " + counted : counted);
                }
            }
            if (!scope.others()) {
                p.inFlight.put(key, c.inFlight());
            }
        }
    }

    /** A request that was sent before counting began has ended; where it was is what its completion says. */
    private static void endOfUnknown(Places p, RequestCompleted c) {
        if (c.replica().isPresent()) {
            change(p, c.model(), c.replica().get(), -1);
        } else if (c.attempts() > 0) {
            p.inFlight.keySet().removeIf(k -> k.model().equals(c.model()));
        }
    }

    private static void change(Places p, String model, String replica, int by) {
        ModelReplica key = new ModelReplica(model, replica);
        if (p.whole) {
            p.inFlight.merge(key, by, Integer::sum);
        } else {
            p.inFlight.computeIfPresent(key, (k, n) -> n + by);
        }
    }

    @Override
    public void gap(Writer writer, Range numbers) {
        Places fresh = new Places();
        // what was sent before keeps its place, so that its end is known to be one
        Places before = places.put(writer, fresh);
        if (before != null) {
            fresh.sentTo.putAll(before.sentTo);
            restarts++;
        }
    }

    @Override
    public Check result() {
        if (scope.unaccountable()) {
            return new Check(NAME, true, Check.NOT_ASKED, "events are missing and nobody can tell where");
        }
        return new Check(
                NAME,
                faults == 0,
                scope.others() ? "lower bound: the others' requests are not here" : Check.EXACT,
                compared + " figures compared, " + faults + " differ"
                        + (restarts > 0
                                ? "; counting started anew " + restarts + " times where events are missing"
                                : ""));
    }
}
