package dev.warmroute.simulator.compare;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.SerialReplay;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What is replayed, and how. Immutable; several threads may replay it at the same time. */
public sealed interface Subject {
    /** Replays it once. */
    Outcome replay(FleetSpec fleet, RoutingPolicy policy, Seeds seeds, Progress progress);

    /** {@code serial}, {@code open} or {@code closed}. */
    String mode();

    /** Whether the requests themselves depend on the seed. */
    boolean drawn();

    /** What the result says about it; {@code first} is the first replay of the first policy. */
    TraceSummary summary(Outcome first);

    /** How a trace is played. */
    enum Mode {
        /** One request after another, one output token each, no timing. */
        SERIAL,
        /** Every request at its recorded time. */
        OPEN,
        /** Sessions as closed loops. */
        CLOSED;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A trace.
     *
     * @param concurrent for closed loops, the largest number of sessions at the same time; 0 to start each at its recorded
     *     time
     */
    record OfTrace(TraceSummary trace, TraceLoad load, Mode how, int concurrent) implements Subject {
        public OfTrace {
            if (concurrent < 0) {
                throw new UserError("sessions must not be negative: " + concurrent);
            }
            if (how == Mode.CLOSED && load.index().sessions() == 0) {
                throw new UserError(trace.source() + " has no sessions to replay as closed loops; use --open-loop");
            }
        }

        /** A trace played as its description suggests: closed loops when turns and gaps are known, else open. */
        public static OfTrace byDefault(TraceSource.Trace trace) {
            boolean closed = trace.description().hasSessions() && trace.description().hasGaps();
            return of(trace, closed ? Mode.CLOSED : Mode.OPEN, 0);
        }

        public static OfTrace of(TraceSource.Trace trace, Mode how, int concurrent) {
            TraceLoad load = new TraceLoad(trace.turns());
            return new OfTrace(
                    TraceSummary.of(trace.description().name(), trace.description().sha256(), trace.turns(), load.index()),
                    load,
                    how,
                    concurrent);
        }

        @Override
        public Outcome replay(FleetSpec fleet, RoutingPolicy policy, Seeds seeds, Progress progress) {
            return switch (how) {
                case SERIAL -> SerialReplay.run(
                        load.turns(), load.index(), fleet.replicas(), fleet.engine(), policy, seeds);
                case OPEN -> FleetReplay.run(load.open(), fleet, policy, seeds, progress);
                case CLOSED -> FleetReplay.run(load.closed(concurrent), fleet, policy, seeds, progress);
            };
        }

        @Override
        public String mode() {
            return how.wireName();
        }

        @Override
        public boolean drawn() {
            return false;
        }

        @Override
        public TraceSummary summary(Outcome first) {
            return trace;
        }
    }

    /**
     * A described workload.
     *
     * @param seconds simulated time
     */
    record OfWorkload(WorkloadSpec spec, double seconds) implements Subject {
        public OfWorkload {
            if (!(seconds > 0)) {
                throw new UserError("seconds must be above 0, not " + seconds);
            }
        }

        @Override
        public Outcome replay(FleetSpec fleet, RoutingPolicy policy, Seeds seeds, Progress progress) {
            long until = Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
            return FleetReplay.run(new WorkloadLoad(spec, seeds), fleet, policy, seeds, until, progress);
        }

        @Override
        public String mode() {
            return Mode.CLOSED.wireName();
        }

        @Override
        public boolean drawn() {
            return true;
        }

        @Override
        public TraceSummary summary(Outcome first) {
            return TraceSummary.of("workload:" + spec.name(), first, seconds);
        }
    }
}
