package dev.warmroute.cli;

import dev.warmroute.simulator.validate.WarmCheck;
import dev.warmroute.simulator.validate.WarmResult;
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

/** {@code validate warm}: the published table of warm prompts beside its simulation. */
@Command(
        name = "warm",
        description =
                "Simulates every cell of the published table of warm system prompts (vllm-mlx on an M4 Max) with one set of"
                        + " parameters a model, side by side. Exits with 3 when a speed-up is off by more than 0.25 and nothing says why.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute validate warm"})
final class ValidateWarmCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "Another table with the columns model, concurrency, cold_ttft_ms and warm_ttft_ms (default: the published one).")
    private Path file;

    @Option(
            names = "--system-tokens",
            paramLabel = "N",
            description = "Of the system prompt (default: ${DEFAULT-VALUE}, as published).")
    private int systemTokens = WarmCheck.SYSTEM_TOKENS;

    @Option(
            names = "--user-tokens",
            paramLabel = "N",
            description = "Of what follows it (default: ${DEFAULT-VALUE}, as published).")
    private int userTokens = WarmCheck.USER_TOKENS;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        WarmResult result = new WarmCheck(systemTokens, userTokens).run(Optional.ofNullable(file));
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static void print(WarmResult result, PrintWriter out) {
        TextTable models = new TextTable("MODEL", "base ms", "us/token", "ns/pair", "times fitted", "off % (rms)");
        for (WarmResult.Model m : result.models()) {
            models.row(
                    m.model(),
                    text("%.1f", m.baseMs()),
                    text("%.1f", m.tokenUs()),
                    text("%.3f", m.attentionPairNs()),
                    Integer.toString(m.times()),
                    text("%.1f", m.rmsPct()));
        }
        models.print(out);
        out.println();
        TextTable table =
                new TextTable("CELL", "requests", "cold s", "sim", "warm s", "sim", "speed-up", "sim", "off", "");
        for (WarmResult.Cell c : result.cells()) {
            table.row(
                    c.model(),
                    Integer.toString(c.concurrency()),
                    seconds(c.published().coldS()),
                    seconds(c.simulated().coldS()),
                    seconds(c.published().warmS()),
                    seconds(c.simulated().warmS()),
                    text("%.2f", c.published().speedUp()),
                    text("%.2f", c.simulated().speedUp()),
                    text("%+.2f", c.off()),
                    c.within() ? "" : c.reason().isEmpty() ? "off" : "impossible");
        }
        table.print(out);
        out.println();
        out.printf(
                Locale.ROOT,
                "%d of %d speed-ups within %.2f, the furthest off by %.2f; %d impossible.%n",
                result.within(),
                result.cells().size(),
                result.tolerance(),
                result.worst(),
                result.impossible());
        result.cells().stream()
                .filter(c -> !c.reason().isEmpty())
                .forEach(c -> out.println(c.model() + " at " + c.concurrency() + ": " + c.reason() + "."));
        result.complaints().forEach(c -> out.println("Outside its tolerance: " + c));
    }

    private static String seconds(double value) {
        return Figures.seconds(OptionalDouble.of(value));
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
