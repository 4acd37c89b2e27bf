package dev.warmroute.cli;

import dev.warmroute.simulator.capacity.Advice;
import dev.warmroute.simulator.capacity.CapacityCheck;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import dev.warmroute.simulator.capacity.LimitBound;
import dev.warmroute.simulator.capacity.ReuseCurve;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.capacity.ThreeChecks;
import dev.warmroute.simulator.capacity.Verdict;
import dev.warmroute.simulator.capacity.WorkingSet;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The answer of {@code capacity} for people. */
final class CapacityText {
    private final PrintWriter out;

    CapacityText(PrintWriter out) {
        this.out = out;
    }

    void print(CapacityResult result) {
        result.trace()
                .ifPresent(t -> say(
                        "Trace     %s  %s requests  %s sessions  %s prompt tokens",
                        t.source(),
                        Figures.count(t.requests()),
                        Figures.count(t.sessions()),
                        Figures.count(t.promptTokens())));
        result.verdict()
                .ifPresent(v -> out.println("Verdict   " + words(v).toUpperCase(Locale.ROOT)
                        + result.sessionsFit()
                                .map(f -> ": " + interval(f) + " sessions fit")
                                .orElse("")
                        + result.limit()
                                .map(l -> "; the limit is the " + l.wireName())
                                .orElse("")));
        result.cache()
                .filter(c -> !c.explanation().isEmpty())
                .ifPresent(c -> say(
                        "Capacity  %s tokens a replica%s (%s): %s",
                        Figures.count(c.tokens()),
                        c.tokensLow() == c.tokensHigh()
                                ? ""
                                : ", " + Figures.count(c.tokensLow()) + " to " + Figures.count(c.tokensHigh()),
                        result.capacitySource(),
                        c.explanation()));
        result.headroom().ifPresent(this::headroom);
        result.warnings().forEach(w -> out.println("Warning   " + w));
        result.rule().ifPresent(this::rule);
        if (!result.limits().isEmpty()) {
            limits(result.limits());
        }
        result.simulation().ifPresent(this::simulation);
        result.checks().ifPresent(this::checks);
        result.workingSet().ifPresent(this::workingSet);
        if (!result.advice().isEmpty()) {
            advice(result.advice());
        }
        result.reuse().ifPresent(this::reuse);
    }

    private void headroom(CapacityResult.Headroom h) {
        say(
                "Headroom  %d sessions, %s tokens with mean contexts, %s (%s)",
                h.sessions(),
                Figures.count(Math.round(h.tokens())),
                h.days().isPresent() ? Figures.fixed(h.days(), 0) + " days of growth" : "days of growth not known",
                h.growth());
    }

    private void rule(RuleLedger rule) {
        RuleLedger.Machine m = rule.machine();
        say(
                "Rule      %d sessions on %d x %s tokens: %.0f %% used with mean contexts, %.0f %% with p95",
                m.sessions(),
                m.replicas(),
                Figures.count(m.capacityTokens() / m.replicas()),
                100 * m.utilisationMean(),
                100 * m.utilisationP95());
        TextTable table = new TextTable("REPLICA", "sessions", "demand mean", "p95", "capacity", "used %", "fit");
        for (RuleLedger.Replica r : rule.replicas()) {
            table.row(
                    r.replica(),
                    Integer.toString(r.sessions()),
                    Figures.count(Math.round(r.demandMeanTokens())),
                    Figures.count(Math.round(r.demandP95Tokens())),
                    Figures.count(r.capacityTokens()),
                    text("%.0f", 100 * r.utilisationMean()),
                    Integer.toString(r.sessionsFitMean()));
        }
        print(table);
    }

    private void limits(List<LimitBound> bounds) {
        TextTable table = new TextTable("LIMIT, each by itself", "sessions");
        bounds.forEach(b -> table.row(b.limit().wireName() + ": " + b.because(), Figures.count(b.sessions())));
        print(table);
    }

    private void simulation(CapacityCheck s) {
        say(
                "Simulated %s sessions, %s: hit %s %% of at most %s %%, prompts take %.0f %% of the time. %s",
                s.sessions(),
                s.policy(),
                Figures.fixed(s.hitPct(), 1),
                Figures.fixed(s.ceilingPct(), 1),
                100 * s.prefillShare(),
                s.agreement());
    }

    private void checks(ThreeChecks checks) {
        checks.reasons().forEach(r -> out.println("Differs   " + r));
    }

    private void workingSet(WorkingSet w) {
        say(
                "In use    within %s s%s: %s tokens in the median, %s at the 95th percentile, %s at the peak",
                Figures.plain(w.windowS()),
                w.turnCycleP95S().isPresent()
                        ? " (turns come back within " + Figures.seconds(w.turnCycleP95S()) + " s)"
                        : "",
                Figures.count(w.p50Tokens()),
                Figures.count(w.p95Tokens()),
                Figures.count(w.peakTokens()));
    }

    private void advice(List<Advice> advice) {
        TextTable table = new TextTable(
                "CHANGE", "fit", "gained", "kept", "gained", "at", "hit %", "lost pp", "tok/min", "TTFT p95 s");
        for (Advice a : advice) {
            boolean now = a == advice.get(0);
            table.row(
                    a.change().replace('_', ' ') + ": " + a.detail(),
                    interval(a.sessionsFit()),
                    now ? "" : text("%+d", a.sessionsGained()),
                    a.sessionsKept().isPresent() ? a.sessionsKept().getAsInt() + (a.orMore() ? "+" : "") : "-",
                    a.keptGained().isPresent()
                            ? text(a.orMore() ? ">= %+d" : "%+d", a.keptGained().getAsInt())
                            : now ? "" : "-",
                    a.simulated().sessions().isPresent()
                            ? Integer.toString(a.simulated().sessions().getAsInt())
                            : "-",
                    Figures.fixed(a.simulated().hitPct(), 1),
                    Figures.fixed(a.simulated().lostPp(), 1),
                    Figures.fixed(a.simulated().outputTokensPerMin(), 0),
                    Figures.seconds(a.simulated().ttftP95S()));
        }
        out.println();
        out.println(
                "What would move it: sessions that fit by the rule, sessions of which the simulation keeps the cache, and a simulated run.");
        print(table);
    }

    private void reuse(ReuseCurve reuse) {
        say(
                "Reuse     %s block references, %s distinct blocks",
                Figures.count(reuse.blockReferences()), Figures.count(reuse.distinctBlocks()));
        TextTable table = new TextTable("CACHE tokens", "hit %");
        List<ReuseCurve.Point> points = reuse.curve();
        for (int i = 0; i < points.size(); i++) {
            boolean last = i == points.size() - 1;
            table.row(
                    last ? "without limit" : Figures.count(points.get(i).capacityTokens()),
                    text("%.4f", points.get(i).hitPct()));
        }
        print(table);
    }

    private void print(TextTable table) {
        out.println();
        table.print(out);
        out.println();
    }

    private static String interval(SessionsFit fit) {
        return fit.low() == fit.high() ? Integer.toString(fit.low()) : fit.low() + " to " + fit.high();
    }

    private static String words(Verdict verdict) {
        return verdict.wireName().replace('_', ' ');
    }

    private void say(String format, Object... values) {
        out.println(text(format, values));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
