package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.report.Section.Facts;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.TraceSummary;
import java.util.ArrayList;
import java.util.List;

/** Where a report's figures come from, as labels and values. */
final class ProvenanceFacts {
    private ProvenanceFacts() {}

    static List<Facts.Entry> of(Provenance p) {
        List<Facts.Entry> entries = new ArrayList<>();
        p.trace().ifPresent(t -> trace(entries, t));
        words(entries, "Offsets", p.offsets(), false);
        words(entries, "Machine", p.machine(), false);
        words(entries, "Capacity", Provenance.capacityWords(p.capacitySource()), false);
        p.cacheTokens().ifPresent(c -> number(entries, "Cache of a simulated replica", c, Unit.TOKENS));
        p.fleet().ifPresent(f -> fleet(entries, f));
        words(entries, "Intervals", p.intervals(), false);
        words(entries, "Command", p.command(), true);
        words(entries, "warmroute", p.version(), false);
        return entries;
    }

    private static void trace(List<Facts.Entry> entries, TraceSummary t) {
        words(entries, "Trace", t.source(), false);
        words(entries, "Content hash", t.hash(), true);
        number(entries, "Requests", t.requests(), Unit.COUNT);
        number(entries, "Sessions", t.sessions(), Unit.COUNT);
        if (t.withoutSession() > 0) {
            number(entries, "Requests without a session", t.withoutSession(), Unit.COUNT);
        }
        number(entries, "Prompt tokens", t.promptTokens(), Unit.TOKENS);
        number(entries, "Output tokens", t.outputTokens(), Unit.TOKENS);
        number(entries, "Span", t.spanS(), Unit.SECONDS);
    }

    private static void fleet(List<Facts.Entry> entries, FleetSummary f) {
        number(entries, "Simulated replicas", f.replicas(), Unit.COUNT);
        number(entries, "Block size", f.blockSize(), Unit.TOKENS);
        words(entries, "Replay", mode(f.mode()), false);
        words(entries, "Step times", f.timing(), false);
        number(entries, "Seeds", f.seeds(), Unit.COUNT);
        if (f.scrapeIntervalS() > 0) {
            number(entries, "Counters scraped every", f.scrapeIntervalS(), Unit.SECONDS);
        }
    }

    private static String mode(String mode) {
        return switch (mode) {
            case "serial" -> "one request after another, no timing";
            case "open" -> "recorded arrival times";
            case "partly_open" -> "sessions start at random, each turn after the one before";
            case "closed" -> "each turn after the one before, recorded gaps kept";
            default -> mode;
        };
    }

    private static void words(List<Facts.Entry> entries, String label, String value, boolean code) {
        if (!value.isEmpty()) {
            entries.add(new Facts.Entry(label, Cell.words(value), code));
        }
    }

    private static void number(List<Facts.Entry> entries, String label, double value, Unit unit) {
        entries.add(new Facts.Entry(label, Cell.of(value, unit), false));
    }
}
