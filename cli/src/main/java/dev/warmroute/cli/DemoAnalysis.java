package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.RecordedEvent;
import dev.warmroute.recorder.trace.RecordedEvent.Writer;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.UserError;
import dev.warmroute.router.event.ControlEvent.RouterStarted;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.Measured;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the demo makes of its recording: each arm as measured; for each number of sessions, the recording made under the first
 * policy replayed under every policy; and whether the largest number of sessions fits. All times are model times.
 *
 * @param measured each arm's figures
 * @param whatIf by number of sessions
 * @param capacity of the arm with the most sessions
 * @param inside that arm's first replays, seen from inside
 */
record DemoAnalysis(
        Map<DemoArm, PolicyRow> measured,
        Map<Integer, WhatIfResult> whatIf,
        CapacityResult capacity,
        WhatIfReport inside) {
    private static final int SEEDS = 5;

    static DemoAnalysis of(Recording recording, List<DemoArm> arms, double speed) {
        Map<DemoArm, List<Event>> events = byArm(recording, arms);
        Map<DemoArm, PolicyRow> measured = new LinkedHashMap<>();
        events.forEach((arm, ofArm) -> {
            Measured figures = new Measured(speed);
            ofArm.forEach(figures::add);
            measured.put(arm, figures.rows().get(0));
        });
        TimingPreset timing = TimingPresets.named(DemoFleet.TIMING);
        FleetSpec fleet = FleetSpec.of(DemoFleet.REPLICAS, reported(events), timing);
        List<PolicyChoice> policies = arms.stream()
                .map(DemoArm::policy)
                .distinct()
                .map(PolicyChoice::of)
                .toList();
        Map<Integer, WhatIfResult> whatIf = new LinkedHashMap<>();
        Optional<TraceSource.Trace> largest = Optional.empty();
        Optional<WhatIfReport> ofLargest = Optional.empty();
        int most = 0;
        DemoTurns turns = new DemoTurns(recording, firstArrivalUs(recording), speed);
        for (int i = 0; i < arms.size(); i++) {
            DemoArm arm = arms.get(i);
            if (whatIf.containsKey(arm.sessions())) {
                continue;
            }
            long next = i + 1 < arms.size() ? startedUs(events.get(arms.get(i + 1))) : Long.MAX_VALUE;
            TraceSource.Trace trace = turns.between(arm.title(), startedUs(events.get(arm)), next);
            Subject subject = Subject.OfTrace.of(trace, Subject.Mode.CLOSED, arm.sessions());
            WhatIfReport inside = new WhatIfReport(subject, fleet);
            whatIf.put(
                    arm.sessions(),
                    WhatIf.run(
                            new WhatIfRequest(
                                    subject,
                                    fleet,
                                    "reported",
                                    timing.name(),
                                    policies,
                                    SEEDS,
                                    Runtime.getRuntime().availableProcessors()),
                            Progress.NONE,
                            inside));
            if (arm.sessions() > most) {
                most = arm.sessions();
                ofLargest = Optional.of(inside);
                largest = Optional.of(trace);
            }
        }
        return new DemoAnalysis(
                measured, whatIf, capacity(largest.orElseThrow(), most, fleet, timing), ofLargest.orElseThrow());
    }

    /** Each arm had a router of its own; the first router of all only warmed up the JVM. */
    private static Map<DemoArm, List<Event>> byArm(Recording recording, List<DemoArm> arms) {
        EventCodec codec = new EventCodec();
        Map<Writer, List<Event>> byRouter = new LinkedHashMap<>();
        try (EventCursor cursor = recording.merged()) {
            while (cursor.hasNext()) {
                RecordedEvent event = cursor.next();
                event.writer()
                        .ifPresent(w -> byRouter.computeIfAbsent(w, k -> new ArrayList<>())
                                .add(event.event(codec)));
            }
        }
        List<Writer> routers = byRouter.keySet().stream().sorted().toList();
        if (routers.size() != arms.size() + 1) {
            throw new UserError(
                    "the demo's recording has " + routers.size() + " routers instead of " + (arms.size() + 1));
        }
        Map<DemoArm, List<Event>> events = new LinkedHashMap<>();
        for (int i = 0; i < arms.size(); i++) {
            events.put(arms.get(i), byRouter.get(routers.get(i + 1)));
        }
        return events;
    }

    /** The replicas' engine as they reported it; what they do not report is what the demo started them with. */
    private static EngineConfig reported(Map<DemoArm, List<Event>> events) {
        EngineConfig engine = EngineConfig.defaults()
                .withMaxNumSeqs(DemoFleet.MAX_NUM_SEQS)
                .withMaxNumBatchedTokens(DemoFleet.MAX_NUM_BATCHED_TOKENS);
        CountersDelta counters = events.values().stream()
                .flatMap(List::stream)
                .filter(CountersDelta.class::isInstance)
                .map(CountersDelta.class::cast)
                .filter(c -> c.numGpuBlocks().isPresent() && c.blockSize().isPresent())
                .findFirst()
                .orElseThrow(() -> new UserError("no replica reported its cache in the demo's recording"));
        return engine.withBlockSize(counters.blockSize().getAsInt())
                .withNumGpuBlocks(counters.numGpuBlocks().getAsInt());
    }

    private static long startedUs(List<Event> events) {
        return events.stream()
                .filter(RouterStarted.class::isInstance)
                .mapToLong(e -> ((RouterStarted) e).atUs())
                .findFirst()
                .orElseThrow(() -> new UserError("a router of the demo did not say when it started"));
    }

    private static long firstArrivalUs(Recording recording) {
        EventCodec codec = new EventCodec();
        long first = Long.MAX_VALUE;
        try (EventCursor decisions = recording.events(Topic.DECISIONS)) {
            while (decisions.hasNext()) {
                first = Math.min(first, ((RoutingDecision) decisions.next().event(codec)).arrivalUs());
            }
        }
        return first;
    }

    private static CapacityResult capacity(
            TraceSource.Trace trace, int sessions, FleetSpec fleet, TimingPreset timing) {
        CapacityRequest.Check check = new CapacityRequest.Check(
                PolicyChoice.of("warden"),
                timing,
                DemoFleet.MAX_NUM_SEQS,
                DemoFleet.MAX_NUM_BATCHED_TOKENS,
                600,
                3,
                Runtime.getRuntime().availableProcessors());
        CapacityRequest request = new CapacityRequest(
                fleet.engine().blockSize(),
                List.of(),
                Optional.of(new CacheSize(
                        fleet.replicas(),
                        fleet.engine().usableBlocks(),
                        fleet.engine().blockSize(),
                        "reported")),
                OptionalInt.of(sessions),
                Optional.of(check));
        return CapacityAnalysis.ofTrace(new TraceInMemory(trace), request, Progress.NONE);
    }
}
