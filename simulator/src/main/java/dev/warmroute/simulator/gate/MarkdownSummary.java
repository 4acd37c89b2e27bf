package dev.warmroute.simulator.gate;

import dev.warmroute.simulator.compare.FleetSummary;
import java.util.List;

/** A check in Markdown, for a merge request. */
public final class MarkdownSummary {
    private static final int HASH_SHOWN = 12;

    private MarkdownSummary() {}

    /** The whole text. */
    public static String of(CheckResult result) {
        Evidence e = result.evidence();
        StringBuilder out = new StringBuilder();
        out.append("### warmroute check: ")
                .append(result.ok() ? "passed" : "not passed")
                .append("\n\n");
        result.warning().ifPresent(w -> out.append("> **").append(cell(w)).append("**\n\n"));
        out.append("| | assertion | found | 95 % interval | held against |\n|---|---|---:|---:|---:|\n");
        for (Judgement a : e.assertions()) {
            out.append("| ")
                    .append(outcome(a))
                    .append(" | ")
                    .append(code(a.text()))
                    .append(" | ");
            out.append(a.value().isPresent() ? text(a, a.value().getAsDouble()) : "-")
                    .append(" | ");
            out.append(
                            a.low().isPresent()
                                    ? text(a, a.low().getAsDouble()) + " to "
                                            + text(a, a.high().orElseThrow())
                                    : "-")
                    .append(" | ");
            out.append(a.bound().isPresent() ? text(a, a.bound().getAsDouble()) : "-")
                    .append(" |\n");
        }
        out.append("\nPolicy ").append(code(result.policy()));
        result.baseline().ifPresent(b -> out.append(" against ").append(code(b)));
        out.append(" on ")
                .append(code(result.source()))
                .append(e.fleet().map(MarkdownSummary::fleet).orElse(""))
                .append(".\n");
        out.append(
                e.judgedBy() == JudgeBy.INTERVAL
                        ? "An assertion holds when its whole 95 % interval is on the right side.\n"
                        : "An assertion holds when its figure is on the right side, whatever its interval.\n");
        out.append("Check ")
                .append(code(result.hash().substring(0, HASH_SHOWN)))
                .append(", warmroute ")
                .append(e.simulator())
                .append(".\n");
        return out.toString();
    }

    private static String outcome(Judgement a) {
        return a.ok() ? "ok" : "**" + a.outcome().words() + "**";
    }

    private static String text(Judgement a, double value) {
        return Unit.of(a.unit()).text(value);
    }

    private static String fleet(FleetSummary fleet) {
        return ", " + fleet.replicas() + " simulated replicas, " + fleet.seeds() + " seeds";
    }

    /** Text in a code span within a table: neither ends it. */
    private static String code(String s) {
        String fence = s.contains("`") ? "``" : "`";
        String pad = s.contains("`") ? " " : "";
        return fence + pad + cell(s) + pad + fence;
    }

    private static String cell(String s) {
        return String.join(" ", List.of(s.replace("|", "\\|").split("\\R")));
    }
}
