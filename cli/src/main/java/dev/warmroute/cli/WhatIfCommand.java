package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.SelfReplayer;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.replay.TraceLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code whatif}: the same traffic under other policies and fleets. */
@Command(
        name = "whatif",
        description = "Replays a trace or a workload under several policies on a simulated fleet.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute whatif workload:lm-warden --sessions 16 --policy random,warden",
            "  warmroute whatif mooncake:conversation_trace.jsonl --replicas 8 --policy round_robin,warden",
            "  warmroute whatif workload:lm-warden --sessions 16 --model Qwen3-4B --gpu 'RTX A4000' --kv-dtype fp8"
        })
final class WhatIfCommand implements Callable<Integer> {
    private static final String WORKLOAD = "workload:";
    private static final double DEFAULT_SECONDS = 600;

    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private FleetOptions fleet;

    @Mixin
    private WrongRows wrongRows;

    @Parameters(
            paramLabel = "TRACE",
            description = "A trace directory, FORMAT:FILE (trace formats lists them), or workload:NAME.")
    private String trace;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            split = ",",
            defaultValue = "random,warden",
            converter = PolicyOption.class,
            description = "Policies to compare, separated by commas; parameters follow with colons, as in"
                    + " warden:overflow_threshold=4 (default: ${DEFAULT-VALUE}).")
    private List<PolicyChoice> policies;

    /** How a trace is played. */
    static final class How {
        @Option(names = "--open-loop", description = "Send every request at its recorded time, whatever the policy does.")
        private boolean openLoop;

        @Option(names = "--serial", description = "No timing: one request after another, one output token each.")
        private boolean serial;
    }

    private final List<String> notes = new ArrayList<>();
    private Optional<RecordedRun> recorded = Optional.empty();

    @ArgGroup
    private How how = new How();

    @Option(names = "--sessions", paramLabel = "N", description = "Sessions at the same time, for closed loops.")
    private Integer sessions;

    @Option(
            names = "--arrival-rate",
            paramLabel = "R",
            description = "Sessions of a trace that start a second, at random, each a closed loop (partly open); default: at their"
                    + " recorded times.")
    private Double arrivalRate;

    @Option(names = "--seconds", paramLabel = "S", description = "Simulated time of a workload (default: 600).")
    private Double seconds;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Branch a recording: all requests that had arrived by then go where they went, the policies decide from"
                    + " there on, and only that counts. Seconds from the first arrival, or a time as in 2026-11-30T10:00:00Z.")
    private String from;

    @Option(
            names = "--tolerance",
            paramLabel = "PCT",
            description = "Of a recording, how far the cached tokens of its own replay may be off before it is said first of all"
                    + " (default: ${DEFAULT-VALUE}).")
    private double tolerancePct = SelfReplayer.TOLERANCE_PCT;

    @Option(
            names = "--timing-out",
            paramLabel = "FILE",
            description = "Write the step times learnt from the recording, with their residuals, for --timing-profile.")
    private Path timingOut;

    @Option(names = "--seeds", paramLabel = "K", description = "Runs with different seeds (default: ${DEFAULT-VALUE}).")
    private int seeds = WhatIfRequest.DEFAULT_SEEDS;

    @Option(names = "--threads", description = "Runs at the same time (default: processors); the result is the same.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        json.prepare(WhatIfResult.class);
        Asked asked = asked();
        writeTiming();
        Optional<SelfReplay> selfReplay = selfReplay(asked.request);
        WhatIfResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = WhatIf.run(asked.request, share -> progress.update("replayed " + Math.round(100 * share) + " %"))
                    .judgedBy(selfReplay)
                    .noting(notes);
        }
        result = result.explained(asked.chosen.explanation(), asked.warnings(result.trace()));
        if (json.wanted()) {
            json.print(result, out);
        } else {
            WhatIfText.print(result, recorded.map(RecordedRun::doubtful).orElse(""), out);
        }
        return ExitCode.DONE;
    }

    private record Asked(WhatIfRequest request, FleetOptions.Chosen chosen, List<String> caveats) {
        /** What the trace does not know, and what the model's cache cannot do for prompts of its mean length. */
        List<String> warnings(TraceSummary trace) {
            double context = trace.requests() == 0 ? 0 : (double) trace.promptTokens() / trace.requests();
            List<String> all = new ArrayList<>(caveats);
            chosen.served().ifPresent(s -> all.addAll(s.warnings(context, 0)));
            return all;
        }
    }

    private Asked asked() {
        Subject subject;
        FleetOptions.Chosen chosen;
        List<String> caveats = List.of();
        if (trace.startsWith(WORKLOAD)) {
            if (how.openLoop || how.serial || from != null || arrivalRate != null) {
                throw new UserError("a workload is a closed loop: leave out --open-loop, --serial, --arrival-rate and --from");
            }
            WorkloadSpec workload = WorkloadSpec.named(trace.substring(WORKLOAD.length()));
            workload = sessions == null ? workload : workload.withSessions(sessions);
            subject = new Subject.OfWorkload(workload, seconds == null ? DEFAULT_SECONDS : seconds);
            chosen = fleet.over(new FleetOptions.Chosen(workload.fleetSpec(), "given", workload.name()));
        } else {
            refuseWhatATraceCannot();
            TraceSource.Trace read = wrongRows.source(trace).read();
            caveats = read.description().caveats();
            FleetOptions.Chosen known = fleet.forTrace(trace);
            boolean learn = !how.serial && !fleet.timesGiven();
            recorded = RecordedRun.of(trace, read, known.fleet().engine(), learn);
            chosen = recorded.map(r -> r.machine(fleet)).orElse(known);
            subject = ofTrace(read, chosen.fleet().replicas());
        }
        return new Asked(
                new WhatIfRequest(
                        subject, chosen.fleet(), chosen.capacitySource(), chosen.timing(), policies, seeds, threads),
                chosen,
                caveats);
    }

    /** An option that would change nothing is no answer to what was asked. */
    private void refuseWhatATraceCannot() {
        if (seconds != null) {
            throw new UserError("a trace is replayed to its end: leave out --seconds, which is the time of a workload");
        }
        if ((how.openLoop || how.serial) && (sessions != null || arrivalRate != null)) {
            throw new UserError((how.openLoop ? "--open-loop sends every request at its recorded time"
                            : "--serial sends one request after another")
                    + ": leave out " + (sessions != null ? "--sessions" : "--arrival-rate") + ", which plays sessions as closed loops");
        }
    }

    private Subject.OfTrace ofTrace(TraceSource.Trace read, int replicas) {
        if (from != null) {
            RecordedRun run = recorded.orElseThrow(() -> new UserError(
                    "--from branches a recording of a fleet; " + trace + " does not say where requests went"));
            Subject.OfTrace whole = asked(read, replicas);
            notes.add("branched at " + from + ": before that, requests go where they went; figures are of those sent after it");
            return run.branch(whole, from, replicas);
        }
        return asked(read, replicas);
    }

    private Subject.OfTrace asked(TraceSource.Trace read, int replicas) {
        if (how.serial) {
            return Subject.OfTrace.of(read, Subject.Mode.SERIAL, 0);
        }
        if (how.openLoop) {
            notes.add("every request is sent at its recorded time, as --open-loop asks: where a policy is faster or slower than the"
                    + " recorded one, turns come later or sooner after their predecessors than any client would send them");
            return Subject.OfTrace.of(read, restarts(replicas), Subject.Mode.OPEN, 0);
        }
        Subject.OfTrace byDefault = sessions == null
                ? Subject.OfTrace.of(read, restarts(replicas), Subject.OfTrace.mode(read), 0)
                : Subject.OfTrace.of(read, Subject.Mode.CLOSED, sessions);
        if (arrivalRate != null) {
            return byDefault.arriving(arrivalRate);
        }
        if (byDefault.how() == Subject.Mode.OPEN) {
            notes.add("every request is sent at its recorded time: the trace does not say which turn follows which, and after what"
                    + " gap, so that a closed loop cannot be kept");
        }
        return byDefault;
    }

    private List<TraceLoad.Restart> restarts(int replicas) {
        List<TraceLoad.Restart> restarts = recorded.map(RecordedRun::restarts).orElse(List.of());
        long replayed = restarts.stream().filter(r -> r.replica() < replicas).count();
        if (replayed > 0) {
            notes.add(replayed + (replayed == 1 ? " restart of a replica is" : " restarts of replicas are")
                    + " replayed at the recorded times: the cache is emptied then, and what waits or runs there is computed again"
                    + " from its beginning");
        }
        if (replayed < restarts.size()) {
            notes.add(restarts.size() - replayed + " recorded restarts are of replicas that this fleet does not have");
        }
        return restarts;
    }

    private void writeTiming() {
        if (timingOut != null) {
            recorded.flatMap(RecordedRun::timing)
                    .orElseThrow(() -> new UserError("no step times were learnt from " + trace + ": it is no recording with times"
                            + " and cached tokens of at least 20 requests, or --timing was given"))
                    .write(timingOut);
        }
    }

    private Optional<SelfReplay> selfReplay(WhatIfRequest request) {
        return request.subject() instanceof Subject.OfTrace t && t.how() != Subject.Mode.SERIAL && recorded.isPresent()
                ? recorded.get().selfReplay(t, request.fleet(), tolerancePct)
                : Optional.empty();
    }
}
