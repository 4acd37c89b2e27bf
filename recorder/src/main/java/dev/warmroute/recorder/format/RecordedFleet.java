package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.ControlEvent;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The fleet behind a recording, as far as the recording says: what a replay of it starts from.
 *
 * @param replicas candidates of its decisions
 * @param policies every policy that decided, by name
 * @param policy the policy, when there was one alone
 * @param restarts when replicas were started again, or their caches were cleared: what was cached and the homes are gone
 * @param startUs moment of the first arrival, microseconds since the epoch; 0 when the recording has no such clock
 */
public record RecordedFleet(
        int replicas, List<String> policies, Optional<Policy> policy, List<Restart> restarts, long startUs) {
    public RecordedFleet {
        policies = List.copyOf(policies);
        Objects.requireNonNull(policy, "policy");
        restarts = List.copyOf(restarts);
    }

    /**
     * A policy that decided.
     *
     * @param name as recorded
     * @param parameters by name, those that the recording tells
     */
    public record Policy(String name, Map<String, String> parameters) {
        public Policy {
            parameters = Map.copyOf(parameters);
        }
    }

    /** @param replica its number among the candidates; times in nanoseconds from the first arrival */
    public record Restart(int replica, long atNanos) {}

    /** The fleet of a trace argument; empty for traces that are no recordings of a fleet. */
    public static Optional<RecordedFleet> of(String argument) {
        try {
            if (argument.startsWith(TraceFormat.FLEET.formatName() + ':')) {
                Path path = Path.of(argument.substring(argument.indexOf(':') + 1));
                return Optional.of(of(FleetRecording.read(new TraceFile(path, argument), OnError.SKIP)
                        .config()));
            }
            Path path = Path.of(argument);
            return Recording.isRecording(path) ? of(Recording.open(path)) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static RecordedFleet of(FleetRecording.Config config) {
        Map<String, String> parameters = config.policy().equals("warden") && config.overflowThreshold() > 0
                ? Map.of("overflow_threshold", Integer.toString(config.overflowThreshold()))
                : Map.of();
        return new RecordedFleet(
                config.replicas(),
                List.of(config.policy()),
                Optional.of(new Policy(config.policy(), parameters)),
                List.of(),
                0);
    }

    private static Optional<RecordedFleet> of(Recording recording) {
        Optional<RoutingDecision> first = first(recording);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<String> policies = recording.manifest().facts().policies().stream()
                .map(p -> p.name())
                .distinct()
                .toList();
        RoutingDecision decision = first.get();
        boolean alone = recording.manifest().facts().policies().size() == 1;
        return Optional.of(new RecordedFleet(
                decision.candidates().size(),
                policies,
                alone
                        ? Optional.of(new Policy(
                                decision.policy().name(), decision.policy().config()))
                        : Optional.empty(),
                restarts(recording, decision),
                decision.arrivalUs()));
    }

    private static List<Restart> restarts(Recording recording, RoutingDecision first) {
        List<String> ids = first.candidates().stream().map(c -> c.replica()).toList();
        EventCodec codec = new EventCodec();
        List<Restart> restarts = new ArrayList<>();
        try (EventCursor events = recording.merged(List.of(Topic.CONTROL))) {
            while (events.hasNext()) {
                if (events.next().readable(codec) instanceof ControlEvent event
                        && ids.contains(emptied(event))
                        && event.atUs() > first.arrivalUs()) {
                    int replica = ids.indexOf(emptied(event));
                    restarts.add(new Restart(replica, TimeUnit.MICROSECONDS.toNanos(event.atUs() - first.arrivalUs())));
                }
            }
        }
        return restarts;
    }

    /** The replica whose cache is empty from this event on; none of another event. */
    private static String emptied(ControlEvent event) {
        return switch (event) {
            case ReplicaEpoch e -> e.replica();
            case PrefixCacheCleared c when c.emptied() -> c.replica();
            default -> "";
        };
    }

    /** The decision about the request that arrived first. */
    private static Optional<RoutingDecision> first(Recording recording) {
        EventCodec codec = new EventCodec();
        try (EventCursor events = recording.merged(List.of(Topic.DECISIONS))) {
            return events.hasNext() && events.next().readable(codec) instanceof RoutingDecision d
                    ? Optional.of(d)
                    : Optional.empty();
        }
    }
}
