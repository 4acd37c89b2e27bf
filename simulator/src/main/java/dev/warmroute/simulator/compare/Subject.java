package dev.warmroute.simulator.compare;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.replay.ConstantUsers;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.RecordedPlacements;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.SerialReplay;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** What is replayed, and how. Immutable; several threads may replay it at the same time. */
public sealed interface Subject {
    /** Replays it once. */
    Outcome replay(FleetSpec fleet, RoutingPolicy policy, Seeds seeds, Progress progress);

    /** {@code serial}, {@code open}, {@code closed} or {@code partly_open}. */
    String mode();

    /** Whether the requests themselves depend on the seed. */
    boolean drawn();

    /** When sessions begin. */
    Arrivals arrivals();

    /** Sessions at the same time, where that is what is given. */
    OptionalInt users();

    /** What the result says about it; {@code first} is the first replay of the first policy. */
    TraceSummary summary(Outcome first);

    /** When sessions begin, or in an open loop requests. */
    enum Arrivals {
        /** At their recorded times. */
        RECORDED,
        /** One when another has ended, by users whose number is constant, for a time. */
        USERS,
        /** At random, so many a second. */
        RATE,
        /** All in the trace's order, the next one when another has ended. */
        IN_TURN;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a trace is played. */
    enum Mode {
        /** One request after another, one output token each, no timing. */
        SERIAL,
        /** Every request at its recorded time. */
        OPEN,
        /** Sessions as closed loops. */
        CLOSED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A trace.
     *
     * @param concurrent for closed loops, the largest number of sessions at the same time; 0 to start each at its recorded
     *     time
     * @param sessionsPerSecond for closed loops, how many sessions start a second, at random; empty to start them as above
     * @param fromNanos moment of the recording up to which everything is as it was, and from which on figures count; empty to
     *     replay all of it
     * @param recordedUsers the recording's constant users, of whom there are to be {@code concurrent} for as long as it took; empty to
     *     play its sessions once each
     */
    record OfTrace(
            TraceSummary trace,
            TraceLoad load,
            Mode how,
            int concurrent,
            OptionalDouble sessionsPerSecond,
            OptionalLong fromNanos,
            Optional<ConstantUsers> recordedUsers)
            implements Subject {
        public OfTrace {
            if (concurrent < 0) {
                throw new UserError("sessions must not be negative: " + concurrent);
            }
            Objects.requireNonNull(fromNanos, "fromNanos");
            if (recordedUsers.isPresent() && (how != Mode.CLOSED || concurrent < 1)) {
                throw new UserError("users are closed loops, and at least one: " + concurrent);
            }
            if (sessionsPerSecond.isPresent() && (how != Mode.CLOSED || concurrent > 0)) {
                throw new UserError(
                        "sessions start either at a rate or when another has ended, and their turns follow each other:"
                                + " leave out --sessions, --open-loop and --serial, or --arrival-rate");
            }
            if (sessionsPerSecond.isPresent() && !(sessionsPerSecond.getAsDouble() > 0)) {
                throw new UserError(
                        "the arrival rate must be above 0 sessions a second, not " + sessionsPerSecond.getAsDouble());
            }
            if (fromNanos.isPresent() && (how != Mode.CLOSED || concurrent > 0 || sessionsPerSecond.isPresent())) {
                throw new UserError(
                        "a recording can be branched only as it was recorded, in closed loops: leave out --open-loop,"
                                + " --serial, --sessions and --arrival-rate, or --from");
            }
            if (how == Mode.CLOSED && load.index().sessions() == 0) {
                throw new UserError(trace.source() + " has no sessions to replay as closed loops; use --open-loop");
            }
        }

        /** A trace played as its description suggests: closed loops when turns and gaps are known, else open. */
        public static OfTrace byDefault(TraceSource.Trace trace) {
            return of(trace, mode(trace), 0);
        }

        /** Closed loops when turns and gaps are known, else open. */
        public static Mode mode(TraceSource.Trace trace) {
            return trace.description().hasSessions() && trace.description().hasGaps() ? Mode.CLOSED : Mode.OPEN;
        }

        /** The same with sessions that start at random, so many a second: a partly open load. */
        public OfTrace arriving(double perSecond) {
            return new OfTrace(trace, load, how, concurrent, OptionalDouble.of(perSecond), fromNanos, Optional.empty());
        }

        public OfTrace(TraceSummary trace, TraceLoad load, Mode how, int concurrent) {
            this(trace, load, how, concurrent, OptionalDouble.empty(), OptionalLong.empty(), Optional.empty());
        }

        /** The same recording's users, so many at a time, for as long as it took. */
        public OfTrace by(ConstantUsers recorded, int number) {
            return new OfTrace(
                    trace,
                    load,
                    Mode.CLOSED,
                    number,
                    OptionalDouble.empty(),
                    OptionalLong.empty(),
                    Optional.of(recorded));
        }

        /** The trace's own requests by {@link Turn#index}, as far as they are what is replayed: users' sessions are made of them. */
        public List<Turn> itsOwn() {
            return recordedUsers.isPresent() ? List.of() : load.turns();
        }

        /**
         * The same, branched: every request that had arrived by a moment goes where it went, and the policies decide from
         * there on.
         *
         * @param nanos from the start of the trace
         * @throws UserError if there is nothing before or after it, or the trace does not say where requests went
         */
        public OfTrace from(long nanos) {
            long before =
                    load.turns().stream().filter(t -> t.arrivalNanos() < nanos).count();
            long known = load.turns().stream()
                    .filter(t -> t.arrivalNanos() < nanos && t.recorded().replica() >= 0)
                    .count();
            if (before == 0 || before == load.turns().size()) {
                throw new UserError(String.format(
                        Locale.ROOT,
                        "--from lies %s the requests of %s, which arrive within %.1f s: name a moment between them",
                        before == 0 ? "before" : "after",
                        trace.source(),
                        trace.spanS()));
            }
            if (known < before) {
                throw new UserError(trace.source() + " does not say where " + (before - known) + " of the " + before
                        + " requests before --from went: only a recording of a fleet can be branched");
            }
            return new OfTrace(
                    trace, load, how, concurrent, sessionsPerSecond, OptionalLong.of(nanos), Optional.empty());
        }

        public static OfTrace of(TraceSource.Trace trace, Mode how, int concurrent) {
            return of(trace, List.of(), how, concurrent);
        }

        /** @param restarts of the replicas that served the trace */
        public static OfTrace of(TraceSource.Trace trace, List<TraceLoad.Restart> restarts, Mode how, int concurrent) {
            TraceLoad load = new TraceLoad(trace.turns(), restarts);
            return new OfTrace(
                    TraceSummary.of(
                            trace.description().name(), trace.description().sha256(), trace.turns(), load.index()),
                    load,
                    how,
                    concurrent);
        }

        @Override
        public Outcome replay(FleetSpec fleet, RoutingPolicy policy, Seeds seeds, Progress progress) {
            if (fromNanos.isPresent()) {
                long from = fromNanos.getAsLong();
                RoutingPolicy branched = RecordedPlacements.of(load.turns(), from, policy, seeds);
                return FleetReplay.run(load.branch(from), fleet, branched, seeds, progress)
                        .countedFrom(from);
            }
            if (recordedUsers.isPresent()) {
                return FleetReplay.run(recordedUsers.get().load(concurrent, seeds), fleet, policy, seeds, progress);
            }
            if (sessionsPerSecond.isPresent()) {
                return FleetReplay.run(
                        load.arriving(sessionsPerSecond.getAsDouble(), seeds), fleet, policy, seeds, progress);
            }
            return switch (how) {
                case SERIAL ->
                    SerialReplay.run(load.turns(), load.index(), fleet.replicas(), fleet.engine(), policy, seeds);
                case OPEN -> FleetReplay.run(load.open(), fleet, policy, seeds, progress);
                case CLOSED -> FleetReplay.run(load.closed(concurrent), fleet, policy, seeds, progress);
            };
        }

        @Override
        public String mode() {
            return sessionsPerSecond.isPresent() ? "partly_open" : how.wireName();
        }

        @Override
        public boolean drawn() {
            return sessionsPerSecond.isPresent() || recordedUsers.isPresent();
        }

        @Override
        public Arrivals arrivals() {
            return switch (how) {
                case SERIAL -> Arrivals.IN_TURN;
                case OPEN -> Arrivals.RECORDED;
                case CLOSED -> {
                    if (recordedUsers.isPresent()) {
                        yield Arrivals.USERS;
                    }
                    if (sessionsPerSecond.isPresent()) {
                        yield Arrivals.RATE;
                    }
                    yield concurrent > 0 ? Arrivals.IN_TURN : Arrivals.RECORDED;
                }
            };
        }

        @Override
        public OptionalInt users() {
            return concurrent > 0 ? OptionalInt.of(concurrent) : OptionalInt.empty();
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
        public Arrivals arrivals() {
            return Arrivals.USERS;
        }

        @Override
        public OptionalInt users() {
            return OptionalInt.of(spec.sessions());
        }

        @Override
        public TraceSummary summary(Outcome first) {
            return TraceSummary.of("workload:" + spec.name(), first, seconds);
        }
    }
}
