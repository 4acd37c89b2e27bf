package dev.warmroute.cli;

import dev.warmroute.simulator.validate.SeedCheck;
import dev.warmroute.simulator.validate.SeedResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code validate seed}: the published table of LM Warden beside what one set of parameters simulates. */
@Command(
        name = "seed",
        description =
                "Simulates every row of the published table of LM Warden with one set of parameters, side by side, and changes"
                        + " one thing at a time for what its text left open. Exits with 3 when something is outside its tolerance.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  warmroute validate seed"})
final class ValidateSeedCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private JsonOutput json;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "Another table with the same columns (default: the published one).")
    private Path file;

    @Option(
            names = "--seeds",
            paramLabel = "K",
            description = "Simulated runs of each row (default: ${DEFAULT-VALUE}).")
    private int seeds = 20;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        json.prepare(SeedResult.class);
        SeedResult result = new SeedCheck(seeds).run(Optional.ofNullable(file));
        if (json.wanted()) {
            json.print(result, out);
        } else {
            print(result, out);
        }
        return result.ok() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static void print(SeedResult result, PrintWriter out) {
        TextTable table = new TextTable(
                "SESSIONS",
                "affinity",
                "hit %",
                "sim",
                "off pp",
                "tok/min",
                "sim",
                "off %",
                "TTFB p50 s",
                "sim",
                "p95 s",
                "sim",
                "busy",
                "sim",
                "stayed %",
                "sim",
                "");
        for (SeedResult.Row r : result.rows()) {
            SeedResult.Figures m = r.measured();
            SeedResult.Figures s = r.simulated();
            table.row(
                    Integer.toString(r.sessions()),
                    r.affinity(),
                    text("%.1f", m.prefixHitPct()),
                    text("%.1f", s.prefixHitPct()),
                    text("%+.1f", s.prefixHitPct() - m.prefixHitPct()),
                    text("%,.0f", m.outputTokensPerMin()),
                    text("%,.0f", s.outputTokensPerMin()),
                    text("%+.0f", 100 * (s.outputTokensPerMin() / m.outputTokensPerMin() - 1)),
                    text("%.2f", m.ttfbP50S()),
                    text("%.2f", s.ttfbP50S()),
                    text("%.1f", m.ttfbP95S()),
                    text("%.1f", s.ttfbP95S()),
                    text("%.2f", m.replicasBusy()),
                    text("%.2f", s.replicasBusy()),
                    Figures.fixed(m.stayedPct(), 0),
                    Figures.fixed(s.stayedPct(), 0),
                    r.stationary() ? "" : "no stationary model explains it");
        }
        table.print(out);
        out.println();
        out.printf(
                Locale.ROOT,
                "Hit rates off by %.2f pp in the mean; output by %.1f %% where a stationary model can explain it. Sign of"
                        + " on - off right in %d pairs: output %d, TTFB p50 %d, p95 %d, hits %d.%n",
                result.hitMaePp(),
                result.outputMapePct(),
                result.pairs(),
                result.signs().output(),
                result.signs().ttfbP50(),
                result.signs().ttfbP95(),
                result.signs().hit());
        out.println(
                "A row is marked when busy replicas put out over a quarter more than with fewer sessions, with fewer tokens cached.");
        printMedian(result, out);
        printSevenCards(result.sevenCards(), out);
        result.complaints().forEach(c -> out.println("Outside its tolerance: " + c));
    }

    private static void printMedian(SeedResult result, PrintWriter out) {
        out.println();
        out.println("Why the median is worse with affinity at 24 and 32 sessions (times to the first byte, s):");
        TextTable table =
                new TextTable("SESSIONS", "variant", "hit %", "mean", "p10", "p50", "p90", "p95", "within 1 s %");
        for (SeedResult.FirstByte f : result.median()) {
            table.row(
                    Integer.toString(f.sessions()),
                    f.variant(),
                    text("%.1f", f.hitPct()),
                    text("%.1f", f.meanS()),
                    text("%.1f", f.p10S()),
                    text("%.1f", f.p50S()),
                    text("%.1f", f.p90S()),
                    text("%.1f", f.p95S()),
                    text("%.0f", f.quickPct()));
        }
        table.print(out);
        out.println(
                "With and without affinity the cache is lost alike and the mean wait is alike: it is spread otherwise. Placed evenly,");
        out.println(
                "every replica has more conversations than fit, and every turn waits its round; at random some queues are short at the");
        out.println("moment, and others long. Where all conversations fit, affinity has the better median.");
    }

    private static void printSevenCards(SeedResult.SevenCards seven, PrintWriter out) {
        out.println();
        out.println("Seven cards: what 26 -> 16 sessions and the placement each contributed:");
        TextTable table = new TextTable("SESSIONS", "placement", "hit %", "TTFB p50 s");
        for (SeedResult.SevenCards.Cell c : seven.cells()) {
            table.row(
                    Integer.toString(c.sessions()),
                    c.placement(),
                    text("%.1f", c.hitPct()),
                    text("%.2f", c.ttfbP50S()));
        }
        table.print(out);
        out.printf(
                Locale.ROOT,
                "From 26 hashed to 16 placed: %+.1f pp by fewer sessions, %+.1f pp by the placement (mean of both orders).%n",
                seven.sessionsPp(),
                seven.placementPp());
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
