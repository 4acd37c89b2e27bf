package dev.warmroute.cli;

import dev.warmroute.simulator.compare.Overflows;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.replay.MissCause;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Why prompt tokens were missed, for the terminal: in percent of all prompt tokens, causes that nobody had left out. */
final class MissesTable {
    private MissesTable() {}

    static void print(List<PolicyRow> policies, PrintWriter out) {
        List<PolicyRow> rows = policies.stream()
                .filter(r -> !r.misses().isEmpty() && r.promptTokens() > 0)
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        List<String> causes = Arrays.stream(MissCause.values())
                .map(MissCause::wireName)
                .filter(c -> rows.stream().anyMatch(r -> r.misses().containsKey(c)))
                .toList();
        List<String> header = new ArrayList<>(List.of("MISSED, % OF PROMPTS"));
        causes.forEach(c -> header.add(c.replace('_', ' ')));
        TextTable table = new TextTable(header.toArray(String[]::new));
        for (PolicyRow row : rows) {
            List<String> cells = new ArrayList<>(List.of(row.policy()));
            for (String cause : causes) {
                double share = 100.0 * row.misses().getOrDefault(cause, 0L) / row.promptTokens();
                cells.add(Figures.fixed(OptionalDouble.of(share), 2));
            }
            table.row(cells.toArray(String[]::new));
        }
        table.print(out);
        out.println();
        rows.forEach(row -> row.overflows().filter(o -> o.count() > 0).ifPresent(o -> print(row, o, out)));
    }

    private static void print(PolicyRow row, Overflows o, PrintWriter out) {
        out.printf(
                "Overflows %s: %s, %s tokens computed again; one costs %s in the median, %s at the 95th percentile%n",
                row.policy(),
                Figures.count(o.count()),
                Figures.count(o.reprefilledTokens()),
                Figures.fixed(o.p50Tokens(), 0),
                Figures.fixed(o.p95Tokens(), 0));
    }
}
