package dev.warmroute.cli;

import dev.warmroute.simulator.compare.Figure;
import dev.warmroute.simulator.compare.FleetSummary;
import dev.warmroute.simulator.compare.GroupRow;
import dev.warmroute.simulator.compare.Interval;
import dev.warmroute.simulator.compare.PolicyComparison;
import dev.warmroute.simulator.compare.PolicyComparison.Against;
import dev.warmroute.simulator.compare.PolicyComparison.Standing;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.SelfReplay;
import dev.warmroute.simulator.compare.TraceSummary;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** The answer of {@code whatif} for the terminal, in tables of at most 100 columns where the policies' names allow it. */
final class WhatIfText {
    private static final List<Figure> SHOWN = List.of(
            Figure.HIT_PCT,
            Figure.OUTPUT_TOKENS_PER_MIN,
            Figure.TTFT_P50_S,
            Figure.TTFT_P95_S,
            Figure.SESSION_P50_S,
            Figure.SESSION_P95_S);

    private static final int MOST_COLUMNS = 12;

    private final WhatIfResult result;
    private final String doubtful;
    private final PrintWriter out;

    private WhatIfText(WhatIfResult result, String doubtful, PrintWriter out) {
        this.result = result;
        this.doubtful = doubtful;
        this.out = out;
    }

    /** @param doubtful what to check when the recording's own replay is far off, in words */
    static void print(WhatIfResult result, String doubtful, PrintWriter out) {
        new WhatIfText(result, doubtful, out).print();
    }

    private void print() {
        result.selfReplay().filter(r -> !r.faithful()).ifPresent(this::unfaithful);
        head();
        policies();
        intervals();
        result.comparison().ifPresent(c -> {
            differences(c);
            ranking(c);
        });
        MissesTable.print(result.policies(), out);
        for (PolicyRow r : result.policies()) {
            r.externalHits()
                    .ifPresent(hits -> out.printf(
                            "Host      %s: %s of %s tokens missed on the cards came from host memory%n",
                            r.policy(),
                            Figures.count(hits),
                            Figures.count(r.externalQueries().orElse(0))));
        }
        result.warmPrompts().ifPresent(w -> WarmWorthText.print(w, out));
        groups("HIT %, BY REPLICA", PolicyRow::byReplica);
        groups("HIT %, BY TURN", PolicyRow::byTurn);
        if (!result.intervals().isEmpty()) {
            out.println("Intervals: " + result.intervals() + ".");
        }
        out.printf("Computed in %.2f s%n", result.wallS());
    }

    private void head() {
        TraceSummary t = result.trace();
        out.printf(
                "Trace     %s  %s requests  %s sessions  %s prompt tokens%s%n",
                t.source(),
                Figures.count(t.requests()),
                Figures.count(t.sessions()),
                Figures.count(t.promptTokens()),
                t.hash().isEmpty()
                        ? ""
                        : "  sha256 "
                                + t.hash().substring(0, Math.min(12, t.hash().length())));
        result.fleet().ifPresent(f -> {
            out.println("Fleet     " + describe(f));
            if (!f.capacity().isEmpty()) {
                out.println("Capacity  " + f.capacity());
            }
            f.warnings().forEach(w -> out.println("Warning   " + w));
        });
        if (t.withoutSession() > 0 && t.sessions() > 0) {
            out.printf(
                    "Note      %s requests have no session; session policies balance them%n",
                    Figures.count(t.withoutSession()));
        } else if (t.sessions() == 0) {
            out.println("Note      no request has a session; session policies balance them all");
        }
        result.notes().forEach(n -> out.println("Note      " + n));
        result.selfReplay().ifPresent(this::selfReplay);
        out.println();
    }

    private void unfaithful(SelfReplay r) {
        out.printf("NOT FAITHFUL: %s.%nEverything below may be as wrong. Check %s.%n%n", offBy(r), doubtful);
    }

    /** How far the replay of a recording as it was is off, in words. */
    static String offBy(SelfReplay r) {
        return String.format(
                Locale.ROOT,
                "replayed as it was recorded, this trace has %+.1f %% of the cached tokens that the engines"
                        + " counted (tolerated: %s %%)",
                r.cachedOffPct(),
                Figures.plain(r.tolerancePct()));
    }

    private void selfReplay(SelfReplay r) {
        SelfReplay.Figures replayed = r.byPolicy().orElse(r.asPlaced());
        out.printf(
                Locale.ROOT,
                "Itself    %s: hits %.2f %% counted, %.2f %% replayed (cached tokens %+.2f %%, %,d of %,d requests exact as"
                        + " placed); TTFT p50 %s s measured, %s s replayed%n",
                r.byPolicy().isPresent() ? "policy " + r.policy() + " again" : "placed as recorded",
                r.recorded().hitPct(),
                replayed.hitPct(),
                r.cachedOffPct(),
                r.asPlaced().exactRequests(),
                r.requests(),
                Figures.seconds(r.recorded().ttftP50S()),
                Figures.seconds(replayed.ttftP50S()));
        r.cacheAlone()
                .ifPresent(c -> out.printf(
                        Locale.ROOT,
                        "          with placements and times as recorded: hits %.2f %% (cached tokens %+.2f %%, %,d requests exact): %s%n",
                        c.hitPct(),
                        c.offPct(),
                        c.exactRequests(),
                        Math.abs(c.offPct()) <= r.tolerancePct()
                                ? "the caches are right, what is off beyond that is the step times'"
                                : "the caches themselves are off"));
    }

    static String describe(FleetSummary f) {
        String cache = f.usableBlocks().isPresent()
                ? Figures.count(f.usableBlocks().getAsInt()) + " blocks of " + f.blockSize() + " tokens ("
                        + f.capacitySource() + ")"
                : "cache without limit, blocks of " + f.blockSize() + " tokens";
        return f.replicas() + " replicas  " + cache + "  " + f.mode() + " loop"
                + (f.timing().isEmpty() ? "" : "  timing " + f.timing()) + "  " + f.seeds()
                + (f.seeds() == 1 ? " seed" : " seeds");
    }

    private void policies() {
        TextTable table = new TextTable(
                "POLICY",
                "hit %",
                "tok/min",
                "TTFT p50 s",
                "p95 s",
                "session p50 s",
                "p95 s",
                "fair",
                "busy",
                "stayed %",
                "preempt");
        for (PolicyRow r : result.policies()) {
            table.row(
                    r.policy(),
                    Figures.fixed(r.hitPct(), 2),
                    Figures.fixed(r.outputTokensPerMin(), 0),
                    Figures.seconds(r.ttftP50S()),
                    Figures.seconds(r.ttftP95S()),
                    Figures.seconds(r.sessionP50S()),
                    Figures.seconds(r.sessionP95S()),
                    Figures.fixed(r.sessionFairness(), 2),
                    Figures.fixed(r.replicasBusy(), 2),
                    Figures.fixed(r.stayedPct(), 1),
                    Figures.count(r.preemptions()));
        }
        table.print(out);
        out.println();
    }

    private void intervals() {
        List<Figure> figures = SHOWN.stream()
                .filter(f ->
                        result.policies().stream().anyMatch(r -> r.interval().containsKey(f.wireName())))
                .toList();
        if (figures.isEmpty()) {
            return;
        }
        TextTable table = table("95 % INTERVALS", figures);
        for (PolicyRow r : result.policies()) {
            row(
                    table,
                    r.policy(),
                    figures,
                    f -> Optional.ofNullable(r.interval().get(f.wireName()))
                            .map(i -> interval(f, i))
                            .orElse("-"));
        }
        table.print(out);
        out.println();
    }

    private static String interval(Figure figure, Interval i) {
        return value(figure, i.low()) + ".." + value(figure, i.high());
    }

    private static String value(Figure figure, double value) {
        return switch (figure) {
            case HIT_PCT, STAYED_PCT -> Figures.fixed(OptionalDouble.of(value), 1);
            case SESSION_FAIRNESS, REPLICAS_BUSY -> Figures.fixed(OptionalDouble.of(value), 2);
            case OUTPUT_TOKENS_PER_MIN, PREEMPTIONS -> Figures.fixed(OptionalDouble.of(value), 0);
            case TTFT_P50_S, TTFT_P95_S, SESSION_P50_S, SESSION_P95_S -> Figures.seconds(OptionalDouble.of(value));
        };
    }

    private void differences(PolicyComparison comparison) {
        List<Figure> figures = SHOWN.stream()
                .filter(f -> comparison.against().stream()
                        .anyMatch(a -> a.differences().containsKey(f.wireName())))
                .toList();
        if (figures.isEmpty()) {
            return;
        }
        TextTable table = table("LESS " + comparison.baseline(), figures);
        for (Against against : comparison.against()) {
            row(
                    table,
                    against.policy(),
                    figures,
                    f -> Optional.ofNullable(against.differences().get(f.wireName()))
                            .map(d -> value(f, d.difference()) + (d.certain() ? "" : " ?"))
                            .orElse("-"));
            row(
                    table,
                    "",
                    figures,
                    f -> Optional.ofNullable(against.differences().get(f.wireName()))
                            .flatMap(PolicyComparison.Difference::interval)
                            .map(i -> interval(f, i))
                            .orElse(""));
        }
        table.print(out);
        boolean doubt = comparison.against().stream()
                .flatMap(a -> a.differences().values().stream())
                .anyMatch(d -> !d.certain());
        out.println("Paired differences with their 95 % intervals" + (doubt ? "; ? = not told apart" : ""));
        out.println();
    }

    private void ranking(PolicyComparison comparison) {
        TextTable table = new TextTable("BEST BY", "", "probability", "regret", "then", "probability", "regret");
        for (PolicyComparison.Ranking ranking : comparison.ranking()) {
            Figure figure = Figure.valueOf(ranking.figure().toUpperCase(Locale.ROOT));
            Standing first = ranking.standings().get(0);
            Standing second = ranking.standings().get(1);
            table.row(
                    words(figure),
                    first.policy(),
                    probability(first),
                    regret(figure, first),
                    second.policy(),
                    probability(second),
                    regret(figure, second));
        }
        table.print(out);
        out.println();
    }

    private static String probability(Standing s) {
        return s.bestPct().isPresent() ? Figures.fixed(s.bestPct(), 0) + " %" : "?";
    }

    private static String regret(Figure figure, Standing s) {
        return s.regret().isPresent() ? value(figure, s.regret().getAsDouble()) : "?";
    }

    private void groups(String title, Function<PolicyRow, List<GroupRow>> groups) {
        Set<String> names = new LinkedHashSet<>();
        result.policies()
                .forEach(r -> groups.apply(r).stream().limit(MOST_COLUMNS).forEach(g -> names.add(g.name())));
        if (names.size() < 2) {
            return;
        }
        List<String> header = new ArrayList<>(List.of(title));
        header.addAll(names);
        TextTable table = new TextTable(header.toArray(String[]::new));
        for (PolicyRow r : result.policies()) {
            List<String> cells = new ArrayList<>(List.of(r.policy()));
            for (String name : names) {
                cells.add(groups.apply(r).stream()
                        .filter(g -> g.name().equals(name))
                        .findFirst()
                        .map(g -> Figures.fixed(g.hitPct(), 1))
                        .orElse("-"));
            }
            table.row(cells.toArray(String[]::new));
        }
        table.print(out);
        out.println();
    }

    private static TextTable table(String title, List<Figure> figures) {
        List<String> header = new ArrayList<>(List.of(title));
        figures.forEach(f -> header.add(words(f)));
        return new TextTable(header.toArray(String[]::new));
    }

    private static void row(TextTable table, String name, List<Figure> figures, Function<Figure, String> cell) {
        List<String> cells = new ArrayList<>(List.of(name));
        figures.forEach(f -> cells.add(cell.apply(f)));
        table.row(cells.toArray(String[]::new));
    }

    private static String words(Figure figure) {
        return switch (figure) {
            case HIT_PCT -> "hit %";
            case OUTPUT_TOKENS_PER_MIN -> "tok/min";
            case TTFT_P50_S -> "TTFT p50 s";
            case TTFT_P95_S -> "TTFT p95 s";
            case SESSION_P50_S -> "session p50 s";
            case SESSION_P95_S -> "session p95 s";
            case SESSION_FAIRNESS -> "fairness";
            case REPLICAS_BUSY -> "busy";
            case STAYED_PCT -> "stayed %";
            case PREEMPTIONS -> "preemptions";
        };
    }
}
