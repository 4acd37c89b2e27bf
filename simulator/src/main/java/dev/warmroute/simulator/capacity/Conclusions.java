package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.engine.HostMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Draws the conclusions: verdict, limit, headroom, warnings. */
final class Conclusions {
    private final CapacityRequest request;
    private final Findings found;
    private final Optional<Rule> rule;
    private final Optional<CapacityCheck> check;

    Conclusions(CapacityRequest request, Findings found) {
        this.request = request;
        this.found = found;
        this.rule = found.rule();
        this.check = found.simulated().check();
    }

    CapacityResult result() {
        Optional<RuleLedger> ledger = rule.map(Rule::ledger);
        List<LimitBound> bounds = rule.map(r ->
                        new Limits(r, request.cache().orElseThrow().replicas()).bounds(request.check(), found.turns()))
                .orElse(List.of());
        return new CapacityResult(
                found.trace(),
                rule.map(this::verdict),
                rule.map(Rule::sessionsFit),
                rule.map(r -> limit(r, bounds)),
                request.cache().map(CacheSize::source).orElse(""),
                request.cache().map(CapacityResult.Cache::of),
                ledger.map(l -> headroom(l.machine(), bounds)),
                ledger.map(l -> warnings(l.machine())).orElse(List.of()),
                ledger,
                found.reuse(),
                check,
                bounds,
                found.workingSet(),
                rule.map(r -> ThreeChecks.of(r, found.curve(), check)),
                found.simulated().advice());
    }

    private Verdict verdict(Rule r) {
        boolean contradicted = check.isPresent() && check.get().lostPp().orElse(0) > CapacityAnalysis.LOST_TOO_MUCH_PP;
        return r.verdict() == Verdict.FITS && contradicted ? Verdict.EDGE : r.verdict();
    }

    private Limit limit(Rule r, List<LimitBound> bounds) {
        Optional<Limit> saturated = check.flatMap(CapacityCheck::saturated);
        if (saturated.isPresent()) {
            return saturated.get();
        }
        return r.limit() == Limit.PLACEMENT ? Limit.PLACEMENT : bounds.get(0).limit();
    }

    private CapacityResult.Headroom headroom(RuleLedger.Machine machine, List<LimitBound> bounds) {
        double demandTokens = machine.utilisationMean() * machine.capacityTokens();
        Growth growth = request.outlook().growthPctPerDay().isPresent()
                ? Growth.given(request.outlook().growthPctPerDay().getAsDouble(), demandTokens)
                : found.workingSet()
                        .map(Growth::of)
                        .orElseGet(() -> Growth.unknown(
                                found.trace().isPresent()
                                        ? "the trace's sessions are not on one clock"
                                        : "a description does not say how demand grows: give growth_per_day"));
        return new CapacityResult.Headroom(
                bounds.get(0).sessions() - machine.sessions(),
                machine.headroomTokens(),
                growth.daysFor(machine.headroomTokens()),
                growth.tokensPerDay(),
                growth.explanation());
    }

    private List<String> warnings(RuleLedger.Machine machine) {
        List<String> warnings = new ArrayList<>(request.served()
                .map(served -> served.warnings(machine.contextP95Tokens(), machine.sharedTokens()))
                .orElse(List.of()));
        rule.filter(Rule::overwrittenByColdPrompt)
                .ifPresent(r -> warnings.add(String.format(
                        Locale.ROOT,
                        "a prompt of %.0f tokens that is computed from its beginning takes and gives back %d blocks of sliding windows in a pool"
                                + " of %d: what others keep idle is overwritten, and hits collapse though the sessions fit",
                        machine.contextP95Tokens(),
                        r.passingBlocks(),
                        request.cache().orElseThrow().usableBlocks())));
        request.check().flatMap(CapacityRequest.Check::host).ifPresent(host -> warnings.add(hostMemory(host, machine)));
        return warnings;
    }

    /** What a second cache means for a rule that counts the cards alone. */
    private String hostMemory(HostMemory host, RuleLedger.Machine machine) {
        CacheSize cache = request.cache().orElseThrow();
        long tokens = (long) host.blocks() * cache.blockSize();
        CacheSize both = cache.times((double) (cache.tokens() + tokens) / cache.tokens(), cache.source());
        int fit =
                rule.map(r -> Rule.even(r.demand(), both).sessionsFit().high()).orElse(0);
        return String.format(
                Locale.ROOT,
                "host memory holds another %d tokens a replica, which turns can hit at the price of loading them: the rule counts the"
                        + " cards alone, where %d sessions fit; with both %d find their history",
                tokens,
                machine.sessionsFitMean(),
                fit);
    }
}
