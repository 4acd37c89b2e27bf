package dev.warmroute.router.event;

import dev.warmroute.router.event.ControlEvent.EventsLost;
import dev.warmroute.router.event.ControlEvent.ModelSetup;
import dev.warmroute.router.event.ControlEvent.PolicyChanged;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.ControlEvent.ReplicaDown;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.event.ControlEvent.ReplicaUp;
import dev.warmroute.router.event.ControlEvent.RouterStarted;
import dev.warmroute.router.event.ControlEvent.RouterStopped;
import dev.warmroute.router.event.ControlEvent.WarmupFinished;
import dev.warmroute.router.event.ControlEvent.WarmupStarted;
import dev.warmroute.router.event.RequestCompleted.EndedBy;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import dev.warmroute.router.event.RoutingDecision.PolicyIdentity;
import dev.warmroute.router.event.RoutingDecision.PromptSize;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;

/** Events of every type with random contents: any text, any number that the field may hold, optional fields there or not. */
final class RandomEvents {
    private static final String ALPHABET = "aZ09 _-/{}[]\"\\,:\n\té语\uD83D\uDE00";

    private final Random random;

    RandomEvents(Random random) {
        this.random = random;
    }

    Event of(EventType type) {
        return switch (type) {
            case ROUTING_DECISION ->
                new RoutingDecision(
                        text(),
                        count(),
                        count(),
                        session(),
                        text(),
                        random.nextBoolean() ? "openai" : "anthropic",
                        random.nextBoolean(),
                        new PromptSize(count(), maybeLong(), random.nextBoolean()),
                        policy(),
                        random.nextLong(),
                        map(this::number),
                        list(this::candidate),
                        maybeDouble(),
                        maybe(),
                        maybe(),
                        maybe(),
                        Kind.values()[random.nextInt(Kind.values().length)],
                        random.nextDouble(),
                        1 + random.nextInt(2),
                        count(),
                        router());
            case REQUEST_COMPLETED ->
                new RequestCompleted(
                        text(),
                        session(),
                        text(),
                        maybe(),
                        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(100 + random.nextInt(500)),
                        maybe(),
                        EndedBy.values()[random.nextInt(EndedBy.values().length)],
                        random.nextDouble() * 1e6,
                        count(),
                        maybeLong(),
                        count(),
                        maybeLong(),
                        maybeLong(),
                        maybeLong(),
                        maybe(),
                        random.nextInt(3),
                        router());
            case COUNTERS_DELTA ->
                new CountersDelta(
                        text(),
                        random.nextInt(64),
                        count(),
                        count(),
                        random.nextInt(9),
                        random.nextBoolean(),
                        map(this::number),
                        map(this::number),
                        map(this::number),
                        list(this::text),
                        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(4096)),
                        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(1 << 20)),
                        maybe(),
                        router());
            case PROMPT_BLOCKS ->
                new PromptBlocks(
                        text(),
                        session(),
                        random.nextBoolean() ? "tokens" : "bytes",
                        1 + random.nextInt(4096),
                        count(),
                        random.nextInt(1000),
                        maybe(),
                        "AAECAwQFBgc=",
                        random.nextInt(10),
                        text(),
                        router());
            case HOME -> new Home(text(), text(), text(), count(), text(), count(), maybeLong());
            case ROUTER_STARTED ->
                new RouterStarted(
                        count(),
                        text(),
                        text(),
                        list(() -> new ModelSetup(text(), 1 + random.nextInt(512), policy(), list(this::text))),
                        router());
            case ROUTER_STOPPED -> new RouterStopped(count(), text(), 1 + random.nextInt(1000), router());
            case POLICY_CHANGED -> new PolicyChanged(count(), text(), policy(), policy(), text(), maybe(), router());
            case REPLICA_UP -> new ReplicaUp(count(), text(), text(), maybe(), router());
            case REPLICA_DOWN -> new ReplicaDown(count(), text(), text(), router());
            case REPLICA_EPOCH ->
                new ReplicaEpoch(count(), text(), 1 + random.nextInt(9), random.nextInt(1000), router());
            case WARMUP_STARTED -> new WarmupStarted(count(), text(), text(), random.nextInt(100), router());
            case WARMUP_FINISHED ->
                new WarmupFinished(
                        count(),
                        text(),
                        random.nextInt(100),
                        random.nextInt(100),
                        count(),
                        random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(random.nextDouble()),
                        text(),
                        router());
            case PREFIX_CACHE_CLEARED -> new PrefixCacheCleared(count(), text(), text(), router());
            case EVENTS_LOST -> new EventsLost(count(), count(), count(), map(this::count), text(), router());
        };
    }

    private Candidate candidate() {
        return new Candidate(
                text(),
                random.nextBoolean(),
                maybe(),
                random.nextInt(100),
                random.nextInt(100),
                maybeDouble(),
                maybeDouble(),
                maybeDouble(),
                maybeLong(),
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(Integer.MAX_VALUE)),
                map(this::number),
                maybeDouble());
    }

    private Session session() {
        return new Session(maybe(), text(), maybe(), maybe(), maybe());
    }

    private PolicyIdentity policy() {
        return new PolicyIdentity(text(), 1 + random.nextInt(9), text(), map(this::text));
    }

    private RouterIdentity router() {
        return new RouterIdentity(text(), count(), count());
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i >= 0; i--) {
            text.appendCodePoint(
                    ALPHABET.codePoints().skip(random.nextInt(17)).findFirst().orElse('x'));
        }
        return text.toString();
    }

    private long count() {
        return random.nextInt(8) == 0 ? Long.MAX_VALUE : random.nextLong(1L << (1 + random.nextInt(50)));
    }

    private double number() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> random.nextInt(1000);
            case 2 -> Double.MAX_VALUE;
            case 3 -> Double.MIN_VALUE;
            case 4 -> -random.nextDouble();
            default -> random.nextDouble() * 1e12;
        };
    }

    private Optional<String> maybe() {
        return random.nextBoolean() ? Optional.empty() : Optional.of(text());
    }

    private OptionalLong maybeLong() {
        return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(count());
    }

    private OptionalDouble maybeDouble() {
        return random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(number());
    }

    private <T> Map<String, T> map(Supplier<T> values) {
        Map<String, T> map = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(text(), values.get());
        }
        return map;
    }

    private <T> List<T> list(Supplier<T> elements) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(elements.get());
        }
        return list;
    }
}
