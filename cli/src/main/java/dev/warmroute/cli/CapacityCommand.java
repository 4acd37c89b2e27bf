package dev.warmroute.cli;

import dev.warmroute.export.report.HtmlReport;
import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.capacity.CacheSize;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.capacity.CapacityResult;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code capacity}: does it fit, and how much would. */
@Command(
        name = "capacity",
        description = "Checks that a trace's sessions fit the fleet's cache: the rule, the reuse-distance curve (exact at every"
                + " capacity) and a simulation. Exits with 3 when they do not fit.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute capacity mooncake:conversation_trace.jsonl --block-size 512 --at 1048576",
            "  warmroute capacity claude-code:requests.jsonl.gz --sessions 16 --replicas 4 --usable-blocks 12000"
        })
final class CapacityCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Mixin
    private FleetOptions fleet;

    @Parameters(paramLabel = "TRACE", description = "A trace directory or FORMAT:FILE.")
    private String trace;

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
        try (TraceReader reader = TraceSource.open(trace);
                Progress progress = new Progress(spec.commandLine().getErr())) {
            result = CapacityAnalysis.ofTrace(
                    reader, request(), share -> progress.update("simulated " + Math.round(100 * share) + " %"));
        }
        if (report != null) {
            new HtmlReport().write(
                    new ReportBuilder("Capacity of " + trace).version(BuildVersion.version()).capacity(result).build(), report);
            spec.commandLine().getErr().println("report: " + report);
        }
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.verdict().equals(Optional.of(Verdict.DOES_NOT_FIT)) ? ExitCode.ANSWER_IS_NO : ExitCode.DONE;
    }

    private CapacityRequest request() {
        FleetOptions.Chosen chosen = fleet.alone();
        FleetSpec machine = chosen.fleet();
        if (fleet.usableBlocks().isEmpty()) {
            if (sessions != null) {
                throw new UserError("--sessions needs the cache they are to fit: give --usable-blocks, and --replicas");
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
                Optional.of(new CacheSize(
                        machine.replicas(), machine.engine().usableBlocks(), machine.engine().blockSize(), "given")),
                sessions == null ? OptionalInt.empty() : OptionalInt.of(sessions),
                noSimulation ? Optional.empty() : Optional.of(check));
    }

    static void print(CapacityResult result, PrintWriter out) {
        result.trace().ifPresent(t -> out.printf("Trace     %s  %s requests  %s sessions  %s prompt tokens%n", t.source(),
                Figures.count(t.requests()), Figures.count(t.sessions()), Figures.count(t.promptTokens())));
        result.verdict().ifPresent(v -> out.println("Verdict   " + v.wireName().replace('_', ' ').toUpperCase()
                + result.sessionsFit().map(f -> ": " + f.low() + " to " + f.high() + " sessions fit").orElse("")
                + result.limit().map(l -> "; the limit is the " + l.wireName()).orElse("")));
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
