package dev.warmroute.cli;

import dev.warmroute.recorder.format.RecordedFleet;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.RecordedTiming;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.SelfReplayer;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.timing.TimingPreset;
import dev.warmroute.simulator.timing.TimingPresets;
import dev.warmroute.simulator.timing.TimingProfile;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A recording of a fleet as a starting point: its machine as far as the engines reported it, its step times as far as they can
 * be learnt from it, and the policy that decided.
 */
final class RecordedRun {
    private final TraceSource.Trace trace;
    private final RecordedFleet recorded;
    private final Optional<TimingProfile> timing;

    private RecordedRun(TraceSource.Trace trace, RecordedFleet recorded, Optional<TimingProfile> timing) {
        this.trace = trace;
        this.recorded = recorded;
        this.timing = timing;
    }

    /**
     * Looks at what a trace says of its fleet.
     *
     * @param learn whether step times are to be learnt
     * @return empty for a trace that is no recording of a fleet
     */
    static Optional<RecordedRun> of(String argument, TraceSource.Trace trace, EngineConfig engine, boolean learn) {
        return RecordedFleet.of(argument)
                .map(fleet -> new RecordedRun(
                        trace,
                        fleet,
                        learn
                                ? RecordedTiming.of("recorded", trace.turns(), engine.maxNumBatchedTokens())
                                : Optional.empty()));
    }

    /** When its replicas were started again. */
    List<TraceLoad.Restart> restarts() {
        return recorded.restarts().stream()
                .map(r -> new TraceLoad.Restart(r.replica(), r.atNanos()))
                .toList();
    }

    Optional<TimingProfile> timing() {
        return timing;
    }

    /**
     * The recorded machine, with whatever was given on the command line instead, and the step times that were learnt.
     *
     * @param known what the engines reported, or the defaults
     */
    FleetOptions.Chosen machine(FleetOptions options, FleetOptions.Chosen known) {
        FleetOptions.Chosen machine = known.cache().isPresent() && recorded.numGpuBlocks().isPresent()
                ? known
                : options.over(withItsReplicas());
        return timing.filter(t -> machine.served().isEmpty())
                .map(t -> machine.timed(t.preset()))
                .orElse(machine);
    }

    /** What a recording says whose engines did not report their caches. */
    private FleetOptions.Chosen withItsReplicas() {
        TimingPreset preset = TimingPresets.DEFAULT.preset();
        EngineConfig engine = EngineConfig.defaults().withUnlimitedBlocks();
        return new FleetOptions.Chosen(
                FleetSpec.of(recorded.replicas(), engine, preset), "unlimited", preset.name());
    }

    /** Replays the recording as it was, on the recorded number of replicas with the engines as they are known. */
    Optional<SelfReplay> selfReplay(Subject.OfTrace subject, FleetSpec asked, double tolerancePct) {
        FleetSpec fleet = asked.withReplicas(recorded.replicas());
        EngineConfig engine = fleet.engine();
        if (recorded.blockSize().isPresent() && recorded.numGpuBlocks().isPresent()) {
            engine = engine.withBlockSize(recorded.blockSize().getAsInt())
                    .withNumGpuBlocks(recorded.numGpuBlocks().getAsInt());
        }
        return new SelfReplayer(subject, fleet.withEngine(engine), tolerancePct)
                .run(recorded.policy().map(p -> new PolicyChoice(p.name(), p.parameters())));
    }

    /** A moment of the recording, {@code 90}, {@code 90s} or an RFC 3339 time, in nanoseconds from its first arrival. */
    long moment(String text) {
        String seconds = text.endsWith("s") ? text.substring(0, text.length() - 1) : text;
        try {
            return Math.round(Double.parseDouble(seconds) * 1e9);
        } catch (NumberFormatException notSeconds) {
            return instant(text);
        }
    }

    private long instant(String text) {
        Instant at;
        try {
            at = Instant.parse(text);
        } catch (DateTimeException e) {
            throw new UserError(
                    "--from must be seconds from the first arrival, as in 90, or a time as in 2026-11-30T10:00:00Z, not '" + text
                            + "'",
                    e);
        }
        if (recorded.startUs() == 0) {
            throw new UserError(
                    trace.description().name() + " has no clock: give --from in seconds from the first arrival");
        }
        long micros = TimeUnit.SECONDS.toMicros(at.getEpochSecond()) + at.getNano() / 1000;
        return TimeUnit.MICROSECONDS.toNanos(micros - recorded.startUs());
    }
}
