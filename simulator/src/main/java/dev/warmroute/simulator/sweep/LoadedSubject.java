package dev.warmroute.simulator.sweep;

import dev.warmroute.recorder.format.RecordedFleet;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.RecordedTiming;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.ReportedMachine;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.timing.TimingPresets;
import dev.warmroute.simulator.timing.TimingProfile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What is replayed, in memory, and the machine that it is replayed on when nothing is said. Safe for several threads. */
sealed interface LoadedSubject {
    /** The machine it comes with. */
    FleetSpec machine();

    /** Whether that machine says what its engines may batch. */
    boolean ownBudgets();

    /** It, with so many sessions at a time. */
    Subject with(OptionalInt sessions);

    /** Makes a workload ready. */
    static LoadedSubject of(SweepSubject.OfWorkload workload) {
        return new Workload(workload);
    }

    /**
     * Reads a trace.
     *
     * @param argument that names it here
     * @throws UserError if it is not there, or has another content than the sweep's
     */
    static LoadedSubject of(SweepSubject.OfTrace wanted, String argument) {
        TraceSource.Trace read = TraceSource.read(argument);
        String found = read.description().sha256();
        if (!found.equals(wanted.sha256())) {
            throw new UserError("the trace " + argument + " is another one here: its content has the hash "
                    + brief(found) + ", the sweep's has " + brief(wanted.sha256()));
        }
        return new Trace(read, argument, wanted.mode().orElseGet(() -> Subject.OfTrace.mode(read)));
    }

    /** Enough of a hash for a person to compare. */
    static String brief(String sha256) {
        return sha256.substring(0, Math.min(12, sha256.length()));
    }

    /** A workload. */
    final class Workload implements LoadedSubject {
        private final SweepSubject.OfWorkload workload;

        private Workload(SweepSubject.OfWorkload workload) {
            this.workload = workload;
        }

        @Override
        public FleetSpec machine() {
            return workload.workload().fleetSpec();
        }

        @Override
        public boolean ownBudgets() {
            return true;
        }

        @Override
        public Subject with(OptionalInt sessions) {
            return new Subject.OfWorkload(
                    sessions.isPresent() ? workload.workload().withSessions(sessions.getAsInt()) : workload.workload(),
                    workload.seconds());
        }
    }

    /** A trace; a recording brings its replicas, what their engines reported, and the step times it teaches. */
    final class Trace implements LoadedSubject {
        private static final int DEFAULT_REPLICAS = 4;

        private final TraceSummary summary;
        private final TraceLoad asRecorded;
        private final TraceLoad withoutRestarts;
        private final Subject.Mode mode;
        private final FleetSpec machine;

        private Trace(TraceSource.Trace read, String argument, Subject.Mode mode) {
            Optional<RecordedFleet> fleet = RecordedFleet.of(argument);
            this.mode = mode;
            this.withoutRestarts = new TraceLoad(read.turns());
            List<TraceLoad.Restart> restarts = fleet.map(RecordedFleet::restarts).orElse(List.of()).stream()
                    .map(r -> new TraceLoad.Restart(r.replica(), r.atNanos()))
                    .toList();
            this.asRecorded = restarts.isEmpty() ? withoutRestarts : new TraceLoad(read.turns(), restarts);
            this.summary = TraceSummary.of(
                    read.description().name(), read.description().sha256(), read.turns(), withoutRestarts.index());
            this.machine = machine(read, argument, fleet);
        }

        private static FleetSpec machine(TraceSource.Trace read, String argument, Optional<RecordedFleet> recorded) {
            EngineConfig engine = EngineConfig.defaults().withUnlimitedBlocks();
            int replicas = recorded.map(RecordedFleet::replicas).orElse(DEFAULT_REPLICAS);
            Optional<ReportedMachine> reported = ReportedMachine.ofTrace(argument);
            if (reported.isPresent()) {
                replicas = reported.get().replicas();
                engine = engine.withBlockSize(reported.get().blockSize())
                        .withNumGpuBlocks(reported.get().numGpuBlocks());
            }
            FleetSpec machine = FleetSpec.of(replicas, engine, TimingPresets.DEFAULT.preset());
            return recorded.flatMap(r -> RecordedTiming.of(
                            "recorded", read.turns(), machine.engine().maxNumBatchedTokens()))
                    .map(TimingProfile::preset)
                    .map(machine::withTiming)
                    .orElse(machine);
        }

        @Override
        public FleetSpec machine() {
            return machine;
        }

        @Override
        public boolean ownBudgets() {
            return false;
        }

        @Override
        public Subject with(OptionalInt sessions) {
            return sessions.isPresent()
                    ? new Subject.OfTrace(summary, withoutRestarts, Subject.Mode.CLOSED, sessions.getAsInt())
                    : new Subject.OfTrace(summary, mode == Subject.Mode.SERIAL ? withoutRestarts : asRecorded, mode, 0);
        }
    }
}
