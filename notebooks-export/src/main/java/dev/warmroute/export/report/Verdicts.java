package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Metric;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.capacity.CapacityResult.SessionsFit;
import dev.warmroute.simulator.capacity.Limit;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.capacity.RuleLedger.Machine;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.SelfReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Writes the verdict box out of what is known. */
final class Verdicts {
    /** What decides which policy is ahead in a closed loop, the most telling first. */
    private static final List<Metric> CLOSED =
            List.of(Metric.OUTPUT_TOKENS_PER_MIN, Metric.HIT_PCT, Metric.SESSION_P50_S);

    /** The same at recorded arrival times, which fix the output. */
    private static final List<Metric> OPEN = List.of(Metric.TTFT_P95_S, Metric.HIT_PCT);

    private static final List<Metric> SHOWN = List.of(
            Metric.HIT_PCT,
            Metric.OUTPUT_TOKENS_PER_MIN,
            Metric.TTFT_P50_S,
            Metric.TTFT_P95_S,
            Metric.SESSION_P50_S,
            Metric.SESSION_P95_S);

    private final Optional<CapacityResult> capacity;
    private final boolean policiesFirst;
    private final List<Scenario> scenarios;
    private final List<ComparisonSummary> accuracy;
    private final String recommendation;
    private final String confidence;

    Verdicts(
            Optional<CapacityResult> capacity,
            boolean policiesFirst,
            List<Scenario> scenarios,
            List<ComparisonSummary> accuracy,
            String recommendation,
            String confidence) {
        this.capacity = capacity;
        this.policiesFirst = policiesFirst;
        this.scenarios = scenarios;
        this.accuracy = accuracy;
        this.recommendation = recommendation;
        this.confidence = confidence.isEmpty() ? trust() : confidence;
    }

    VerdictBox box() {
        if (capacity.flatMap(CapacityResult::verdict).isPresent() && !(policiesFirst && !scenarios.isEmpty())) {
            return ofCapacity(capacity.get());
        }
        if (!scenarios.isEmpty()) {
            return ofPolicies(scenarios.get(scenarios.size() - 1));
        }
        if (capacity.isPresent()) {
            return box(
                    Level.COMPARED,
                    "Reuse distances",
                    Checks.of(capacity.get()).stream()
                            .map(Check::result)
                            .findFirst()
                            .orElse(""),
                    "Name a fleet and a number of sessions to have them judged.",
                    List.of());
        }
        return box(Level.COMPARED, "Predicted and measured", "", "", List.of());
    }

    private VerdictBox box(Level level, String headline, String answer, String advice, List<Fact> facts) {
        return new VerdictBox(
                level, headline, answer, recommendation.isEmpty() ? advice : recommendation, confidence, facts);
    }

    private VerdictBox ofCapacity(CapacityResult result) {
        Level level = Level.of(result.verdict().orElseThrow());
        List<Fact> facts = new ArrayList<>();
        String answer = "";
        if (result.rule().isPresent()) {
            Machine m = result.rule().get().machine();
            answer = m.sessions() + " sessions with contexts of " + Unit.TOKENS.text(m.contextMeanTokens()) + " need "
                    + Unit.TOKENS.text(m.utilisationMean() * m.capacityTokens()) + "; the cache of "
                    + replicas(m.replicas()) + " holds " + Unit.TOKENS.text(m.capacityTokens())
                    + (result.capacitySource().isEmpty()
                            ? "."
                            : ", " + Provenance.capacityWords(result.capacitySource()) + ".");
            facts.add(
                    new Fact("Sessions asked for", Cell.of(m.sessions(), Unit.COUNT), "on " + replicas(m.replicas())));
        }
        result.sessionsFit().ifPresent(f -> facts.add(sessionsFit(f)));
        result.rule().ifPresent(r -> facts.addAll(room(r, result.sessionsFit())));
        result.headroom()
                .filter(h -> h.days().isPresent())
                .ifPresent(h -> facts.add(
                        new Fact("Days until it is used up", Cell.of(h.days().getAsDouble(), Unit.COUNT), h.growth())));
        result.limit()
                .ifPresent(l -> facts.add(
                        new Fact("Limited by", Cell.words(l == Limit.CACHE ? "KV cache" : l.wireName()), "")));
        result.simulation()
                .filter(s -> s.hitPct().isPresent())
                .ifPresent(s -> facts.add(new Fact(
                        "Simulated prefix hit",
                        Cell.of(s.hitPct().getAsDouble(), Unit.PERCENT),
                        s.ceilingPct().isPresent()
                                ? "ceiling " + Unit.PERCENT.text(s.ceilingPct().getAsDouble())
                                : "")));
        return box(level, level.words(), answer, advice(level, result), facts);
    }

    private static Fact sessionsFit(SessionsFit fit) {
        return fit.low() == fit.high()
                ? new Fact("Sessions that fit", Cell.of(fit.low(), Unit.COUNT), "with any context")
                : new Fact(
                        "Sessions that fit",
                        Cell.words(fit.low() + " to " + fit.high()),
                        "95th percentile to mean contexts");
    }

    private static List<Fact> room(RuleLedger rule, Optional<SessionsFit> fit) {
        Machine m = rule.machine();
        double fullest = rule.replicas().stream()
                .mapToDouble(RuleLedger.Replica::utilisationMean)
                .max()
                .orElse(m.utilisationMean());
        List<Fact> facts = new ArrayList<>();
        double tail = rule.replicas().stream()
                .mapToDouble(RuleLedger.Replica::utilisationP95)
                .max()
                .orElse(m.utilisationP95());
        facts.add(new Fact(
                "Fullest replica needs",
                Cell.of(fullest, Unit.RATIO),
                "of its cache; " + Unit.RATIO.text(tail) + " with p95 contexts"));
        facts.add(new Fact(
                "Room left",
                Cell.of(m.headroomTokens(), Unit.TOKENS_LEFT),
                fit.map(f -> Unit.COUNT_LEFT.text(f.high() - m.sessions()) + " sessions")
                        .orElse("")));
        return facts;
    }

    private static String advice(Level level, CapacityResult result) {
        if (result.sessionsFit().isEmpty()) {
            return "";
        }
        SessionsFit fit = result.sessionsFit().get();
        return switch (level) {
            case FITS -> "Admit up to " + fit.low() + " sessions; nothing else needs to change.";
            case EDGE ->
                asked(result) <= fit.low()
                        ? "The rule says it fits and the simulation that it does not: read the checks before you rely on it."
                        : "Admit at most " + fit.low() + " sessions to stay clear of the edge, or add cache.";
            case DOES_NOT_FIT ->
                fit.high() > 0
                        ? "Admit at most " + (fit.low() > 0 ? fit.low() : fit.high())
                                + " sessions at a time, or add cache."
                        : "Not one session fits a replica: add cache or shorten the contexts.";
            case COMPARED -> "";
        };
    }

    private static int asked(CapacityResult result) {
        return result.rule().map(r -> r.machine().sessions()).orElse(Integer.MAX_VALUE);
    }

    /** What decides which policy of a scenario is ahead. */
    private static Metric objective(Scenario scenario) {
        boolean open = scenario.fleet().filter(f -> f.mode().equals("open")).isPresent();
        return (open ? OPEN : CLOSED)
                .stream()
                        .filter(m -> m.of(scenario.base()).isPresent())
                        .findFirst()
                        .orElse(Metric.HIT_PCT);
    }

    /** The policy with the best figure, told apart from others or not. */
    static PolicyRow ahead(Scenario scenario) {
        return Ranking.of(scenario).best(objective(scenario)).orElse(scenario.base());
    }

    private VerdictBox ofPolicies(Scenario scenario) {
        Metric objective = objective(scenario);
        Ranking ranking = Ranking.of(scenario);
        PolicyRow best = ahead(scenario);
        List<String> even = ranking.indistinguishable(objective, best);
        String where = scenario.name().isEmpty() ? "" : scenario.name() + ": ";
        List<Fact> facts = new ArrayList<>();
        for (Metric metric : SHOWN) {
            OptionalDouble value = metric.of(best);
            if (value.isPresent()) {
                facts.add(new Fact(
                        metric.label(), Cell.of(value.getAsDouble(), metric.unit()), against(metric, scenario, best)));
            }
        }
        capacity.flatMap(CapacityResult::rule)
                .ifPresent(r -> facts.add(new Fact(
                        "Sessions that fit",
                        Cell.words(r.machine().sessionsFitP95() + " to "
                                + r.machine().sessionsFitMean()),
                        "by the rule, of " + r.machine().sessions())));
        boolean ahead = even.contains(scenario.baseline()) && aheadOtherwise(scenario, best);
        String headline = scenario.policies().size() == 1
                ? best.policy()
                : ahead ? best.policy() + " is ahead" : headline(scenario, best, even);
        String answer = where + best.policy() + " has the best " + words(objective) + " of "
                + scenario.policies().size()
                + " policies, " + objective.unit().text(objective.of(best).orElse(0))
                + (even.isEmpty() ? "." : "; " + String.join(", ", even) + " cannot be told apart from it.");
        if (scenario.policies().size() == 1) {
            answer = where + words(objective) + " "
                    + objective.unit().text(objective.of(best).orElse(0)) + ".";
        }
        answer += gain(scenario, best, objective) + price(scenario, best);
        return box(Level.COMPARED, headline, answer, advice(scenario, best, ahead ? List.of() : even), facts);
    }

    /** Whether the best policy beats the baseline in something beyond the intervals, and loses to it in nothing. */
    private static boolean aheadOtherwise(Scenario scenario, PolicyRow best) {
        Ranking ranking = Ranking.of(scenario);
        PolicyRow base = scenario.base();
        return SHOWN.stream().anyMatch(m -> ranking.worse(m, base, best))
                && SHOWN.stream().noneMatch(m -> ranking.worse(m, best, base));
    }

    /** What the best policy does better than the baseline, beyond the intervals and besides the objective. */
    private static String gain(Scenario scenario, PolicyRow best, Metric objective) {
        Ranking ranking = Ranking.of(scenario);
        List<String> better = SHOWN.stream()
                .filter(m -> m != objective && ranking.worse(m, scenario.base(), best))
                .map(Verdicts::words)
                .toList();
        return better.isEmpty()
                ? ""
                : " Against " + scenario.baseline() + " it is better in " + String.join(", ", better) + ".";
    }

    private static String headline(Scenario scenario, PolicyRow best, List<String> even) {
        if (even.isEmpty()) {
            return best.policy() + " is ahead";
        }
        boolean baselineIsEven = best.policy().equals(scenario.baseline()) || even.contains(scenario.baseline());
        return baselineIsEven
                ? "No clear winner"
                : even.size() == 1
                        ? best.policy() + " and " + even.get(0) + " are ahead"
                        : scenario.baseline() + " is behind";
    }

    private static String advice(Scenario scenario, PolicyRow best, List<String> even) {
        if (scenario.policies().size() == 1 || best.policy().equals(scenario.baseline())) {
            return "Keep " + scenario.baseline() + "; nothing here argues against it.";
        }
        return even.contains(scenario.baseline())
                ? "Keep " + scenario.baseline() + "; what is ahead of it cannot be told apart from it."
                : "Check " + best.policy() + " against your assertions before it replaces " + scenario.baseline() + ".";
    }

    /** What the best policy does worse than the baseline, beyond the intervals; empty when nothing. */
    private static String price(Scenario scenario, PolicyRow best) {
        PolicyRow base = scenario.base();
        List<String> worse = new ArrayList<>();
        for (Metric metric : best == base ? List.<Metric>of() : SHOWN) {
            if (Ranking.of(scenario).worse(metric, best, base)) {
                worse.add(metric.label() + " ("
                        + metric.unit().text(metric.of(best).getAsDouble()) + " against "
                        + metric.unit().text(metric.of(base).getAsDouble()) + ")");
            }
        }
        return worse.isEmpty() ? "" : " Its price: " + String.join(", ", worse) + ".";
    }

    private static String words(Metric metric) {
        return metric.label().startsWith("TTFT")
                ? metric.label()
                : metric.label().toLowerCase(Locale.ROOT);
    }

    private static String against(Metric metric, Scenario scenario, PolicyRow best) {
        PolicyRow base = scenario.base();
        return base == best || metric.of(base).isEmpty()
                ? ""
                : base.policy() + " " + metric.unit().text(metric.of(base).getAsDouble());
    }

    private static String itself(SelfReplay replay) {
        return "Replayed as it was recorded, the trace has " + Unit.CHANGE.text(replay.cachedOffPct())
                + " of cached tokens against what the engines counted.";
    }

    private static String replicas(int n) {
        return n == 1 ? "one replica" : n + " replicas";
    }

    private String trust() {
        Optional<ComparisonSummary> hit = accuracy.stream()
                .filter(a -> a.metric().equals(Metric.HIT_PCT.field()))
                .findFirst();
        if (hit.isEmpty()) {
            return scenarios.stream()
                    .flatMap(s -> s.selfReplay().stream())
                    .findFirst()
                    .map(Verdicts::itself)
                    .orElse("");
        }
        return hit.map(h -> "Against " + h.cases() + " measured runs the simulation was off by "
                        + Unit.POINTS.text(h.meanError()).replace("+", "") + " of prefix hit on average, at most "
                        + Unit.POINTS.text(h.worstError()).replace("+", "") + ".")
                .orElse("");
    }
}
