package dev.warmroute.simulator.compare;

import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.simulator.replay.Quantiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a recording measured, as the same row that a replay gives: to set predicted beside measured. One row for each policy
 * that decided, in order of its first decision. Times are the router's own: from a request's arrival there to the first and
 * last byte it passed on.
 *
 * <p>Events may come in any order; those of other types are passed over. A request without a completion, still open when the
 * recording ended, counts as sent and nothing else.
 */
public final class Measured {
    private static final double MICROS = 1e6;
    private static final String PREEMPTIONS = "num_preemptions";

    private static final class Life {
        private String policy = "";
        private String session = "";
        private String conversation = "";
        private String replica = "";
        private String kind = "";
        private long arrived;
        private long decided = Long.MIN_VALUE;
        private OptionalLong first = OptionalLong.empty();
        private OptionalLong last = OptionalLong.empty();
        private OptionalLong prompt = OptionalLong.empty();
        private OptionalLong cached = OptionalLong.empty();
        private OptionalLong output = OptionalLong.empty();
    }

    private record Preemptions(long at, double count) {}

    /** Microseconds of the recording in a second of the row. */
    private final double second;

    private final Map<String, Life> requests = new LinkedHashMap<>();
    private final List<Preemptions> preemptions = new ArrayList<>();
    private boolean counters;

    public Measured() {
        this(1);
    }

    /** @param speed model seconds in a second of the recording, when the replicas ran scaled; times are the model's */
    public Measured(double speed) {
        if (!(speed > 0)) {
            throw new IllegalArgumentException("speed must be above 0: " + speed);
        }
        second = MICROS / speed;
    }

    /** Takes an event. */
    public void add(Event event) {
        switch (event) {
            case RoutingDecision d -> decided(d);
            case RequestCompleted c -> completed(c);
            case CountersDelta c -> counted(c);
            default -> {
                // says nothing about requests
            }
        }
    }

    private void decided(RoutingDecision d) {
        Life life = requests.computeIfAbsent(d.requestId(), k -> new Life());
        if (d.decidedUs() < life.decided) {
            return;
        }
        // The last attempt is the one that counts: a retry after a failure, the release after holding.
        life.decided = d.decidedUs();
        life.arrived = d.arrivalUs();
        life.policy = d.policy().name();
        life.session = d.session().hash().orElse("");
        life.conversation = d.session().key();
        life.replica = d.chosen().orElse("");
        life.kind = d.kind().wireName();
    }

    private void completed(RequestCompleted c) {
        Life life = requests.computeIfAbsent(c.requestId(), k -> new Life());
        life.first = c.firstByteUs();
        life.last = OptionalLong.of(c.lastByteUs());
        life.prompt = c.promptTokens();
        life.cached = c.cachedTokens();
        life.output = c.completionTokens();
    }

    private void counted(CountersDelta c) {
        Double count = c.deltas().get(PREEMPTIONS);
        if (count != null) {
            counters = true;
            // What a scrape reports happened since the one before: it belongs where its middle lies.
            preemptions.add(new Preemptions(c.scrapedUs() - c.intervalMs() * 500, count));
        }
    }

    /** One row a policy. */
    public List<PolicyRow> rows() {
        List<Life> decided = requests.values().stream()
                .filter(l -> !l.policy.isEmpty())
                .sorted(Comparator.comparingLong(l -> l.decided))
                .toList();
        Map<String, List<Phase>> phases = new LinkedHashMap<>();
        String current = "";
        for (Life life : decided) {
            List<Phase> ofPolicy = phases.computeIfAbsent(life.policy, k -> new ArrayList<>());
            if (!life.policy.equals(current)) {
                ofPolicy.add(new Phase());
                current = life.policy;
            }
            ofPolicy.get(ofPolicy.size() - 1).add(life);
        }
        List<PolicyRow> rows = new ArrayList<>();
        phases.forEach((policy, ofPolicy) -> rows.add(row(policy, ofPolicy)));
        return rows;
    }

    /** Requests that one policy decided without another in between. */
    private static final class Phase {
        private final List<Life> lives = new ArrayList<>();
        private long start = Long.MAX_VALUE;
        private long end = Long.MIN_VALUE;

        void add(Life life) {
            lives.add(life);
            start = Math.min(start, life.arrived);
            end = Math.max(end, life.last.orElse(life.decided));
        }
    }

    private PolicyRow row(String policy, List<Phase> phases) {
        List<Life> lives =
                phases.stream().map(p -> p.lives).flatMap(Collection::stream).toList();
        double seconds =
                phases.stream().mapToDouble(p -> (p.end - p.start) / second).sum();
        long prompt = 0;
        long promptOfKnown = 0;
        long cached = 0;
        long output = 0;
        boolean cachedKnown = false;
        TreeMap<String, Long> kinds = new TreeMap<>();
        List<Double> ttft = new ArrayList<>();
        for (Life life : lives) {
            kinds.merge(life.kind, 1L, Long::sum);
            prompt += life.prompt.orElse(0);
            output += life.output.orElse(0);
            if (life.prompt.isPresent() && life.cached.isPresent()) {
                cachedKnown = true;
                promptOfKnown += life.prompt.getAsLong();
                cached += life.cached.getAsLong();
            }
            life.first.ifPresent(f -> ttft.add((f - life.arrived) / second));
        }
        Quantiles firstByte = quantiles(ttft);
        Quantiles sessions = sessionTimes(lives);
        return new PolicyRow(
                policy,
                lives.size(),
                cachedKnown ? promptOfKnown : prompt,
                cachedKnown ? OptionalLong.of(cached) : OptionalLong.empty(),
                promptOfKnown > 0 ? OptionalDouble.of(100.0 * cached / promptOfKnown) : OptionalDouble.empty(),
                seconds > 0 ? OptionalDouble.of(output * 60 / seconds) : OptionalDouble.empty(),
                firstByte.at(0.5),
                firstByte.at(0.95),
                seconds > 0 ? OptionalDouble.of(busySeconds(lives) / seconds) : OptionalDouble.empty(),
                stayedPct(lives),
                counters ? OptionalLong.of(preempted(phases)) : OptionalLong.empty(),
                sessions.at(0.5),
                sessions.at(0.95),
                OptionalLong.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                kinds);
    }

    /** From a session's first arrival to its last byte. Whether it went on after the recording, nobody knows. */
    private Quantiles sessionTimes(List<Life> lives) {
        Map<String, long[]> spans = new LinkedHashMap<>();
        for (Life life : lives) {
            if (!life.session.isEmpty()) {
                long[] span = spans.computeIfAbsent(life.session, k -> new long[] {Long.MAX_VALUE, Long.MIN_VALUE});
                span[0] = Math.min(span[0], life.arrived);
                span[1] = Math.max(span[1], life.last.orElse(life.decided));
            }
        }
        return quantiles(
                spans.values().stream().map(s -> (s[1] - s[0]) / second).toList());
    }

    private static Quantiles quantiles(List<Double> values) {
        return Quantiles.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Time in which each replica had a request, summed. */
    private double busySeconds(List<Life> lives) {
        Map<String, List<Life>> byReplica = new LinkedHashMap<>();
        for (Life life : lives) {
            if (!life.replica.isEmpty() && life.last.isPresent()) {
                byReplica.computeIfAbsent(life.replica, k -> new ArrayList<>()).add(life);
            }
        }
        long busy = 0;
        for (List<Life> ofReplica : byReplica.values()) {
            long until = Long.MIN_VALUE;
            for (Life life : ofReplica) {
                long from = Math.max(life.decided, until);
                busy += Math.max(0, life.last.getAsLong() - from);
                until = Math.max(until, life.last.getAsLong());
            }
        }
        return busy / second;
    }

    private static OptionalDouble stayedPct(List<Life> lives) {
        Map<String, String> last = new HashMap<>();
        long followed = 0;
        long stayed = 0;
        for (Life life : lives) {
            if (life.conversation.isEmpty() || life.replica.isEmpty()) {
                continue;
            }
            String before = last.put(life.conversation, life.replica);
            if (before != null) {
                followed++;
                stayed += before.equals(life.replica) ? 1 : 0;
            }
        }
        return followed == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * stayed / followed);
    }

    /** Preemptions that scrapes within the phases reported. */
    private long preempted(List<Phase> phases) {
        double sum = 0;
        for (Preemptions p : preemptions) {
            for (Phase phase : phases) {
                if (p.at >= phase.start && p.at <= phase.end) {
                    sum += p.count;
                }
            }
        }
        return Math.round(sum);
    }
}
