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
import dev.warmroute.simulator.replay.ConstantUsers;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.ReportedMachine;
import dev.warmroute.simulator.replay.SessionIndex;
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
    private final Optional<ReportedMachine> reported;
    private final Optional<TimingProfile> timing;

    private RecordedRun(
            TraceSource.Trace trace,
            RecordedFleet recorded,
            Optional<ReportedMachine> reported,
            Optional<TimingProfile> timing) {
        this.trace = trace;
        this.recorded = recorded;
        this.reported = reported;
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
                        FleetOptions.reportedBy(argument),
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

    /** Its users, where their number was constant and nothing happened at a time of its own. */
    Optional<ConstantUsers> users() {
        return recorded.restarts().isEmpty() && Subject.OfTrace.mode(trace) == Subject.Mode.CLOSED
                ? ConstantUsers.of(trace.turns(), SessionIndex.of(trace.turns()))
                : Optional.empty();
    }

    /** The policy that decided, where there was one alone. */
    Optional<PolicyChoice> policy() {
        return recorded.policy().map(p -> new PolicyChoice(p.name(), p.parameters()));
    }

    /** Every policy that decided, by name. */
    List<String> policies() {
        return recorded.policies();
    }

    Optional<TimingProfile> timing() {
        return timing;
    }

    /** The recorded machine, with whatever was given on the command line instead, and the step times that were learnt. */
    FleetOptions.Chosen machine(FleetOptions options) {
        FleetOptions.Chosen machine = reported.map(options::reported).orElseGet(() -> options.over(withItsReplicas()));
        return timing.filter(t -> machine.served().isEmpty())
                .map(t -> machine.timed(t.preset()))
                .orElse(machine);
    }

    /** What a recording says whose engines did not report their caches. */
    private FleetOptions.Chosen withItsReplicas() {
        TimingPreset preset = TimingPresets.DEFAULT.preset();
        EngineConfig engine = EngineConfig.defaults().withUnlimitedBlocks();
        return new FleetOptions.Chosen(FleetSpec.of(recorded.replicas(), engine, preset), "unlimited", preset.name());
    }

    /**
     * Replays the recording as it was, on the recorded number of replicas with the engines as they are known: what was
     * reported of their caches, and no host memory, which is asked about and not recorded.
     */
    Optional<SelfReplay> selfReplay(Subject.OfTrace subject, FleetSpec asked, double tolerancePct) {
        FleetSpec fleet = asked.withReplicas(recorded.replicas());
        EngineConfig engine = fleet.engine().withoutHostMemory();
        if (reported.isPresent()) {
            engine = engine.withBlockSize(reported.get().blockSize())
                    .withNumGpuBlocks(reported.get().numGpuBlocks());
        }
        return new SelfReplayer(subject, fleet.withEngine(engine), tolerancePct).run(policy());
    }

    /** What to check when the replay of the recording as it was is far off: the options that can move it. */
    String doubtful() {
        return (reported.isPresent() ? "" : "--usable-blocks, --block-size, ")
                + "--max-num-seqs, --max-num-batched-tokens and the step times (--timing, --timing-profile)";
    }

    /**
     * The recording, branched.
     *
     * @param from as given
     * @param replicas of the fleet that goes on
     * @throws UserError if requests went to replicas by then that this fleet does not have
     */
    Subject.OfTrace branch(Subject.OfTrace whole, String from, int replicas) {
        long at = moment(from);
        Subject.OfTrace branched = whole.from(at);
        int needed = 1
                + whole.load().turns().stream()
                        .filter(t -> t.arrivalNanos() < at)
                        .mapToInt(t -> t.recorded().replica())
                        .max()
                        .orElseThrow();
        if (replicas < needed) {
            throw new UserError("before --from, requests go where they went, and that was to " + needed
                    + " replicas: give" + " --replicas " + needed + " or more, or leave out --from");
        }
        return branched;
    }

    /** A moment of the recording, {@code 90}, {@code 90s} or an RFC 3339 time, in nanoseconds from its first arrival. */
    private long moment(String text) {
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
                    "--from must be seconds from the first arrival, as in 90, or a time as in 2026-11-30T10:00:00Z, not '"
                            + text + "'",
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
