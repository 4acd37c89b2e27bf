package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.SequenceRanges.Range;
import dev.warmroute.recorder.verify.Verification.Check;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What requests report as prompt and cached tokens is what the engine counted: to the token between two moments at which the
 * replica is idle, and never more than it counted in between. A replica is idle when a scrape finds nothing running or
 * waiting and no request of the router began before the scrape and ended after it, or shortly before.
 *
 * <p>An engine counts a request's prompt once, at its first token. So a request that reported nothing (it was cut off, or sent
 * elsewhere after a failure) may have been counted or not, and warm prompts are counted without being requests: then there is
 * a lower bound only. Not asked when several routers run, who do not see each other's requests.
 */
final class TokenCheck implements TraceCheck {
    static final String NAME = "tokens";

    private static final String TOLERANCE =
            "0 between moments at which the replica is idle; a lower bound while it is not";

    /** A page may be as old as its reading took, and an engine brings its counters up to date after its answer. */
    private static final long SETTLED_US = 250_000;

    private final Differences differences;
    private final Scope scope;
    private final Set<String> instances = new HashSet<>();
    private final Map<String, Replica> replicas = new HashMap<>();
    /** Requests that have not ended, by id: where they were sent. */
    private final Map<String, Sent> sent = new HashMap<>();

    private long exact;
    private long bounds;
    private long faults;

    private record Sent(String replica, long decidedUs) {}

    /** A request that has ended, with what it reported. */
    private record Ended(long decidedUs, long endedUs, Tokens tokens, boolean reported) {}

    private record Tokens(double prompt, double cached) {
        static final Tokens NONE = new Tokens(0, 0);

        Tokens plus(Tokens t) {
            return new Tokens(prompt + t.prompt, cached + t.cached);
        }
    }

    /** Accounts of one replica since it was last idle. */
    private static final class Replica {
        private final Map<Integer, CountersDelta> engines = new HashMap<>();
        private boolean begun;
        private Tokens countedBefore = Tokens.NONE;
        private Tokens reported = Tokens.NONE;
        /** Whether something was counted, perhaps, that no request reports. */
        private boolean more;
        /** Ended requests that are not in {@code reported}, because a page may not have them. */
        private final Deque<Ended> recent = new ArrayDeque<>();
    }

    TokenCheck(Differences differences, Scope scope) {
        this.differences = differences;
        this.scope = scope;
    }

    @Override
    public void event(Writer writer, RecordedEvent recorded, Event event) {
        instances.add(writer.instance());
        switch (event) {
            case RoutingDecision d -> decided(d);
            case RequestCompleted c -> completed(c);
            case CountersDelta c -> scraped(recorded, c);
            case ControlEvent.WarmupStarted w -> replica(w.replica()).more = true;
            case ControlEvent.WarmupFinished w -> replica(w.replica()).more = true;
            case ControlEvent.RouterStopped stopped -> sent.clear();
            default -> {
                // sends nothing to an engine
            }
        }
    }

    private Replica replica(String id) {
        return replicas.computeIfAbsent(id, r -> new Replica());
    }

    private void decided(RoutingDecision d) {
        Sent before = sent.remove(d.requestId());
        if (before != null) {
            replica(before.replica()).more = true; // it failed there; the engine may have counted it
        }
        d.chosen().ifPresent(replica -> sent.put(d.requestId(), new Sent(replica, d.decidedUs())));
    }

    private void completed(RequestCompleted c) {
        Sent where = sent.remove(c.requestId());
        if (where == null) {
            c.replica().ifPresent(r -> replica(r).more = true); // sent before the recording began
            return;
        }
        boolean reported = c.promptTokens().isPresent() && c.cachedTokens().isPresent();
        Tokens tokens = new Tokens(value(c.promptTokens()), value(c.cachedTokens()));
        replica(where.replica()).recent.add(new Ended(where.decidedUs(), c.lastByteUs(), tokens, reported));
    }

    private static long value(OptionalLong tokens) {
        return tokens.orElse(0);
    }

    private void scraped(RecordedEvent recorded, CountersDelta c) {
        Replica r = replica(c.replica());
        CountersDelta before = r.engines.put(c.engine(), c);
        if (before != null && before.epoch() != c.epoch()) {
            r.begun = false; // counted from 0 again, and requests may have gone uncounted
        }
        if (r.engines.values().stream().anyMatch(e -> e.scrapedUs() != c.scrapedUs())) {
            return; // the page has further engines
        }
        settle(r, c.scrapedUs());
        Tokens counted = counted(r);
        if (Double.isNaN(counted.prompt()) || Double.isNaN(counted.cached())) {
            return;
        }
        boolean idle = idle(c.replica(), r, c.scrapedUs());
        if (r.begun) {
            Tokens gained = new Tokens(
                    counted.prompt() - r.countedBefore.prompt(), counted.cached() - r.countedBefore.cached());
            compare(
                    recorded,
                    "prompt_tokens",
                    gained.prompt(),
                    r.reported.prompt(),
                    idle && !r.more && !scope.others());
            compare(
                    recorded,
                    "prompt_tokens_cached",
                    gained.cached(),
                    r.reported.cached(),
                    idle && !r.more && !scope.others());
        }
        if (idle) {
            r.begun = true;
            r.countedBefore = counted;
            r.reported = Tokens.NONE;
            r.more = false;
        }
    }

    /** Takes the requests that a page of this moment has into the account. */
    private static void settle(Replica r, long scrapedUs) {
        int n = r.recent.size();
        for (int i = 0; i < n; i++) {
            Ended e = r.recent.removeFirst();
            if (e.endedUs() + SETTLED_US > scrapedUs) {
                r.recent.addLast(e);
            } else {
                r.reported = r.reported.plus(e.tokens());
                r.more |= !e.reported();
            }
        }
    }

    private static Tokens counted(Replica r) {
        Tokens sum = Tokens.NONE;
        for (CountersDelta e : r.engines.values()) {
            sum = sum.plus(new Tokens(
                    e.totals().getOrDefault("prompt_tokens", Double.NaN),
                    e.totals().getOrDefault("prompt_tokens_cached", Double.NaN)));
        }
        return sum;
    }

    private boolean idle(String id, Replica r, long scrapedUs) {
        return r.engines.values().stream().allMatch(TokenCheck::nothingRuns)
                && r.recent.stream().allMatch(e -> e.decidedUs() > scrapedUs)
                && sent.values().stream()
                        .allMatch(s -> s.decidedUs() > scrapedUs || !s.replica().equals(id));
    }

    private static boolean nothingRuns(CountersDelta e) {
        return e.gauges().getOrDefault("num_requests_running", 1.0) == 0
                && e.gauges().getOrDefault("num_requests_waiting", 0.0) == 0;
    }

    private void compare(RecordedEvent recorded, String counter, double counted, double reported, boolean toTheToken) {
        if (toTheToken) {
            exact++;
        } else {
            bounds++;
        }
        if (toTheToken ? counted != reported : counted < reported) {
            faults++;
            differences.add(
                    NAME,
                    recorded,
                    counter + " since the replica was idle",
                    text(counted),
                    text(reported) + (toTheToken ? "" : " or more") + ", as the requests report");
        }
    }

    private static String text(double tokens) {
        return Long.toString((long) tokens);
    }

    @Override
    public void gap(Writer writer, Range numbers) {
        sent.clear();
        replicas.clear();
    }

    @Override
    public Check result() {
        if (scope.unaccountable()) {
            return new Check(NAME, true, Check.NOT_ASKED, "events are missing and nobody can tell where");
        }
        if (instances.size() > 1) {
            return new Check(
                    NAME, true, Check.NOT_ASKED, instances.size() + " routers do not see each other's requests");
        }
        return new Check(
                NAME,
                faults == 0,
                scope.others() ? "lower bound: the others' requests are not here" : TOLERANCE,
                exact + " sums compared to the token between idle moments, " + bounds + " as bounds in between, "
                        + faults + " differ");
    }
}
