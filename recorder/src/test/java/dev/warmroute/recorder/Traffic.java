package dev.warmroute.recorder;

import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.fleet.FleetView;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.Evidence;
import dev.warmroute.router.state.ModelRouter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The events of a router that routes made-up sessions with the real policies and the real memory: what a recording of a
 * healthy router holds. One event at a time, in the router's sequence.
 */
public final class Traffic {
    /** Start of all made-up time, microseconds since the epoch. */
    public static final long START_US = 1_790_000_000_000_000L;

    private final EventCodec codec = new EventCodec();
    private final SplittableRandom random;
    private final ModelRouter router;
    private final String policy;
    private final int replicas;
    private final int partitions;
    private final int sessions;
    private final String instance;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<Topic, long[]> offsets = new TreeMap<>();
    private final double[] prompted;
    private final double[] cached;
    private final Map<Integer, Map<String, Double>> reported = new TreeMap<>();
    private final Consumer<RecordedEvent> sink;
    private long sequence;
    private long nowUs = START_US;
    private int requests;

    private record Open(String id, Session session, long ticket, String replica, long arrivalUs, long promptTokens) {}

    public Traffic(String policy, int replicas, int partitions, int sessions, long seed, Consumer<RecordedEvent> sink) {
        this(policy, replicas, partitions, sessions, seed, "router-1", sink);
    }

    public Traffic(
            String policy,
            int replicas,
            int partitions,
            int sessions,
            long seed,
            String instance,
            Consumer<RecordedEvent> sink) {
        this.random = new SplittableRandom(seed);
        this.policy = policy;
        this.router = new ModelRouter(Policies.create(policy, Map.of(), 32));
        this.replicas = replicas;
        this.partitions = partitions;
        this.sessions = sessions;
        this.instance = instance;
        this.sink = sink;
        this.prompted = new double[replicas];
        this.cached = new double[replicas];
        for (Topic topic : Topic.values()) {
            offsets.put(topic, new long[partitions]);
        }
    }

    /** Collects a run's events. */
    public static List<RecordedEvent> events(
            String policy, int replicas, int partitions, int sessions, int requests, long seed) {
        List<RecordedEvent> out = new ArrayList<>();
        new Traffic(policy, replicas, partitions, sessions, seed, out::add).run(requests);
        return out;
    }

    /** A whole life: started, requests with scrapes between, everything completed, a last scrape, stopped. */
    public void run(int n) {
        started();
        for (int i = 0; i < n; i++) {
            if (i % 50 == 0) {
                scrape();
            }
            completeSome();
            decide();
        }
        while (!open.isEmpty()) {
            complete();
        }
        nowUs += 1_000_000; // until every engine is idle and says so
        scrape();
        publish(id -> new ControlEvent.RouterStopped(nowUs, "end of test", id.sequence() + 1, id));
    }

    public void started() {
        List<String> names = new ArrayList<>();
        for (int r = 0; r < replicas; r++) {
            names.add("r" + r);
        }
        publish(id -> new ControlEvent.RouterStarted(
                nowUs,
                "0.1.0",
                "salt-1",
                List.of(new ControlEvent.ModelSetup(
                        "m", 32, router.policy().spec().identity(), names)),
                id));
    }

    /** Ends some of what is open, as time goes by. */
    public void completeSome() {
        while (open.size() > 4 * replicas || (!open.isEmpty() && random.nextInt(3) == 0)) {
            complete();
        }
    }

    /** One request decided. */
    public void decide() {
        nowUs += 1 + random.nextInt(2000);
        String id = "req-%s-%06d".formatted(instance, requests++);
        Session session = random.nextInt(20) == 0
                ? Session.UNKNOWN
                : new Session(
                        Optional.of("s" + random.nextInt(sessions)),
                        "x-session-id",
                        random.nextInt(10) == 0 ? Optional.of("a" + random.nextInt(2)) : Optional.empty(),
                        Optional.empty(),
                        Optional.of("main"));
        List<ReplicaStatus> fleet = new ArrayList<>();
        for (int r = 0; r < replicas; r++) {
            Signals signals = random.nextInt(10) == 0
                    ? Signals.NONE
                    : new Signals(
                            random.nextInt(9), random.nextInt(3), random.nextInt(1000) / 1000.0, random.nextInt(1000));
            fleet.add(
                    random.nextInt(40) == 0
                            ? ReplicaStatus.down("r" + r, "no answer", signals)
                            : ReplicaStatus.up("r" + r, signals));
        }
        long tokens = 100 + random.nextInt(3000);
        RoutingRequest request = new RoutingRequest(session.key(), tokens, random.nextLong());
        ModelRouter.Decision d = router.decide(request, fleet, (nowUs - START_US) * 1000);
        long decided = nowUs;
        publish(identity -> new RoutingDecision(
                id,
                decided - 40,
                decided,
                session,
                "m",
                "openai",
                true,
                new PromptSize(tokens * 4, OptionalLong.of(tokens), false),
                router.policy().spec().identity(),
                request.seed(),
                d.view().inputs(),
                Evidence.candidates(d.view(), d.placement()),
                Double.isNaN(d.placement().threshold())
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(d.placement().threshold()),
                text(d.homeBefore()),
                text(d.homeAfter()),
                text(d.replica()),
                d.placement().kind(),
                d.placement().propensity(),
                1,
                12_000,
                identity));
        if (d.placement().replica() == FleetView.NONE) {
            completed(new Open(id, session, d.ticket(), "", decided - 40, tokens));
        } else {
            open.add(new Open(id, session, d.ticket(), d.replica(), decided - 40, tokens));
        }
    }

    /** Ends one open request, not always the oldest. */
    public void complete() {
        nowUs += 1 + random.nextInt(2000);
        for (int skip = random.nextInt(open.size()); skip > 0; skip--) {
            open.addLast(open.removeFirst());
        }
        Open done = open.removeFirst();
        router.release(done.ticket(), new Completion(done.promptTokens(), -1, -1), nowUs * 1_000);
        int replica = Integer.parseInt(done.replica().substring(1));
        prompted[replica] += done.promptTokens();
        cached[replica] += done.promptTokens() / 2;
        completed(done);
    }

    private void completed(Open done) {
        boolean served = !done.replica().isEmpty();
        publish(identity -> new RequestCompleted(
                done.id(),
                done.session(),
                "m",
                text(done.replica()),
                OptionalInt.of(served ? 200 : 503),
                served ? Optional.empty() : Optional.of("no replica can be used"),
                served ? EndedBy.FINISHED : EndedBy.ROUTER,
                0,
                done.arrivalUs(),
                served ? OptionalLong.of(nowUs - 1) : OptionalLong.empty(),
                nowUs,
                served ? OptionalLong.of(done.promptTokens()) : OptionalLong.empty(),
                served ? OptionalLong.of(done.promptTokens() / 2) : OptionalLong.empty(),
                served ? OptionalLong.of(20) : OptionalLong.empty(),
                served ? Optional.of("stop") : Optional.empty(),
                1,
                identity));
    }

    /** Scrapes every replica. */
    public void scrape() {
        nowUs += 10;
        for (int r = 0; r < replicas; r++) {
            int replica = r;
            Map<String, Double> totals =
                    Map.of("prompt_tokens", 1000 + prompted[r], "prompt_tokens_cached", 10 + cached[r]);
            Map<String, Double> before = reported.getOrDefault(r, totals);
            boolean first = reported.put(r, totals) == null;
            Map<String, Double> deltas = new TreeMap<>();
            totals.forEach((name, total) -> deltas.put(name, total - before.get(name)));
            publish(identity -> new CountersDelta(
                    "r" + replica,
                    0,
                    nowUs,
                    first ? 0 : 1000,
                    0,
                    false,
                    first ? Map.of() : deltas,
                    totals,
                    Map.of("num_requests_running", (double) router.inFlight("r" + replica)),
                    List.of(),
                    OptionalInt.of(16),
                    OptionalInt.of(1000),
                    Optional.of("0.32.0"),
                    identity));
        }
    }

    /** Publishes an event as the router would: numbered, keyed, in one of the topic's partitions. */
    public void publish(Function<RouterIdentity, Event> event) {
        RouterIdentity identity = new RouterIdentity(instance, START_US / 1000, sequence++);
        Event built = event.apply(identity);
        Envelope envelope = Envelope.of(
                built,
                identity,
                "5a17",
                Instant.ofEpochSecond(nowUs / 1_000_000, nowUs % 1_000_000 * 1000)
                        .toString());
        Topic topic = envelope.type().topic();
        int partition = Math.floorMod(envelope.partitionKey().hashCode(), partitions);
        sink.accept(new RecordedEvent(
                topic,
                partition,
                offsets.get(topic)[partition]++,
                nowUs / 1000,
                envelope.partitionKey(),
                envelope.id(),
                envelope.type().wireName(),
                envelope.source(),
                envelope.subject(),
                envelope.time(),
                envelope.sequence(),
                envelope.saltId(),
                codec.encode(built)));
    }

    /** Leaves a number of the sequence out, as a lost event does. */
    public void lose() {
        sequence++;
    }

    public long sequence() {
        return sequence;
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    @Override
    public String toString() {
        return policy + " over " + replicas;
    }
}
