package dev.warmroute.cli;

import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.TimingProfile;
import dev.warmroute.simulator.validate.FleetCheck;
import dev.warmroute.simulator.validate.FleetResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code validate fleet}: the simulated fleet against recorded cells of a real one. */
@Command(
        name = "fleet",
        description =
                "Predicts recorded cells of a vLLM fleet, and says how far off it is. Step times are learnt from the cells"
                        + " with random placement. Exits with 3 when something is outside its tolerance.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute validate fleet ../shared/data/vllm-fleet/*.jsonl.gz --mode what-if"})
final class ValidateFleetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recorded cells (.jsonl or .jsonl.gz).")
    private List<Path> files;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "what-if",
            description =
                    "recorded: assignments and times are given, the cache is predicted; what-if: everything is predicted from"
                            + " the random cells (default: ${DEFAULT-VALUE}).",
            converter = ModeOption.class)
    private FleetCheck.Mode mode;

    @Option(
            names = "--num-gpu-blocks",
            paramLabel = "N",
            description = "Blocks of each replica, the null block included (default: ${DEFAULT-VALUE}).")
    private int numGpuBlocks = 300;

    @Option(names = "--block-size", paramLabel = "B", description = "Tokens a block (default: ${DEFAULT-VALUE}).")
    private int blockSize = 32;

    @Option(
            names = "--max-num-seqs",
            paramLabel = "N",
            description = "Most running requests (default: ${DEFAULT-VALUE}).")
    private int maxNumSeqs = 32;

    @Option(
            names = "--max-num-batched-tokens",
            paramLabel = "N",
            description = "Token budget of a step (default: ${DEFAULT-VALUE}).")
    private int maxNumBatchedTokens = 512;

    @Option(names = "--max-model-len", paramLabel = "N", description = "Longest request (default: ${DEFAULT-VALUE}).")
    private int maxModelLen = 8192;

    @Option(names = "--sync-scheduling", description = "The engines schedule a step after the one before has ended.")
    private boolean sync;

    @Option(
            names = "--seeds",
            paramLabel = "K",
            description = "Simulated runs of each cell in mode what-if (default: ${DEFAULT-VALUE}).")
    private int seeds = 20;

    @Option(
            names = "--curve",
            paramLabel = "N",
            split = ",",
            description = "Numbers of sessions to predict without a recording, in mode what-if, as in 12,20,24.")
    private List<Integer> curve = List.of();

    @Option(
            names = "--timing-out",
            paramLabel = "FILE",
            description = "Write the step times learnt, for whatif --timing.")
    private Path timingOut;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        EngineConfig engine = EngineConfig.defaults()
                .withNumGpuBlocks(numGpuBlocks)
                .withBlockSize(blockSize)
                .withMaxNumSeqs(maxNumSeqs)
                .withMaxNumBatchedTokens(maxNumBatchedTokens)
                .withMaxModelLen(maxModelLen)
                .withAsyncScheduling(!sync);
        FleetResult result = new FleetCheck(engine, seeds, FleetCheck.Tolerance.DEFAULT).run(files, mode, curve);
        if (timingOut != null) {
            result.timing().write(timingOut);
        }
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static void print(FleetResult result, PrintWriter out) {
        TextTable table = new TextTable(
                "CELL",
                "sessions",
                "requests",
                "exact",
                "cached off %",
                "hit %",
                "predicted",
                "off pp",
                "tok/min",
                "predicted",
                "TTFB p50 s",
                "predicted");
        for (FleetResult.Cell c : result.cells()) {
            table.row(
                    c.file(),
                    Integer.toString(c.sessions()),
                    Integer.toString(c.requests()),
                    c.exactRequests().isPresent()
                            ? Integer.toString(c.exactRequests().getAsInt())
                            : "-",
                    Figures.fixed(c.cachedOffPct(), 2),
                    fixed("%.2f", c.hitMeasuredPct()),
                    fixed("%.2f", c.hitPredictedPct()),
                    fixed("%+.2f", c.hitPredictedPct() - c.hitMeasuredPct()),
                    fixed("%,.0f", c.outputMeasured()),
                    fixed("%,.0f", c.outputPredicted()),
                    fixed("%.3f", c.ttfbP50MeasuredS()),
                    fixed("%.3f", c.ttfbP50PredictedS()));
        }
        table.print(out);
        out.println();
        if (!result.curve().isEmpty()) {
            printCurve(result, out);
        }
        out.printf(
                Locale.ROOT,
                "Hit rates off by %.2f pp in the mean, %.2f at most. Sign of affinity - random right in %d pairs: hits"
                        + " %d, output %d, median TTFB %d.%n",
                result.maePp(),
                result.worstPp(),
                result.pairs(),
                result.signs().hit(),
                result.signs().output(),
                result.signs().ttfbP50());
        print(result.timing(), out);
        result.complaints().forEach(c -> out.println("Outside its tolerance: " + c));
    }

    private static void printCurve(FleetResult result, PrintWriter out) {
        TextTable table = new TextTable("PREDICTED", "sessions", "hit %", "tok/min", "TTFB p50 s");
        for (FleetResult.Point p : result.curve()) {
            table.row(
                    p.policy(),
                    Integer.toString(p.sessions()),
                    fixed("%.2f", p.hitPredictedPct()),
                    fixed("%,.0f", p.outputPredicted()),
                    fixed("%.3f", p.ttfbP50PredictedS()));
        }
        table.print(out);
        out.println();
    }

    private static void print(TimingProfile timing, PrintWriter out) {
        out.println();
        TextTable table = new TextTable("STEP TIME", "value", "error", "");
        for (TimingProfile.Term t : timing.terms()) {
            table.row(
                    t.name(),
                    fixed("%.4f", t.value()),
                    t.standardError() < 0 ? "-" : fixed("%.4f", t.standardError()),
                    t.identified() ? "identified" : "not identified");
        }
        table.print(out);
        out.printf(
                Locale.ROOT,
                "Each other busy replica adds %.0f %% to a step. Times between tokens are off by %.1f %% in the median (%d),"
                        + " times to the first token by %.1f %% (%d).%n",
                100 * timing.sharedHostSlowdown(),
                timing.decode().medianAbsolutePct(),
                timing.decode().times(),
                timing.firstToken().medianAbsolutePct(),
                timing.firstToken().times());
        timing.pace().forEach((run, pace) -> out.printf(Locale.ROOT, "Pace of %s: %.3f%n", run, pace));
    }

    private static String fixed(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
