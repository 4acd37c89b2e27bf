package dev.warmroute.cli;

import dev.warmroute.simulator.validate.PublishedCheck;
import dev.warmroute.simulator.validate.PublishedResult;
import dev.warmroute.simulator.validate.PublishedResult.Knee;
import dev.warmroute.simulator.validate.PublishedResult.Machine;
import dev.warmroute.simulator.validate.PublishedResult.Parameter;
import dev.warmroute.simulator.validate.PublishedResult.Row;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code validate published}: the simulator against measurements that others published. */
@Command(
        name = "published",
        description =
                "Predicts published measurements: an RTX 5090 (time to first token by prompt length, cold and cached; open"
                        + " loop up to saturation) and the concurrency cliff of an L4, each machine with one set of parameters, from first"
                        + " principles but for those that are named as fitted. Exits with 3 when something is outside its tolerance.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute validate published ../shared/data/published"})
final class ValidatePublishedCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(paramLabel = "DIR", description = "Folder with rtx5090-qwen3-4b-ttft.csv and rtx5090-qwen3-4b-qps.csv.")
    private Path directory;

    @Option(
            names = "--seeds",
            paramLabel = "K",
            description = "Simulated runs of each load (default: ${DEFAULT-VALUE}).")
    private int seeds = 10;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PublishedResult result = new PublishedCheck(directory, seeds, PublishedCheck.Tolerance.DEFAULT).run();
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static void print(PublishedResult result, PrintWriter out) {
        for (Machine machine : result.machines()) {
            out.println(machine.name());
            out.println();
            TextTable parameters = new TextTable("PARAMETER", "value", "from", "");
            for (Parameter p : machine.parameters()) {
                parameters.row(p.name(), String.format(Locale.ROOT, "%,.3f", p.value()), p.origin(), p.unit());
            }
            parameters.print(out);
            out.println();
            TextTable rows = new TextTable("FIGURE", "at", "published", "predicted", "off %", "tolerated %");
            for (Row r : machine.rows()) {
                rows.row(
                        r.what(),
                        Figures.plain(r.at()),
                        figure(r.published()),
                        figure(OptionalDouble.of(r.predicted())),
                        r.errorPct().isPresent()
                                ? String.format(
                                        Locale.ROOT, "%+.1f", r.errorPct().getAsDouble())
                                : "-",
                        r.toleratedPct().isPresent()
                                ? Figures.plain(r.toleratedPct().getAsDouble())
                                : "-");
            }
            rows.print(out);
            out.println();
        }
        Knee knee = result.knee();
        out.printf(
                Locale.ROOT,
                "Times to first token below saturation are off by %.1f %% at most, the saturation by %+.1f %%.%n",
                result.ttftWorstPct(),
                result.saturationErrorPct());
        out.printf(
                Locale.ROOT,
                "The L4's cache holds %.1f sessions at their longest contexts and %.1f at their mean ones; the"
                        + " published cliff is between %d and %d.%n",
                knee.low(),
                knee.high(),
                knee.publishedLow(),
                knee.publishedHigh());
        result.complaints().forEach(c -> out.println("Outside its tolerance: " + c));
    }

    private static String figure(OptionalDouble value) {
        return value.isEmpty() ? "-" : Figures.fixed(value, Math.abs(value.getAsDouble()) < 100 ? 2 : 0);
    }
}
