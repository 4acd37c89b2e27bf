package dev.warmroute.cli;

import dev.warmroute.export.report.HtmlReport;
import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.TraceDescription;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.Demand;
import dev.warmroute.simulator.capacity.DescriptionParser;
import dev.warmroute.simulator.capacity.FleetDescription;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.replay.FleetSpec;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
        description = "Checks that the sessions of a trace or a description fit the fleet's cache: the rule, the reuse-distance curve (exact at every"
                + " capacity) and a simulation. Exits with 3 when they do not fit.",
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
                description = "Sessions and machine in numbers instead of a trace, or a YAML file with the same keys: replicas,"
                        + " sessions, context (mean prompt in tokens; with growth, what a session grows to), context_p95, shared,"
                        + " growth (tokens a turn), output, output_p95, capacity_tokens or usable_blocks or model and gpu, dtype,"
                        + " kv_dtype, tensor_parallel, gpu_memory_utilization, block_size, max_num_seqs, max_num_batched_tokens,"
                        + " max_model_len, timing.")
        private String description;
    }

    @ArgGroup(multiplicity = "1")
    private About about;

    @Option(names = "--at", paramLabel = "TOKENS", description = "A capacity at which the curve is wanted; may be repeated.")
    private List<Long> at = List.of();

    @Option(names = "--sessions", paramLabel = "N", description = "Sessions at the same time (default: as in the trace).")
    private Integer sessions;

    @Option(names = "--no-simulation", description = "Leave out the simulated check.")
    private boolean noSimulation;

    @Option(names = "--report", paramLabel = "FILE", description = "Write a report page.")
    private Path report;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CapacityResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            result = about.description == null ? ofTrace(progress) : ofDescription(progress);
        }
        if (report != null) {
            String subject = about.description == null ? about.trace : about.description;
            new HtmlReport().write(
                    new ReportBuilder("Capacity of " + subject).version(BuildVersion.version()).capacity(result).build(), report);
            spec.commandLine().getErr().println("report: " + report);
        }
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.verdict().equals(Optional.of(Verdict.DOES_NOT_FIT)) ? ExitCode.ANSWER_IS_NO : ExitCode.DONE;
    }

    private CapacityResult ofTrace(Progress progress) {
        CapacityRequest request = request();
        try (TraceReader reader = wrongRows.source(about.trace).open()) {
            reader.hasNext();
            TraceDescription description = reader.description();
            if (description.prefixes() == Prefixes.NONE) {
                throw new UserError("capacity asks how much of the prompts is said again, and nothing is known of that in "
                        + description.name() + "; whatif answers for its load and latencies");
            }
            description.caveats().forEach(c -> spec.commandLine().getErr().println("note: " + c));
            return CapacityAnalysis.ofTrace(reader, request, said(progress));
        }
    }

    private CapacityResult ofDescription(Progress progress) {
        fleet.refuseBeside("--description");
        if (!at.isEmpty()) {
            throw new UserError("--at asks for the reuse curve of a trace: a description has none");
        }
        FleetDescription description = DescriptionParser.parse(about.description);
        Demand demand = sessions == null ? description.demand() : description.demand().withSessions(sessions);
        Optional<Check> check = noSimulation || demand.sessions() == 0
                ? Optional.empty()
                : Optional.of(description.check(Runtime.getRuntime().availableProcessors()));
        return CapacityAnalysis.ofDemand(demand, description.request(check), said(progress));
    }

    private static dev.warmroute.simulator.replay.Progress said(Progress progress) {
        return share -> progress.update("simulated " + Math.round(100 * share) + " %");
    }

    private CapacityRequest request() {
        FleetOptions.Chosen chosen = fleet.forTrace(about.trace);
        FleetSpec machine = chosen.fleet();
        if (machine.engine().hostMemory().isPresent()) {
            throw new UserError("the rule counts the caches on the cards: ask whatif what --cpu-offload-gib does");
        }
        if (chosen.cache().isEmpty()) {
            if (sessions != null) {
                throw new UserError("--sessions needs the cache they are to fit: give --usable-blocks, or --model and --gpu;"
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
                Runtime.getRuntime().availableProcessors());
        return new CapacityRequest(
                machine.engine().blockSize(),
                at,
                chosen.cache(),
                sessions == null ? OptionalInt.empty() : OptionalInt.of(sessions),
                noSimulation ? Optional.empty() : Optional.of(check),
                chosen.served());
    }

    static void print(CapacityResult result, PrintWriter out) {
        result.trace().ifPresent(t -> out.printf("Trace     %s  %s requests  %s sessions  %s prompt tokens%n", t.source(),
                Figures.count(t.requests()), Figures.count(t.sessions()), Figures.count(t.promptTokens())));
        result.verdict().ifPresent(v -> out.println("Verdict   " + v.wireName().replace('_', ' ').toUpperCase()
                + result.sessionsFit().map(f -> ": " + f.low() + " to " + f.high() + " sessions fit").orElse("")
                + result.limit().map(l -> "; the limit is the " + l.wireName()).orElse("")));
        result.cache().filter(c -> !c.explanation().isEmpty()).ifPresent(c -> out.printf("Capacity  %s tokens a replica%s (%s): %s%n",
                Figures.count(c.tokens()),
                c.tokensLow() == c.tokensHigh()
                        ? ""
                        : ", " + Figures.count(c.tokensLow()) + " to " + Figures.count(c.tokensHigh()),
                result.capacitySource(), c.explanation()));
        result.headroom().ifPresent(h -> out.printf("Headroom  %d sessions, %s tokens with mean contexts%n", h.sessions(),
                Figures.count(Math.round(h.tokens()))));
        result.warnings().forEach(w -> out.println("Warning   " + w));
        result.rule().ifPresent(r -> printRule(r, out));
        result.simulation().ifPresent(s -> out.printf("Simulated %s sessions, %s: hit %s %% of at most %s %%. %s%n",
                s.sessions(), s.policy(), Figures.fixed(s.hitPct(), 1), Figures.fixed(s.ceilingPct(), 1), s.agreement()));
        result.reuse().ifPresent(r -> printReuse(r, out));
    }

    private static void printRule(RuleLedger rule, PrintWriter out) {
        RuleLedger.Machine m = rule.machine();
        out.printf("Rule      %d sessions on %d replicas of %s tokens: %.0f %% used with mean contexts, %.0f %% with p95%n",
                m.sessions(), m.replicas(), Figures.count(m.capacityTokens() / m.replicas()), 100 * m.utilisationMean(),
                100 * m.utilisationP95());
        TextTable table = new TextTable("REPLICA", "sessions", "demand mean", "p95", "capacity", "used %", "fit");
        for (RuleLedger.Replica r : rule.replicas()) {
            table.row(
                    r.replica(),
                    Integer.toString(r.sessions()),
                    Figures.count(Math.round(r.demandMeanTokens())),
                    Figures.count(Math.round(r.demandP95Tokens())),
                    Figures.count(r.capacityTokens()),
                    String.format("%.0f", 100 * r.utilisationMean()),
                    Integer.toString(r.sessionsFitMean()));
        }
        out.println();
        table.print(out);
        out.println();
    }

    private static void printReuse(ReuseCurve reuse, PrintWriter out) {
        out.printf("Reuse     %s block references, %s distinct blocks%n%n", Figures.count(reuse.blockReferences()),
                Figures.count(reuse.distinctBlocks()));
        TextTable table = new TextTable("CACHE tokens", "hit %");
        List<ReuseCurve.Point> points = reuse.curve();
        for (int i = 0; i < points.size(); i++) {
            boolean last = i == points.size() - 1;
            table.row(
                    last ? "without limit" : Figures.count(points.get(i).capacityTokens()),
                    String.format("%.4f", points.get(i).hitPct()));
        }
        table.print(out);
    }
}
