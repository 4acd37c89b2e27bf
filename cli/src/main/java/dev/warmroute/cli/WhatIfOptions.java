package dev.warmroute.cli;

import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.SelfReplayer;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.ConstantUsers;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is replayed, how and on what: for every command that replays a trace or a workload under policies. */
final class WhatIfOptions {
    private static final String WORKLOAD = "workload:";
    private static final double DEFAULT_SECONDS = 600;

    @Mixin
    private FleetOptions fleet;

    @Mixin
    private WrongRows wrongRows;

    /** How a trace is played. */
    static final class How {
        @Option(
                names = "--open-loop",
                description = "Send every request at its recorded time, whatever the policy does.")
        private boolean openLoop;

        @Option(names = "--serial", description = "No timing: one request after another, one output token each.")
        private boolean serial;
    }

    @ArgGroup
    private How how = new How();

    @Option(names = "--sessions", paramLabel = "N", description = "Sessions at the same time, for closed loops.")
    private Integer sessions;

    @Option(
            names = "--recorded-starts",
            description =
                    "Start each session at its recorded time also where the recording was made by a constant number of users,"
                            + " each of whom began another session when one had ended.")
    private boolean recordedStarts;

    @Option(
            names = "--arrival-rate",
            paramLabel = "R",
            description =
                    "Sessions of a trace that start a second, at random, each a closed loop (partly open); default: at their"
                            + " recorded times.")
    private Double arrivalRate;

    @Option(names = "--seconds", paramLabel = "S", description = "Simulated time of a workload (default: 600).")
    private Double seconds;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description =
                    "Branch a recording: all requests that had arrived by then go where they went, the policies decide from"
                            + " there on, and only that counts. Seconds from the first arrival, or a time as in 2026-11-30T10:00:00Z.")
    private String from;

    @Option(
            names = "--tolerance",
            paramLabel = "PCT",
            description =
                    "Of a recording, how far the cached tokens of its own replay may be off before it is said first of all"
                            + " (default: " + SelfReplayer.TOLERANCE_PCT + ").")
    private Double tolerancePct;

    @Option(names = "--seeds", paramLabel = "K", description = "Runs with different seeds (default: ${DEFAULT-VALUE}).")
    private int seeds = WhatIfRequest.DEFAULT_SEEDS;

    @Option(names = "--threads", description = "Runs at the same time (default: processors); the result is the same.")
    private int threads = Runtime.getRuntime().availableProcessors();

    /**
     * Reads the trace and puts the question together.
     *
     * @param trace as given: a trace, or {@code workload:NAME}
     */
    WhatIfQuestion ask(String trace, List<PolicyChoice> policies) {
        List<String> notes = new ArrayList<>();
        Optional<TraceSource.Trace> read = Optional.empty();
        Optional<RecordedRun> recorded = Optional.empty();
        Subject subject;
        FleetOptions.Chosen chosen;
        List<String> caveats = List.of();
        if (isWorkload(trace)) {
            if (how.openLoop || how.serial || from != null || arrivalRate != null || recordedStarts) {
                throw new UserError("a workload is a closed loop: leave out --open-loop, --serial, --arrival-rate,"
                        + " --recorded-starts and --from");
            }
            WorkloadSpec workload = WorkloadSpec.named(trace.substring(WORKLOAD.length()));
            workload = sessions == null ? workload : workload.withSessions(sessions);
            subject = new Subject.OfWorkload(workload, seconds == null ? DEFAULT_SECONDS : seconds);
            chosen = fleet.over(new FleetOptions.Chosen(workload.fleetSpec(), "given", workload.name()));
        } else {
            refuseWhatATraceCannot();
            TraceSource.Trace source = wrongRows.source(trace).read();
            read = Optional.of(source);
            caveats = source.description().caveats();
            FleetOptions.Chosen known = fleet.forTrace(trace);
            boolean learn = !how.serial && !fleet.timesGiven();
            recorded = RecordedRun.of(trace, source, known.fleet().engine(), learn);
            chosen = recorded.map(r -> r.machine(fleet)).orElse(known);
            subject = ofTrace(source, recorded, chosen.fleet().replicas(), notes);
        }
        if (tolerancePct != null && (recorded.isEmpty() || how.serial)) {
            throw new UserError("--tolerance judges how a recording's own replay agrees with it, and "
                    + (how.serial ? "--serial has no such replay" : trace + " is no recording")
                    + ": leave out --tolerance");
        }
        return new WhatIfQuestion(
                new WhatIfRequest(
                        subject, chosen.fleet(), chosen.capacitySource(), chosen.timing(), policies, seeds, threads),
                chosen,
                read,
                recorded,
                tolerancePct == null ? SelfReplayer.TOLERANCE_PCT : tolerancePct,
                caveats,
                notes,
                List.of());
    }

    /** Whether what was given as a trace is a workload. */
    static boolean isWorkload(String trace) {
        return trace.startsWith(WORKLOAD);
    }

    /** The trace, read as the options say. */
    TraceSource source(String trace) {
        return wrongRows.source(trace);
    }

    FleetOptions fleet() {
        return fleet;
    }

    /** Sessions at the same time, where they were given. */
    OptionalInt sessions() {
        return sessions == null ? OptionalInt.empty() : OptionalInt.of(sessions);
    }

    /** An option that would change nothing is no answer to what was asked. */
    private void refuseWhatATraceCannot() {
        if (seconds != null) {
            throw new UserError("a trace is replayed to its end: leave out --seconds, which is the time of a workload");
        }
        if (recordedStarts && (how.openLoop || how.serial || from != null || sessions != null || arrivalRate != null)) {
            throw new UserError("--recorded-starts starts each session at its recorded time: leave out "
                    + (how.openLoop
                            ? "--open-loop, which does the same"
                            : how.serial
                                    ? "--serial"
                                    : from != null
                                            ? "--from, which does the same"
                                            : sessions != null ? "--sessions" : "--arrival-rate"));
        }
        if ((how.openLoop || how.serial) && (sessions != null || arrivalRate != null)) {
            throw new UserError((how.openLoop
                            ? "--open-loop sends every request at its recorded time"
                            : "--serial sends one request after another")
                    + ": leave out " + (sessions != null ? "--sessions" : "--arrival-rate")
                    + ", which plays sessions as closed loops");
        }
    }

    private Subject.OfTrace ofTrace(
            TraceSource.Trace read, Optional<RecordedRun> recorded, int replicas, List<String> notes) {
        if (from != null) {
            RecordedRun run = recorded.orElseThrow(() -> new UserError("--from branches a recording of a fleet; "
                    + read.description().name() + " does not say where requests went"));
            Subject.OfTrace whole = whole(read, recorded, replicas, notes);
            notes.add("branched at " + from
                    + ": before that, requests go where they went; figures are of those sent after it");
            return run.branch(whole, from, replicas);
        }
        return whole(read, recorded, replicas, notes);
    }

    private Subject.OfTrace whole(
            TraceSource.Trace read, Optional<RecordedRun> recorded, int replicas, List<String> notes) {
        Prefixes prefixes = read.description().prefixes();
        if (prefixes == Prefixes.ASSUMED || prefixes == Prefixes.NONE) {
            notes.add(
                    "what prompts have in common is " + prefixes.meaning()
                            + (recorded.isEmpty()
                                    ? ""
                                    : "; record with prompt.fingerprint on to know, also what conversations have in common with each other"));
        }
        if (how.serial) {
            return Subject.OfTrace.of(read, Subject.Mode.SERIAL, 0);
        }
        if (how.openLoop) {
            notes.add(
                    "every request is sent at its recorded time, as --open-loop asks: where a policy is faster or slower than the"
                            + " recorded one, turns come later or sooner after their predecessors than any client would send them");
            return Subject.OfTrace.of(read, restarts(recorded, replicas, notes), Subject.Mode.OPEN, 0);
        }
        Optional<ConstantUsers> users = from == null && !recordedStarts && arrivalRate == null
                ? recorded.flatMap(RecordedRun::users)
                : Optional.empty();
        if (users.isPresent()) {
            int number = sessions == null ? users.get().users() : sessions;
            notes.add(note(users.get(), number));
            return Subject.OfTrace.of(read, Subject.Mode.CLOSED, number).by(users.get(), number);
        }
        Subject.OfTrace byDefault = sessions == null
                ? Subject.OfTrace.of(read, restarts(recorded, replicas, notes), Subject.OfTrace.mode(read), 0)
                : Subject.OfTrace.of(read, Subject.Mode.CLOSED, sessions);
        if (arrivalRate != null) {
            return byDefault.arriving(arrivalRate);
        }
        if (byDefault.how() == Subject.Mode.OPEN) {
            notes.add(
                    "every request is sent at its recorded time: the trace does not say which turn follows which, and after what"
                            + " gap, so that a closed loop cannot be kept");
        }
        return byDefault;
    }

    private static String note(ConstantUsers recorded, int number) {
        return String.format(
                Locale.ROOT,
                "the recording was made by %d users: %d of its sessions began in the place of one that had ended, %.2f s after it in the"
                        + " mean. %s replayed for as long, whose sessions are drawn from the whole ones that were"
                        + " recorded; --recorded-starts has each session once, at its recorded time",
                recorded.users(),
                recorded.laterSessions(),
                recorded.meanPauseNanos() / 1e9,
                number == recorded.users() ? "So " + number + " users are" : "As asked for, " + number + " users are");
    }

    private static List<TraceLoad.Restart> restarts(Optional<RecordedRun> recorded, int replicas, List<String> notes) {
        List<TraceLoad.Restart> restarts = recorded.map(RecordedRun::restarts).orElse(List.of());
        long replayed = restarts.stream().filter(r -> r.replica() < replicas).count();
        if (replayed > 0) {
            notes.add(replayed
                    + (replayed == 1
                            ? " restart or cleared cache of a replica is"
                            : " restarts or cleared caches of replicas are")
                    + " replayed at the recorded times: the cache is emptied then, and what waits or runs there is computed again"
                    + " from its beginning");
        }
        if (replayed < restarts.size()) {
            notes.add(restarts.size() - replayed + " recorded restarts are of replicas that this fleet does not have");
        }
        return restarts;
    }
}
