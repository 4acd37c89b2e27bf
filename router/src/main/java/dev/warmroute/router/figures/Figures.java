package dev.warmroute.router.figures;

import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.Kind;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.publish.EventSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks on at the events and keeps the figures of status, metrics and panel. It sees every event that is built, whether it
 * reaches Kafka or not. Thread-safe.
 */
public final class Figures {
    private static final Logger LOG = LoggerFactory.getLogger(Figures.class);
    private static final int MAX_DECISIONS = 200;
    private static final int MAX_OPEN = 20_000;
    private static final double P95 = 0.95;

    /** Of a replica that has not been heard of for so long no figure is left; its name may have gone with it. */
    private static final long GONE_US = TimeUnit.HOURS.toMicros(1);

    private final long sinceUs;
    private final Map<String, PerReplica> replicas = new HashMap<>();
    private final Map<String, Contexts> contexts = new HashMap<>();
    private final ArrayDeque<RoutingDecision> decisions = new ArrayDeque<>();
    /** Latest decision about each request that has not ended, the oldest first. */
    private final LinkedHashMap<String, Open> open = new LinkedHashMap<>();

    private static final class PerReplica {
        private final TokenFlow flow = new TokenFlow();
        private final LatencyWindow firstBytes = new LatencyWindow();
        private final PrefixHits hits = new PrefixHits();
        private long heardUs;
    }

    private record Open(Kind kind, String home, long promptTokens) {}

    /**
     * Prompt tokens per second over the last hour.
     *
     * @param model whose they are
     * @param stepSeconds length of a step
     * @param atUs begin of each step, microseconds since the epoch, oldest first
     * @param cached found in the cache, at each step
     * @param computed computed, at each step
     */
    public record Flow(String model, int stepSeconds, List<Long> atUs, List<Double> cached, List<Double> computed) {}

    /** @param sinceUs when looking on began, microseconds since the epoch */
    public Figures(long sinceUs) {
        this.sinceUs = sinceUs;
    }

    /** A sink that passes everything on and looks at it when it is built. */
    public EventSink over(EventSink sink) {
        return event -> sink.publish(router -> {
            Event built = event.apply(router);
            look(built);
            return built;
        });
    }

    private void look(Event event) {
        try {
            see(event);
        } catch (RuntimeException e) {
            LOG.error("the figures stumbled over {}", event.getClass().getSimpleName(), e);
        }
    }

    synchronized void see(Event event) {
        switch (event) {
            case RoutingDecision d -> decided(d);
            case RequestCompleted c -> completed(c);
            case CountersDelta d -> replica(d.replica(), d.scrapedUs()).hits.add(d);
            default -> {
                // nothing that is counted here
            }
        }
    }

    private PerReplica replica(String id, long atUs) {
        PerReplica known = replicas.get(id);
        if (known == null) {
            replicas.values()
                    .removeIf(r -> r.heardUs <= atUs - GONE_US); // else every name that there ever was would stay
            known = new PerReplica();
            replicas.put(id, known);
        }
        known.heardUs = Math.max(known.heardUs, atUs);
        return known;
    }

    /** How many replicas have figures. */
    synchronized int replicas() {
        return replicas.size();
    }

    private void decided(RoutingDecision d) {
        decisions.addFirst(d);
        if (decisions.size() > MAX_DECISIONS) {
            decisions.removeLast();
        }
        // A request outside of conversations, such as counting tokens, may leave the cache alone; nobody estimates for
        // it.
        long estimate = d.session().requestClass().filter("auxiliary"::equals).isPresent()
                ? 0
                : d.prompt().tokens().orElse(0);
        open.remove(d.requestId());
        open.put(d.requestId(), new Open(d.kind(), d.homeAfter().orElse(""), estimate));
        if (open.size() > MAX_OPEN) {
            Iterator<Open> eldest = open.values().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    private void completed(RequestCompleted c) {
        Open decided = open.remove(c.requestId());
        if (c.replica().isEmpty() || c.firstByteUs().isEmpty() || c.status().orElse(0) / 100 != 2) {
            return; // nothing was answered
        }
        long firstByteUs = c.firstByteUs().getAsLong();
        PerReplica replica = replica(c.replica().get(), c.lastByteUs());
        replica.firstBytes.add(firstByteUs, (firstByteUs - c.arrivalUs()) / (double) TimeUnit.SECONDS.toMicros(1));
        long prompt = c.promptTokens().orElse(decided == null ? 0 : decided.promptTokens);
        long cached = Math.min(prompt, c.cachedTokens().orElse(0));
        replica.flow.add(firstByteUs, cached, prompt - cached);
        if (decided != null && !decided.home.isEmpty() && c.promptTokens().isPresent()) {
            conversation(c, decided);
        }
    }

    private void conversation(RequestCompleted c, Open decided) {
        Contexts model = contexts.computeIfAbsent(c.model(), m -> new Contexts());
        long tokens = c.promptTokens().orElseThrow() + c.completionTokens().orElse(0);
        model.used(c.session().key(), decided.home, tokens, c.lastByteUs());
        OptionalLong cached = c.cachedTokens();
        if (decided.kind == Kind.PLACED && cached.isPresent()) {
            model.first(cached.getAsLong());
        }
    }

    /** The figures of a model's replicas, in the order given. */
    public synchronized Map<String, ReplicaFigures> replicas(String model, List<String> ids, long nowUs) {
        Contexts conversations = contexts.getOrDefault(model, new Contexts());
        Map<String, Contexts.Mean> means = conversations.means(nowUs);
        Map<String, ReplicaFigures> figures = new LinkedHashMap<>();
        for (String id : ids) {
            PerReplica r = replicas.get(id);
            figures.put(id, r == null ? ReplicaFigures.NONE : figures(r, means.get(id), conversations.shared(), nowUs));
        }
        return figures;
    }

    private ReplicaFigures figures(PerReplica r, Contexts.Mean mean, long shared, long nowUs) {
        TokenFlow.Step rate = r.flow.rate(sinceUs, nowUs);
        return new ReplicaFigures(
                r.hits.lately(nowUs),
                r.hits.sinceStart(),
                rate.cachedPerSecond(),
                rate.computedPerSecond(),
                r.firstBytes.quantile(P95, nowUs),
                mean == null ? OptionalDouble.empty() : OptionalDouble.of(mean.tokens()),
                shared);
    }

    /** Prompt tokens of a model over the last hour, over all these replicas. */
    public synchronized Flow flow(String model, List<String> ids, long nowUs) {
        TreeMap<Long, TokenFlow.Step> sums = new TreeMap<>();
        new TokenFlow().steps(sinceUs, nowUs).forEach(step -> sums.put(step.atUs(), step));
        for (String id : ids) {
            PerReplica r = replicas.get(id);
            if (r != null) {
                r.flow.steps(sinceUs, nowUs).forEach(step -> sums.merge(step.atUs(), step, Figures::sum));
            }
        }
        List<Long> at = new ArrayList<>(sums.size());
        List<Double> cached = new ArrayList<>(sums.size());
        List<Double> computed = new ArrayList<>(sums.size());
        sums.values().forEach(step -> {
            at.add(step.atUs());
            cached.add(step.cachedPerSecond());
            computed.add(step.computedPerSecond());
        });
        return new Flow(model, TokenFlow.STEP_SECONDS, at, cached, computed);
    }

    private static TokenFlow.Step sum(TokenFlow.Step a, TokenFlow.Step b) {
        return new TokenFlow.Step(
                a.atUs(), a.cachedPerSecond() + b.cachedPerSecond(), a.computedPerSecond() + b.computedPerSecond());
    }

    /** The latest decisions, newest first. */
    public synchronized List<RoutingDecision> decisions(int atMost) {
        return decisions.stream().limit(atMost).toList();
    }
}
