package dev.warmroute.simulator.capacity;

import dev.warmroute.simulator.capacity.CapacityRequest.Check;
import dev.warmroute.simulator.kv.ServedModel;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A fleet with its sessions, as it is or with something changed.
 *
 * @param change what is changed; {@link #NOW} for nothing
 * @param detail the change in words and figures
 * @param demand the sessions
 * @param cache the caches
 * @param how machine, budgets and policy
 * @param served the model on its card, where it is known
 * @param contextPct length of the contexts behind the shared prefix, in percent of what they are
 */
record Situation(
        String change,
        String detail,
        Demand demand,
        CacheSize cache,
        Check how,
        Optional<ServedModel> served,
        int contextPct) {
    static final String NOW = "now";

    Situation {
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(demand, "demand");
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(how, "how");
        Objects.requireNonNull(served, "served");
    }

    static Situation now(Demand demand, CacheSize cache, Check how, Optional<ServedModel> served) {
        return new Situation(
                NOW,
                String.format(Locale.ROOT, "%d x %,d tokens", cache.replicas(), cache.tokens()),
                demand,
                cache,
                how,
                served,
                100);
    }

    Rule rule() {
        return Rule.even(demand, cache);
    }

    /** The same, called after a change. */
    Situation called(String name, String words) {
        return new Situation(name, words, demand, cache, how, served, contextPct);
    }

    Situation withCache(CacheSize other) {
        return new Situation(change, detail, demand, other, how, served, contextPct);
    }

    Situation withHow(Check other) {
        return new Situation(change, detail, demand, cache, other, served, contextPct);
    }

    Situation withDemand(Demand other, int pct) {
        return new Situation(change, detail, other, cache, how, served, pct);
    }
}
