package dev.warmroute.recorder.verify;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Moment;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.Home;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows a trace up to a moment and says what its routers believed then. A figure that a decision names (requests in flight,
 * live sessions, whether a replica is usable) is the router's own, carried on by what happened after that decision; so it is
 * right from the first decision on, wherever the trace begins. Memory grows with the conversations and the requests in flight.
 */
public final class StateReplay {
    private final EventCodec codec = new EventCodec();
    private final Map<Writer, Router> routers = new TreeMap<>();
    private final Map<ModelOf, ModelState> models = new TreeMap<>();
    private final Map<EngineOf, CountersDelta> engines = new TreeMap<>();
    private final Map<String, Sent> inFlight = new LinkedHashMap<>();
    private final Map<Conversation, String> homes = new TreeMap<>();
    private long events;
    private String lastEvent = "";

    private static final class Router {
        private Optional<String> version = Optional.empty();
        private boolean running = true;
        private long sequence;
    }

    private record ModelOf(Writer writer, String model) implements Comparable<ModelOf> {
        @Override
        public int compareTo(ModelOf other) {
            int byWriter = writer.compareTo(other.writer);
            return byWriter != 0 ? byWriter : model.compareTo(other.model);
        }
    }

    private static final class ModelState {
        private Optional<PolicyIdentity> policy = Optional.empty();
        private final Map<String, Seen> replicas = new LinkedHashMap<>();

        private Seen replica(String id) {
            return replicas.computeIfAbsent(id, r -> new Seen());
        }
    }

    private static final class Seen {
        private String reason = "";
        private int inFlight;
        private int liveSessions;
    }

    private record EngineOf(Writer writer, String replica, int engine) implements Comparable<EngineOf> {
        private static final Comparator<EngineOf> ORDER = Comparator.comparing(EngineOf::writer)
                .thenComparing(EngineOf::replica)
                .thenComparingInt(EngineOf::engine);

        @Override
        public int compareTo(EngineOf other) {
            return ORDER.compare(this, other);
        }
    }

    private record Sent(Writer writer, RoutingDecision decision) {}

    private record Conversation(String session, String model) implements Comparable<Conversation> {
        @Override
        public int compareTo(Conversation other) {
            int bySession = session.compareTo(other.session);
            return bySession != 0 ? bySession : model.compareTo(other.model);
        }
    }

    private StateReplay() {}

    /**
     * The state after everything that had happened at a moment: up to a time, both included, or up to an event.
     *
     * @throws UserError if nothing had happened by then, or the trace does not have the event
     */
    public static RouterState at(Recording recording, Moment moment) {
        long us = moment.us(recording);
        Optional<RecordedEvent> last =
                moment instanceof Moment.Event e ? Optional.of(e.in(recording)) : Optional.empty();
        StateReplay replay = new StateReplay();
        try (EventCursor cursor = recording.merged()) {
            while (cursor.hasNext()) {
                RecordedEvent event = cursor.next();
                if (last.isEmpty() && event.timeUs() > us) {
                    break;
                }
                replay.take(event);
                if (last.isPresent() && event.equals(last.get())) {
                    break;
                }
            }
        }
        if (replay.events == 0) {
            throw new UserError(recording.directory() + " had no event by then: it begins at "
                    + time(recording.manifest().firstTimeUs().orElse(0)));
        }
        return replay.state(us);
    }

    private void take(RecordedEvent recorded) {
        events++;
        lastEvent = recorded.id();
        if (recorded.tombstone()) {
            Home forgotten = Home.tombstone(recorded.key());
            homes.remove(new Conversation(forgotten.session(), forgotten.model()));
            return;
        }
        Optional<Writer> writer = recorded.writer();
        if (writer.isEmpty()) {
            return;
        }
        Router router = routers.computeIfAbsent(writer.get(), w -> new Router());
        router.sequence = Math.max(router.sequence, recorded.sequence());
        Event event;
        try {
            event = recorded.event(codec);
        } catch (IllegalArgumentException e) {
            return; // trace verify tells of it
        }
        switch (event) {
            case RoutingDecision d -> decided(writer.get(), d);
            case RequestCompleted c -> ended(c.requestId());
            case CountersDelta c -> engines.put(new EngineOf(writer.get(), c.replica(), c.engine()), c);
            case Home h -> homes.put(new Conversation(h.session(), h.model()), h.replica());
            case ControlEvent c -> control(writer.get(), router, c);
            default -> {
                // nothing that a router decides by
            }
        }
    }

    private ModelState model(Writer writer, String name) {
        return models.computeIfAbsent(new ModelOf(writer, name), m -> new ModelState());
    }

    private void decided(Writer writer, RoutingDecision d) {
        ended(d.requestId()); // a further attempt leaves the replica of the one before
        ModelState model = model(writer, d.model());
        model.policy = Optional.of(d.policy());
        for (Candidate c : d.candidates()) {
            Seen seen = model.replica(c.replica());
            seen.inFlight = c.inFlight();
            seen.liveSessions = c.liveSessions();
            seen.reason = c.eligible() ? "" : c.reason().orElse("not eligible");
        }
        d.chosen().ifPresent(replica -> {
            model.replica(replica).inFlight++;
            inFlight.put(d.requestId(), new Sent(writer, d));
        });
        if (!d.session().key().isEmpty()) {
            d.homeAfter()
                    .ifPresent(home -> homes.put(new Conversation(d.session().key(), d.model()), home));
        }
    }

    private void ended(String request) {
        Sent sent = inFlight.remove(request);
        if (sent != null) {
            model(sent.writer(), sent.decision().model())
                    .replica(sent.decision().chosen().orElseThrow())
                    .inFlight--;
        }
    }

    private void control(Writer writer, Router router, ControlEvent event) {
        switch (event) {
            case ControlEvent.RouterStarted s -> {
                router.version = Optional.of(s.version());
                s.models().forEach(m -> {
                    ModelState model = model(writer, m.name());
                    model.policy = Optional.of(m.policy());
                    m.replicas().forEach(model::replica);
                });
            }
            case ControlEvent.RouterStopped s -> {
                router.running = false;
                inFlight.values().removeIf(sent -> sent.writer().equals(writer));
                models.entrySet().removeIf(m -> m.getKey().writer().equals(writer));
                engines.keySet().removeIf(e -> e.writer().equals(writer));
            }
            case ControlEvent.PolicyChanged p -> model(writer, p.model()).policy = Optional.of(p.after());
            case ControlEvent.ReplicaUp u -> reason(writer, u.replica(), "");
            case ControlEvent.ReplicaDown d -> reason(writer, d.replica(), d.reason());
            case ControlEvent.ReplicaEpoch e -> homes.values().removeIf(home -> home.equals(e.replica()));
            case ControlEvent.PrefixCacheCleared c
            when c.emptied() -> homes.values().removeIf(home -> home.equals(c.replica()));
            default -> {
                // changes nothing that a router decides by
            }
        }
    }

    private void reason(Writer writer, String replica, String reason) {
        models.forEach((of, model) -> {
            if (of.writer().equals(writer) && model.replicas.containsKey(replica)) {
                model.replica(replica).reason = reason;
            }
        });
    }

    private RouterState state(long us) {
        Map<String, Map<String, Long>> atHome = new HashMap<>();
        homes.forEach((c, home) ->
                atHome.computeIfAbsent(c.model(), m -> new HashMap<>()).merge(home, 1L, Long::sum));
        List<RouterState.Router> routerList = new ArrayList<>();
        routers.forEach((w, r) ->
                routerList.add(new RouterState.Router(w.instance(), w.epoch(), r.version, r.running, r.sequence)));
        List<RouterState.Model> modelList = new ArrayList<>();
        models.forEach((of, m) -> {
            List<RouterState.Replica> replicas = new ArrayList<>();
            m.replicas.forEach((id, seen) -> replicas.add(new RouterState.Replica(
                    id,
                    seen.reason.isEmpty(),
                    seen.reason,
                    seen.inFlight,
                    atHome.getOrDefault(of.model(), Map.of()).getOrDefault(id, 0L),
                    seen.liveSessions)));
            modelList.add(new RouterState.Model(of.writer().instance(), of.model(), m.policy, replicas));
        });
        List<RouterState.Engine> engineList = new ArrayList<>();
        engines.forEach((of, c) -> engineList.add(new RouterState.Engine(
                of.writer().instance(),
                c.replica(),
                c.engine(),
                (us - c.scrapedUs()) / 1e6,
                c.epoch(),
                c.engineVersion(),
                new TreeMap<>(c.totals()),
                new TreeMap<>(c.gauges()))));
        List<RouterState.InFlight> open = inFlight.values().stream()
                .sorted(Comparator.comparingLong(s -> s.decision().decidedUs()))
                .map(s -> new RouterState.InFlight(
                        s.decision().requestId(),
                        s.writer().instance(),
                        s.decision().model(),
                        s.decision().chosen().orElseThrow(),
                        s.decision().session().key(),
                        (us - s.decision().decidedUs()) / 1e6))
                .toList();
        List<RouterState.Home> homeList = new ArrayList<>();
        homes.forEach((c, home) -> homeList.add(new RouterState.Home(c.session(), c.model(), home)));
        return new RouterState(time(us), events, lastEvent, routerList, modelList, engineList, open, homeList);
    }

    private static String time(long us) {
        return Instant.EPOCH.plus(us, ChronoUnit.MICROS).toString();
    }
}
