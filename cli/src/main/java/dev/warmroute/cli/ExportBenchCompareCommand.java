package dev.warmroute.cli;

import dev.warmroute.export.chart.ColdAndWarm;
import dev.warmroute.export.chart.Source;
import dev.warmroute.export.chart.SvgWriter;
import dev.warmroute.recorder.file.WholeFile;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.load.BenchComparison;
import dev.warmroute.simulator.load.BenchComparison.Row;
import dev.warmroute.simulator.load.BenchComparison.Side;
import dev.warmroute.simulator.load.BenchFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code export bench-compare}: two files of {@code load bench-serve} side by side. */
@Command(
        name = "bench-compare",
        description =
                "Holds a cold and a warm file of load bench-serve (or of vllm-mlx's bench-serve) against each other: times to the"
                        + " first token and speed-ups with intervals, as a table and a chart. Files of different models, prompts or settings"
                        + " are refused.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute export bench-compare cold.csv warm.csv --out bench-compare"})
final class ExportBenchCompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(index = "0", paramLabel = "COLD", description = "CSV of the cold run.")
    private Path cold;

    @Parameters(index = "1", paramLabel = "WARM", description = "CSV of the warm run.")
    private Path warm;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where bench-compare.csv and bench-compare.svg go (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("warmroute-bench-compare");

    @Override
    public Integer call() {
        BenchComparison comparison = BenchComparison.of(BenchFile.read(cold), BenchFile.read(warm));
        write(comparison);
        PrintWriter printer = spec.commandLine().getOut();
        if (json.wanted()) {
            json.print(comparison, printer);
        } else {
            print(comparison, printer);
            printer.println("Table and chart: " + out);
        }
        return ExitCode.DONE;
    }

    private void write(BenchComparison comparison) {
        String runs = comparison.model() + ", prompts " + comparison.prompts() + ", " + cold.getFileName() + " and "
                + warm.getFileName();
        ColdAndWarm chart = new ColdAndWarm("bench-compare", comparison, new Source(runs, comparison.intervals()));
        WholeFile.save(out.resolve("bench-compare.csv"), comparison.csv());
        WholeFile.save(out.resolve("bench-compare.svg"), new SvgWriter().document(chart));
    }

    private static void print(BenchComparison c, PrintWriter out) {
        out.println(c.model() + ", prompts " + c.prompts() + ": " + c.cold() + " against " + c.warm());
        TextTable table = new TextTable(
                "CONCURRENCY",
                "",
                "waves",
                "requests",
                "hit %",
                "TTFT mean s",
                "95 %",
                "p50",
                "p95",
                "latency mean s",
                "tok/s",
                "speed-up",
                "95 %");
        for (Row r : c.rows()) {
            side(table, r, c.cold(), r.cold(), false);
            side(table, r, c.warm(), r.warm(), true);
        }
        table.print(out);
        if (c.left() > 0) {
            out.println("Left out: " + c.left() + " rows without a complete answer");
        }
        if (!c.only().isEmpty()) {
            out.println("Left out: concurrencies that only one file has: " + c.only());
        }
        out.println("Intervals: " + c.intervals() + ".");
    }

    private static void side(TextTable table, Row row, String name, Side s, boolean last) {
        table.row(
                last ? "" : Integer.toString(row.concurrency()),
                name,
                Integer.toString(s.waves()),
                Integer.toString(s.requests()),
                Figures.fixed(s.hitPct(), 1),
                Figures.seconds(OptionalDouble.of(s.ttftMeanS())),
                s.ttftMeanInterval()
                        .map(i -> seconds(i.low()) + " to " + seconds(i.high()))
                        .orElse("?"),
                seconds(s.ttftP50S()),
                seconds(s.ttftP95S()),
                Figures.seconds(s.latencyMeanS()),
                Figures.fixed(s.tokensPerS(), 1),
                last ? times(row.speedUp()) : "",
                last ? ratio(row.speedUpInterval()) : "");
    }

    private static String seconds(double value) {
        return Figures.seconds(OptionalDouble.of(value));
    }

    private static String ratio(Optional<Interval> interval) {
        return interval.map(i -> times(i.low()) + " to " + times(i.high())).orElse("?");
    }

    private static String times(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
