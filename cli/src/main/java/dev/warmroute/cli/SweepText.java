package dev.warmroute.cli;

import dev.warmroute.simulator.sweep.SweepSummary;
import dev.warmroute.simulator.sweep.SweepSummary.OfPolicy;
import java.io.PrintWriter;
import java.util.Locale;

/** A sweep's summary for people. */
final class SweepText {
    private SweepText() {}

    static void print(SweepSummary summary, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%,d scenarios of %s, %,d of them computed in %.1f s%n",
                summary.scenarios(),
                summary.subject(),
                summary.computed(),
                summary.wallS());
        out.println();
        TextTable table = new TextTable(
                "policy",
                "scenarios",
                "hit %",
                "output tok/min",
                "TTFT p50 s",
                "TTFT p95 s",
                "session p50 s",
                "best output");
        for (OfPolicy p : summary.policies()) {
            table.row(
                    p.policy(),
                    Figures.count(p.compared()),
                    Figures.fixed(p.hitPct(), 1),
                    Figures.fixed(p.outputTokensPerMin(), 0),
                    Figures.seconds(p.ttftP50S()),
                    Figures.seconds(p.ttftP95S()),
                    Figures.seconds(p.sessionP50S()),
                    p.points() == 0 ? "-" : p.bestOutput() + " of " + p.points());
        }
        table.print(out);
        out.println();
        out.println(
                "means over the points of the grid at which all policies went as asked for, so that all are of the same scenarios");
        out.println(
                "best output: such points at which no other policy's mean output is higher; of equal ones all count");
        if (summary.wrong() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%,d scenarios did not go as asked for: neither they nor the others of their points are in these"
                            + " figures; the table says why (column reason)%n",
                    summary.wrong());
        }
        out.println("table: " + summary.table() + " (and .csv)");
    }
}
