package dev.warmroute.benchmarks.recorder;

import dev.warmroute.router.event.Envelope;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.event.Topic;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.Evidence;
import dev.warmroute.router.state.ModelRouter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Fills the decisions topic as a router with eight replicas would: {@code Fill BOOTSTRAP EVENTS}. Every event is a decision of
 * the real policy about a made-up request; sessions are hashes under a salt, as live.
 */
public final class Fill {
    private static final int REPLICAS = 8;
    private static final int SESSIONS = 20_000;
    private static final int IN_FLIGHT = 100;

    private final EventCodec codec = new EventCodec();
    private final SplittableRandom random = new SplittableRandom(1);
    private final ModelRouter router = new ModelRouter(Policies.create("warden", Map.of(), 32));
    private final ArrayDeque<Long> open = new ArrayDeque<>();
    private final List<Session> sessions = new ArrayList<>();
    private final Signals[] signals = new Signals[REPLICAS];
    private final long startUs = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    private long nowUs = startUs;
    private long sequence;

    private Fill() {
        Salt salt = new Salt("a salt for the benchmark alone".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(new Session(
                    Optional.of(salt.hash("session", "", "s" + i)),
                    "x-claude-code-session-id",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of("main")));
        }
    }

    public static void main(String[] args) {
        long events = Long.parseLong(args[1]);
        Fill fill = new Fill();
        long start = System.nanoTime();
        long bytes = 0;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(Map.of(
                "bootstrap.servers",
                args[0],
                "linger.ms",
                20,
                "batch.size",
                1 << 18,
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class))) {
            for (long i = 0; i < events; i++) {
                ProducerRecord<byte[], byte[]> record = fill.next();
                bytes += record.value().length;
                producer.send(record);
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("fill     %,d decisions of %,d bytes each in %.1f s%n", events, bytes / events, seconds);
    }

    private ProducerRecord<byte[], byte[]> next() {
        nowUs += 1 + random.nextInt(200);
        long number = sequence++;
        if (number % 1000 == 0) {
            for (int r = 0; r < REPLICAS; r++) {
                signals[r] = new Signals(
                        random.nextInt(30), random.nextInt(4), random.nextInt(1000) / 1000.0, random.nextInt(1000));
            }
        }
        while (open.size() > IN_FLIGHT) {
            router.release(open.removeFirst(), new Completion(1000, -1, -1), (nowUs - startUs) * 1000);
        }
        Session session = sessions.get(random.nextInt(SESSIONS));
        long tokens = 500 + random.nextInt(100_000);
        List<ReplicaStatus> fleet = new ArrayList<>(REPLICAS);
        for (int r = 0; r < REPLICAS; r++) {
            fleet.add(ReplicaStatus.up("replica-" + r, signals[r]));
        }
        RoutingRequest request = new RoutingRequest(session.key(), tokens, random.nextLong());
        ModelRouter.Decision d = router.decide(request, fleet, (nowUs - startUs) * 1000);
        open.addLast(d.ticket());
        RouterIdentity identity = new RouterIdentity("router-a", startUs / 1000, number);
        RoutingDecision decision = new RoutingDecision(
                "5f0c9a7be2d41388-" + Long.toHexString(number),
                nowUs - 300,
                nowUs,
                session,
                "qwen3-coder-30b",
                "anthropic",
                true,
                new PromptSize(tokens * 4, OptionalLong.of(tokens), false),
                router.policy().spec().identity(),
                request.seed(),
                d.view().inputs(),
                Evidence.candidates(d.view(), d.placement()),
                number(d.placement().threshold()),
                text(d.homeBefore()),
                text(d.homeAfter()),
                text(d.replica()),
                d.placement().kind(),
                d.placement().propensity(),
                1,
                2000 + random.nextInt(9000),
                identity);
        Envelope envelope = Envelope.of(
                decision,
                identity,
                "a1b2c3d4e5f60718",
                Instant.EPOCH.plus(nowUs, ChronoUnit.MICROS).toString());
        Headers headers = new RecordHeaders();
        envelope.headers().forEach((name, value) -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
        return new ProducerRecord<>(
                Topic.DECISIONS.name("warmroute"),
                null,
                nowUs / 1000,
                session.key().getBytes(StandardCharsets.UTF_8),
                codec.encode(decision),
                headers);
    }

    private static OptionalDouble number(double value) {
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
