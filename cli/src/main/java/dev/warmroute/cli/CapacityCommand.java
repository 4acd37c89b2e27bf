package dev.warmroute.cli;

import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.export.run.RunView;
import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.CapacityRequest.Outlook;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.Demand;
import dev.warmroute.simulator.capacity.DescriptionParser;
import dev.warmroute.simulator.capacity.FleetDescription;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfRequest;
import dev.warmroute.simulator.replay.FleetSpec;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code capacity}: does it fit, and how much would. */
@Command(
        name = "capacity",
        description =
                "Checks that the sessions of a trace or a description fit the fleet's cache: the rule, the reuse-distance curve (exact at every"
                        + " capacity) and a simulation; says what limits, what is left, and what would move it. Exits with 3 when they do not fit.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute capacity mooncake:conversation_trace.jsonl --block-size 512 --at 1048576",
            "  warmroute capacity claude-code:requests.jsonl.gz --sessions 16 --replicas 4 --usable-blocks 12000",
            "  warmroute capacity --description \"replicas=4,model=Qwen3-4B,gpu=RTX A4000,sessions=12,context=12500,shared=3500\""
        })
final class CapacityCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private FleetOptions fleet;

    @Mixin
    private WrongRows wrongRows;

    /** What is asked about. */
    static final class About {
        @Parameters(paramLabel = "TRACE", description = "A trace directory or FORMAT:FILE.")
        private String trace;

        @Option(
                names = "--description",
                paramLabel = "KEY=VALUE,...",
                description =
                        "Sessions and machine in numbers instead of a trace, or a YAML file with the same keys: replicas,"
                                + " sessions, context (mean prompt in tokens; with growth, what a session grows to), context_p95, shared,"
                                + " growth (tokens a turn), output, output_p95, capacity_tokens or usable_blocks or model and gpu, dtype,"
                                + " kv_dtype, tensor_parallel, gpu_memory_utilization, block_size, max_num_seqs, max_num_batched_tokens,"
                                + " max_model_len, cpu_offload_gib, timing, growth_per_day (percent).")
        private String description;
    }

    @ArgGroup(multiplicity = "1")
    private About about;

    @Option(
            names = "--at",
            paramLabel = "TOKENS",
            description = "A capacity at which the curve is wanted; may be repeated.")
    private List<Long> at = List.of();

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "Sessions at the same time (default: as in the trace).")
    private Integer sessions;

    @Option(names = "--no-simulation", description = "Leave out the simulated check.")
    private boolean noSimulation;

    @Option(
            names = "--no-advice",
            description = "Leave out what would move the limit, which takes further simulations.")
    private boolean noAdvice;

    @Option(
            names = "--growth-per-day",
            paramLabel = "PCT",
            description =
                    "Expected growth of the demand, in percent of today's a day (default: that of the trace's working set).")
    private Double growthPerDay;

    @Option(
            names = "--window",
            paramLabel = "SECONDS",
            description = "Window of the working set (default: the first that is as long as the sessions' pauses).")
    private Double window;

    @Mixin
    private ReportOption report;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        report.prepare();
        CapacityResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = about.description == null ? ofTrace(progress) : ofDescription(progress);
        }
        if (report.wanted()) {
            write(result);
        }
        if (json.wanted()) {
            json.print(result, out);
        } else {
            new CapacityText(out).print(result);
        }
        return result.verdict().equals(Optional.of(Verdict.DOES_NOT_FIT)) ? ExitCode.ANSWER_IS_NO : ExitCode.DONE;
    }

    private void write(CapacityResult result) {
        String subject = about.description == null ? about.trace : about.description;
        ReportBuilder page = ReportOption.begin("Capacity of ", subject, spec).capacity(result);
        if (about.description == null) {
            ReportOption.describe(page, about.trace);
            TraceSource.Trace trace = wrongRows.source(about.trace).read();
            page.caveats(trace.description().caveats());
            result.simulation().ifPresent(s -> page.run("", replayed(trace)));
        }
        report.write(page, spec.commandLine().getErr());
    }

    /** The simulated check once more, seen from inside. */
    private RunView replayed(TraceSource.Trace trace) {
        CapacityRequest request = request();
        Check check = request.check().orElseThrow();
        FleetSpec machine = fleet.forTrace(about.trace).fleet().withTiming(check.timing());
        Subject.Mode mode = Subject.OfTrace.mode(trace);
        Subject.OfTrace played = Subject.OfTrace.of(
                trace, mode, mode == Subject.Mode.CLOSED ? request.sessions().orElse(0) : 0);
        WhatIfReport inside = new WhatIfReport(played, machine);
        WhatIf.run(
                new WhatIfRequest(
                        played,
                        machine,
                        request.cache().orElseThrow().source(),
                        check.timing().name(),
                        List.of(check.policy()),
                        1,
                        check.threads()),
                dev.warmroute.simulator.replay.Progress.NONE,
                inside);
        return inside.run(check.policy().label()).orElseThrow();
    }

    private CapacityResult ofTrace(Progress progress) {
        CapacityRequest request = request();
        try (TraceReader reader = wrongRows.source(about.trace).open()) {
            reader.hasNext();
            TraceDescription description = reader.description();
            if (description.prefixes() == Prefixes.NONE) {
                throw new UserError(
                        "capacity asks how much of the prompts is said again, and nothing is known of that in "
                                + description.name() + "; whatif answers for its load and latencies");
            }
            description.caveats().forEach(c -> spec.commandLine().getErr().println("note: " + c));
            return CapacityAnalysis.ofTrace(
                    reader, request.withOutlook(outlook(OptionalDouble.empty())), said(progress));
        }
    }

    private CapacityResult ofDescription(Progress progress) {
        fleet.refuseBeside("--description");
        if (!at.isEmpty()) {
            throw new UserError("--at asks for the reuse curve of a trace: a description has none");
        }
        if (window != null) {
            throw new UserError("--window asks for the working set of a trace: a description has none");
        }
        FleetDescription description = DescriptionParser.parse(about.description);
        Demand demand =
                sessions == null ? description.demand() : description.demand().withSessions(sessions);
        Optional<Check> check = noSimulation || demand.sessions() == 0
                ? Optional.empty()
                : Optional.of(description.check(Runtime.getRuntime().availableProcessors()));
        CapacityRequest request = description.request(check).withOutlook(outlook(description.growthPctPerDay()));
        return CapacityAnalysis.ofDemand(demand, request, said(progress));
    }

    private Outlook outlook(OptionalDouble described) {
        return new Outlook(
                growthPerDay == null ? described : OptionalDouble.of(growthPerDay),
                window == null ? OptionalDouble.empty() : OptionalDouble.of(window),
                !noAdvice && !noSimulation);
    }

    private static dev.warmroute.simulator.replay.Progress said(Progress progress) {
        return share -> progress.update("simulated " + Math.round(100 * share) + " %");
    }

    private CapacityRequest request() {
        FleetOptions.Chosen chosen = fleet.forTrace(about.trace);
        FleetSpec machine = chosen.fleet();
        if (noSimulation && machine.engine().hostMemory().isPresent()) {
            throw new UserError(
                    "the rule counts the caches on the cards alone, and the simulation what --cpu-offload-gib does: leave"
                            + " out --no-simulation or --cpu-offload-gib");
        }
        if (chosen.cache().isEmpty()) {
            if (sessions != null) {
                throw new UserError(
                        "--sessions needs the cache they are to fit: give --usable-blocks, or --model and --gpu;"
                                + " and --replicas");
            }
            return CapacityRequest.reuse(machine.engine().blockSize(), at);
        }
        Check defaults = Check.defaults();
        Check check = new Check(
                defaults.policy(),
                fleet.preset(),
                machine.engine().maxNumSeqs(),
                machine.engine().maxNumBatchedTokens(),
                defaults.seconds(),
                defaults.seeds(),
                Runtime.getRuntime().availableProcessors(),
                machine.engine().hostMemory());
        return new CapacityRequest(
                machine.engine().blockSize(),
                at,
                chosen.cache(),
                sessions == null ? OptionalInt.empty() : OptionalInt.of(sessions),
                noSimulation ? Optional.empty() : Optional.of(check),
                chosen.served(),
                Outlook.VERDICT);
    }
}
