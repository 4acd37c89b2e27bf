package dev.warmroute.cli;

import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
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

    @ArgGroup
    private How how = new How();

    @Option(names = "--sessions", paramLabel = "N", description = "Sessions at the same time, for closed loops.")
    private Integer sessions;

    @Option(names = "--seconds", paramLabel = "S", description = "Simulated time of a workload (default: ${DEFAULT-VALUE}).")
    private double seconds = 600;

    @Option(names = "--seeds", paramLabel = "K", description = "Runs with different seeds (default: ${DEFAULT-VALUE}).")
    private int seeds = WhatIfRequest.DEFAULT_SEEDS;

    @Option(names = "--threads", description = "Runs at the same time (default: processors); the result is the same.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        json.prepare(WhatIfResult.class);
        Asked asked = asked();
        WhatIfResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = WhatIf.run(asked.request, share -> progress.update("replayed " + Math.round(100 * share) + " %"));
        }
        result = result.explained(asked.chosen.explanation(), asked.warnings(result.trace()));
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
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
            if (how.openLoop || how.serial) {
                throw new UserError("a workload is a closed loop: leave out --open-loop and --serial");
            }
            WorkloadSpec workload = WorkloadSpec.named(trace.substring(WORKLOAD.length()));
            workload = sessions == null ? workload : workload.withSessions(sessions);
            subject = new Subject.OfWorkload(workload, seconds);
            chosen = fleet.over(new FleetOptions.Chosen(workload.fleetSpec(), "given", workload.name()));
        } else {
            TraceSource.Trace read = wrongRows.source(trace).read();
            caveats = read.description().caveats();
            subject = ofTrace(read);
            chosen = fleet.forTrace(trace);
        }
        return new Asked(
                new WhatIfRequest(
                        subject, chosen.fleet(), chosen.capacitySource(), chosen.timing(), policies, seeds, threads),
                chosen,
                caveats);
    }

    private Subject ofTrace(TraceSource.Trace read) {
        if (how.serial) {
            return Subject.OfTrace.of(read, Subject.Mode.SERIAL, 0);
        }
        if (how.openLoop) {
            return Subject.OfTrace.of(read, Subject.Mode.OPEN, 0);
        }
        return sessions == null
                ? Subject.OfTrace.byDefault(read)
                : Subject.OfTrace.of(read, Subject.Mode.CLOSED, sessions);
    }

    static void print(WhatIfResult result, PrintWriter out) {
        TraceSummary t = result.trace();
        out.printf("Trace     %s  %s requests  %s sessions  %s prompt tokens%s%n", t.source(), Figures.count(t.requests()),
                Figures.count(t.sessions()), Figures.count(t.promptTokens()),
                t.hash().isEmpty() ? "" : "  sha256 " + t.hash().substring(0, Math.min(12, t.hash().length())));
        result.fleet().ifPresent(f -> {
            out.println("Fleet     " + describe(f));
            if (!f.capacity().isEmpty()) {
                out.println("Capacity  " + f.capacity());
            }
            f.warnings().forEach(w -> out.println("Warning   " + w));
        });
        if (t.withoutSession() > 0 && t.sessions() > 0) {
            out.printf("Note      %s requests have no session; session policies balance them%n", Figures.count(t.withoutSession()));
        } else if (t.sessions() == 0) {
            out.println("Note      no request has a session; session policies balance them all");
        }
        out.println();
        TextTable table = new TextTable(
                "POLICY", "hit %", "tok/min", "TTFT p50 s", "p95 s", "busy", "stayed %", "preempt", "session p50 s", "p95 s");
        for (PolicyRow r : result.policies()) {
            table.row(
                    r.policy(),
                    Figures.fixed(r.hitPct(), 2),
                    Figures.fixed(r.outputTokensPerMin(), 0),
                    Figures.seconds(r.ttftP50S()),
                    Figures.seconds(r.ttftP95S()),
                    Figures.fixed(r.replicasBusy(), 2),
                    Figures.fixed(r.stayedPct(), 1),
                    Figures.count(r.preemptions()),
                    Figures.seconds(r.sessionP50S()),
                    Figures.seconds(r.sessionP95S()));
        }
        table.print(out);
        out.println();
        for (PolicyRow r : result.policies()) {
            r.externalHits().ifPresent(hits -> out.printf("Host      %s: %s of %s tokens missed on the cards came from host memory%n",
                    r.policy(), Figures.count(hits), Figures.count(r.externalQueries().orElse(0))));
        }
        if (!result.intervals().isEmpty()) {
            out.println("Intervals in --json: " + result.intervals());
        }
        out.printf("Computed in %.2f s%n", result.wallS());
    }

    private static String describe(FleetSummary f) {
        String cache = f.usableBlocks().isPresent()
                ? Figures.count(f.usableBlocks().getAsInt()) + " blocks of " + f.blockSize() + " tokens ("
                        + f.capacitySource() + ")"
                : "cache without limit, blocks of " + f.blockSize() + " tokens";
        return f.replicas() + " replicas  " + cache + "  " + f.mode() + " loop"
                + (f.timing().isEmpty() ? "" : "  timing " + f.timing()) + "  " + f.seeds() + (f.seeds() == 1 ? " seed" : " seeds");
    }
}
