package dev.warmroute.cli;

import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.validate.RuleCheck;
import dev.warmroute.simulator.validate.RuleResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code validate rule}: does the capacity rule ever say <em>fits</em> of a fleet that loses its cache? */
@Command(
        name = "rule",
        description =
                "Looks for false greens of the capacity rule: fleets of which it says that the sessions fit, and whose hit rate is"
                        + " more than 10 points below the one without limit all the same. Cases are recorded cells of a real fleet, simulated"
                        + " and measured, and fleets drawn at random. False reds are counted. Exits with 3 on any false green.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  warmroute validate rule --fleets 40",
            "  warmroute validate rule ../shared/data/vllm-fleet/*.jsonl.gz --fleets 500"
        })
final class ValidateRuleCommand implements Callable<Integer> {
    private static final int SHOWN = 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Recorded cells (.jsonl or .jsonl.gz); their replicas as in validate fleet.")
    private List<Path> files = List.of();

    @Option(names = "--fleets", paramLabel = "N", description = "Fleets drawn at random (default: ${DEFAULT-VALUE}).")
    private int fleets = 500;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of these (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Cases at the same time (default: one a processor). The result is the same.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--num-gpu-blocks",
            paramLabel = "N",
            description = "Blocks of each recorded replica, the null block included (default: ${DEFAULT-VALUE}).")
    private int numGpuBlocks = 300;

    @Option(
            names = "--block-size",
            paramLabel = "B",
            description = "Tokens a block of the recorded replicas (default: ${DEFAULT-VALUE}).")
    private int blockSize = 32;

    @Option(
            names = "--max-num-seqs",
            paramLabel = "N",
            description = "Most running requests of a recorded replica (default: ${DEFAULT-VALUE}).")
    private int maxNumSeqs = 32;

    @Option(
            names = "--max-num-batched-tokens",
            paramLabel = "N",
            description = "Token budget of its steps (default: ${DEFAULT-VALUE}).")
    private int maxNumBatchedTokens = 512;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        EngineConfig engine = EngineConfig.defaults()
                .withNumGpuBlocks(numGpuBlocks)
                .withBlockSize(blockSize)
                .withMaxNumSeqs(maxNumSeqs)
                .withMaxNumBatchedTokens(maxNumBatchedTokens);
        RuleResult result;
        try (Progress progress = new Progress(spec.commandLine().getErr())) {
            int all = files.size() + fleets;
            result = new RuleCheck(engine, threads)
                    .run(
                            files,
                            fleets,
                            seed,
                            share -> progress.update(Math.round(share * all) + " of " + all + " cases"));
        }
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static void print(RuleResult result, PrintWriter out) {
        if (!result.cells().isEmpty()) {
            TextTable cells = new TextTable(
                    "CELL",
                    "sessions",
                    "used % mean",
                    "p95",
                    "rule",
                    "ceiling %",
                    "simulated %",
                    "lost pp",
                    "measured %",
                    "lost pp");
            for (RuleResult.Cell c : result.cells()) {
                cells.row(
                        c.file(),
                        Integer.toString(c.sessions()),
                        text("%.0f", 100 * c.utilisationMean()),
                        text("%.0f", 100 * c.utilisationP95()),
                        c.rule().wireName(),
                        Figures.fixed(c.ceilingPct(), 1),
                        Figures.fixed(c.simulatedPct(), 1),
                        Figures.fixed(c.simulatedLostPp(), 1),
                        Figures.fixed(c.measuredPct(), 1),
                        Figures.fixed(c.measuredLostPp(), 1));
            }
            cells.print(out);
            out.println();
        }
        TextTable verdicts = new TextTable(
                "RULE",
                "cases",
                "lose at most 3 pp",
                "more than " + Figures.plain(result.limitPp()) + " pp",
                "at most pp");
        for (RuleResult.Count c : result.verdicts()) {
            verdicts.row(
                    c.verdict().wireName(),
                    Integer.toString(c.cases()),
                    Integer.toString(c.kept()),
                    Integer.toString(c.lost()),
                    text("%.1f", c.worstPp()));
        }
        verdicts.print(out);
        out.println();
        closest(result, out);
        out.printf(
                Locale.ROOT,
                "%d false greens, %d false reds in %d fleets and %d cells (seed %d).%n",
                result.falseGreens(),
                result.falseReds(),
                result.fleets(),
                result.cells().size(),
                result.seed());
        if (result.untested() > 0) {
            out.println(result.untested() + " cases served nothing, so the rule is not tested there.");
        }
        boolean fits = result.verdicts().stream().anyMatch(v -> v.verdict() == Verdict.FITS && v.cases() > 0);
        if (!fits) {
            out.println("The rule says of no case that it fits, so nothing is tested: ask for more fleets.");
        }
    }

    /** The fleets that fit by the rule and lose most. */
    private static void closest(RuleResult result, PrintWriter out) {
        List<RuleResult.Fleet> green = result.synthetic().stream()
                .filter(f -> f.rule() == Verdict.FITS)
                .sorted(Comparator.<RuleResult.Fleet>comparingDouble(
                                f -> -f.lostPp().orElse(Double.MAX_VALUE))
                        .thenComparingInt(RuleResult.Fleet::number))
                .limit(SHOWN)
                .toList();
        if (green.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                "FITS, loses most",
                "machine",
                "replicas",
                "tokens each",
                "sessions",
                "turns",
                "used % mean",
                "p95",
                "ceiling %",
                "hit %",
                "lost pp");
        for (RuleResult.Fleet f : green) {
            table.row(
                    Integer.toString(f.number()),
                    f.machine(),
                    Integer.toString(f.replicas()),
                    Figures.count(f.capacityTokens()),
                    Integer.toString(f.sessions()),
                    Integer.toString(f.turns()),
                    text("%.0f", 100 * f.utilisationMean()),
                    text("%.0f", 100 * f.utilisationP95()),
                    Figures.fixed(f.ceilingPct(), 1),
                    Figures.fixed(f.hitPct(), 1),
                    Figures.fixed(f.lostPp(), 1));
        }
        table.print(out);
        out.println();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
