package dev.warmroute.recorder.format;

import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
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
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The fleet behind a recording, as far as the recording says: what a replay of it starts from.
 *
 * @param replicas candidates of its decisions
 * @param blockSize tokens a KV block, as the engines reported
 * @param numGpuBlocks KV blocks of a replica, the null block included, as the engines reported; empty when they differ
 * @param policies every policy that decided, by name
 * @param policy the policy, when there was one alone
 * @param restarts when replicas were started again
 * @param startUs moment of the first arrival, microseconds since the epoch; 0 when the recording has no such clock
 */
public record RecordedFleet(
        int replicas,
        OptionalInt blockSize,
        OptionalInt numGpuBlocks,
        List<String> policies,
        Optional<Policy> policy,
        List<Restart> restarts,
        long startUs) {
    public RecordedFleet {
        Objects.requireNonNull(blockSize, "blockSize");
        Objects.requireNonNull(numGpuBlocks, "numGpuBlocks");
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
                return Optional.of(of(FleetRecording.read(new TraceFile(path, argument), OnError.SKIP).config()));
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
                OptionalInt.empty(),
                OptionalInt.empty(),
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
        Capacity capacity = Capacity.of(recording);
        return Optional.of(new RecordedFleet(
                decision.candidates().size(),
                capacity.blockSize,
                capacity.numGpuBlocks,
                policies,
                alone
                        ? Optional.of(new Policy(decision.policy().name(), decision.policy().config()))
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
                if (events.next().event(codec) instanceof ReplicaEpoch e
                        && ids.contains(e.replica())
                        && e.atUs() > first.arrivalUs()) {
                    restarts.add(new Restart(
                            ids.indexOf(e.replica()), TimeUnit.MICROSECONDS.toNanos(e.atUs() - first.arrivalUs())));
                }
            }
        }
        return restarts;
    }

    /** The decision about the request that arrived first. */
    private static Optional<RoutingDecision> first(Recording recording) {
        EventCodec codec = new EventCodec();
        try (EventCursor events = recording.merged(List.of(Topic.DECISIONS))) {
            return events.hasNext() && events.next().event(codec) instanceof RoutingDecision d
                    ? Optional.of(d)
                    : Optional.empty();
        }
    }

    /** What the engines reported of their caches, as long as they all say the same. */
    private record Capacity(OptionalInt blockSize, OptionalInt numGpuBlocks) {
        private static final int LOOKED_AT = 1000;

        static Capacity of(Recording recording) {
            EventCodec codec = new EventCodec();
            OptionalInt size = OptionalInt.empty();
            OptionalInt blocks = OptionalInt.empty();
            boolean differ = false;
            try (EventCursor events = recording.events(Topic.COUNTERS)) {
                for (int n = 0; n < LOOKED_AT && events.hasNext(); n++) {
                    Event event = events.next().event(codec);
                    if (event instanceof CountersDelta c && c.numGpuBlocks().isPresent() && c.blockSize().isPresent()) {
                        differ |= blocks.isPresent() && !blocks.equals(c.numGpuBlocks());
                        blocks = c.numGpuBlocks();
                        size = c.blockSize();
                    }
                }
            }
            return differ ? new Capacity(size, OptionalInt.empty()) : new Capacity(size, blocks);
        }
    }
}
