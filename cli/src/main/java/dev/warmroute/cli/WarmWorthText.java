package dev.warmroute.cli;

import dev.warmroute.simulator.compare.WarmWorth;
import dev.warmroute.simulator.compare.WarmWorth.OfPolicy;
import dev.warmroute.simulator.compare.WarmWorth.Step;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalDouble;

/** What warm prompts are worth, for the terminal. */
final class WarmWorthText {
    private static final int LISTED = 8;
    /** The router's default of {@code warm_prompts.max_cache_share}. */
    private static final double MOST_SHARE_PCT = 25;

    private WarmWorthText() {}

    static void print(WarmWorth worth, PrintWriter out) {
        out.println();
        TextTable prompts = new TextTable("WARM PROMPT", "name", "tokens", "first turns");
        for (int i = 0; i < Math.min(LISTED, worth.prompts().size()); i++) {
            WarmWorth.Prompt p = worth.prompts().get(i);
            prompts.row(Integer.toString(i + 1), p.name(), Figures.count(p.tokens()), Figures.count(p.firstTurns()));
        }
        prompts.print(out);
        if (worth.prompts().size() > LISTED) {
            out.println("... and " + (worth.prompts().size() - LISTED) + " more");
        }
        worth.cacheSharePct()
                .ifPresent(share -> out.printf(
                        Locale.ROOT,
                        "All of them take %.1f %% of a replica's cache%s.%n",
                        share,
                        share > MOST_SHARE_PCT
                                ? ", more than the " + Figures.plain(MOST_SHARE_PCT) + " % at which the router warns"
                                : ""));
        out.println();
        TextTable times = new TextTable(
                "FIRST TURNS", "prompts", "TTFT mean s", "p50", "p95", "less s", "95 %", "all requests' wait less s");
        TextTable tokens = new TextTable(
                "TOKENS", "prompts", "hit %", "saved", "displaced", "computed", "kept", "net", "warm after s");
        for (OfPolicy policy : worth.policies()) {
            for (Step s : policy.steps()) {
                times.row(
                        policy.policy(),
                        Integer.toString(s.prompts()),
                        Figures.seconds(s.firstTtftMeanS()),
                        Figures.seconds(s.firstTtftP50S()),
                        Figures.seconds(s.firstTtftP95S()),
                        Figures.seconds(s.firstTtftSavedS()),
                        s.firstTtftSavedInterval()
                                .map(i -> seconds(i.low()) + " to " + seconds(i.high()))
                                .orElse("?"),
                        seconds(s.waitSavedS()));
                tokens.row(
                        policy.policy(),
                        Integer.toString(s.prompts()),
                        String.format(Locale.ROOT, "%.1f", s.hitPct()),
                        whole(s.savedTokens()),
                        whole(s.displacedTokens()),
                        whole(s.computedTokens()),
                        whole(s.keptTokens()),
                        whole(s.netTokens()),
                        seconds(s.warmS()));
            }
        }
        times.print(out);
        out.println();
        tokens.print(out);
        worth.policies().forEach(p -> out.println(p.policy() + ": " + verdict(p)));
        out.println(
                "Saved: prompt tokens of clients' requests that are found instead of computed, less the displaced ones, which are no"
                        + " longer found; net: saved less what was computed beforehand in whole blocks.");
        out.println();
    }

    private static String verdict(OfPolicy policy) {
        Step last = policy.steps().get(policy.steps().size() - 1);
        String net = last.netInterval()
                .map(i ->
                        "; net of all " + last.prompts() + ": " + whole(i.low()) + " to " + whole(i.high()) + " (95 %)")
                .orElse("");
        String pays = switch (policy.pays()) {
            case 0 -> "no number of prompts pays for itself: replicas compute more beforehand than clients save";
            case 1 ->
                "the first of " + last.prompts()
                        + " pays for itself: clients save at least what replicas compute beforehand";
            default ->
                policy.pays() + " of " + last.prompts()
                        + " pay for themselves: clients save at least what replicas compute beforehand";
        };
        return pays + net;
    }

    private static String whole(double tokens) {
        return Figures.count(Math.round(tokens));
    }

    private static String seconds(double value) {
        return Figures.seconds(OptionalDouble.of(value));
    }
}
