package dev.warmroute.simulator.capacity;

import dev.warmroute.router.UserError;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.kv.GpuSpec;
import dev.warmroute.simulator.kv.Gpus;
import dev.warmroute.simulator.kv.KvDtype;
import dev.warmroute.simulator.kv.ServedModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What could be changed about a fleet: each kind makes the situations worth looking at out of the one that is. */
enum Change {
    /** KV entries of one byte instead of two. */
    FP8_CACHE(Change::fp8),
    /** Another card under every replica: the smallest that holds the sessions, and the next larger. */
    CARD(Change::cards),
    /** One replica more. */
    REPLICA(Change::replica),
    /** Fewer sessions let in at the same time. */
    CAP(Change::cap),
    /** The policy {@code fit}: conversations beyond what fits are held in order. */
    POLICY_FIT(Change::fit),
    /** Contexts that are cut, or compacted, earlier. */
    SHORTER_CONTEXT(Change::shorter);

    private static final int LEAST_CONTEXT_PCT = 30;
    private static final int CONTEXT_STEP_PCT = 5;
    /** How much shorter contexts are looked at where the sessions fit already. */
    private static final int CONTEXT_PCT = 75;

    private static final int CARDS = 2;
    /** A card is another one when it has so many times the memory of the one before. */
    private static final double LARGER = 1.2;

    private final Function<Situation, List<Situation>> make;

    Change(Function<Situation, List<Situation>> make) {
        this.make = make;
    }

    /** Situations with this changed; none where it cannot be, or is so already. */
    List<Situation> of(Situation now) {
        return make.apply(now);
    }

    private String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static List<Situation> fp8(Situation now) {
        if (now.served().isEmpty()) {
            CacheSize twice = now.cache().times(2, now.cache().source());
            return List.of(FP8_CACHE
                    .made(now, "%,d tokens a replica, if entries have 16 bits now; step times as now", twice.tokens())
                    .withCache(twice));
        }
        ServedModel served = now.served().get();
        if (served.settings().kvDtype() != KvDtype.BF16) {
            return List.of();
        }
        ServedModel fp8 = new ServedModel(
                served.model(), served.gpu(), served.settings().withKvDtype(KvDtype.FP8), served.maxModelLen());
        return cacheOf(fp8, now)
                .map(c -> List.of(FP8_CACHE
                        .made(now, "%,d tokens a replica; step times as now", c.tokens())
                        .withCache(c)))
                .orElse(List.of());
    }

    private static List<Situation> cards(Situation now) {
        if (now.served().isEmpty()) {
            return List.of();
        }
        ServedModel served = now.served().get();
        List<GpuSpec> larger = Gpus.all().stream()
                .filter(g -> g.visibleGib() > served.gpu().visibleGib())
                .sorted(Comparator.comparingDouble(GpuSpec::visibleGib))
                .toList();
        List<Situation> found = new ArrayList<>();
        double least = served.gpu().visibleGib();
        for (GpuSpec card : larger) {
            if (found.size() == CARDS || card.visibleGib() < least) {
                continue;
            }
            ServedModel on = new ServedModel(served.model(), card, served.settings(), served.maxModelLen());
            Optional<CacheSize> cache = cacheOf(on, now);
            boolean enough = cache.isPresent()
                    && (!found.isEmpty() || Rule.even(now.demand(), cache.get()).verdict() == Verdict.FITS);
            if (enough) {
                least = LARGER * card.visibleGib();
                found.add(CARD.made(
                                now,
                                "%s instead of %s: %,d tokens a replica",
                                card.name(),
                                served.gpu().name(),
                                cache.get().tokens())
                        .withCache(cache.get())
                        .withHow(OtherCard.times(now, on)));
            }
        }
        return found;
    }

    private static List<Situation> replica(Situation now) {
        CacheSize cache = now.cache().withReplicas(now.cache().replicas() + 1);
        return List.of(REPLICA.made(
                        now,
                        "%d replicas instead of %d",
                        cache.replicas(),
                        now.cache().replicas())
                .withCache(cache));
    }

    private static List<Situation> cap(Situation now) {
        int fit = now.rule().ledger().machine().sessionsFitMean();
        if (fit < 1 || fit >= now.demand().sessions()) {
            return List.of();
        }
        return List.of(CAP.made(
                        now,
                        "%d sessions at a time instead of %d",
                        fit,
                        now.demand().sessions())
                .withDemand(now.demand().withSessions(fit), now.contextPct()));
    }

    private static List<Situation> fit(Situation now) {
        String policy = Policies.FIT.policyName();
        if (now.how().policy().name().equals(policy)) {
            return List.of();
        }
        return List.of(POLICY_FIT
                .made(now, "conversations beyond what fits are held at the router, in order")
                .withHow(now.how().withPolicy(PolicyChoice.of(policy))));
    }

    private static List<Situation> shorter(Situation now) {
        int pct = now.rule().verdict() == Verdict.FITS ? CONTEXT_PCT : 100;
        while (pct > LEAST_CONTEXT_PCT
                && Rule.even(now.demand().shortened(pct), now.cache()).verdict() != Verdict.FITS) {
            pct -= CONTEXT_STEP_PCT;
        }
        Demand demand = now.demand().shortened(pct);
        return List.of(SHORTER_CONTEXT
                .made(
                        now,
                        "contexts of %,.0f tokens instead of %,.0f: cut or compacted earlier",
                        demand.contextMeanTokens(),
                        now.demand().contextMeanTokens())
                .withDemand(demand, pct));
    }

    /**
     * The cache of another setting: as worked out, or what was said of the present one in proportion. Empty when the model does
     * not fit.
     */
    private static Optional<CacheSize> cacheOf(ServedModel other, Situation now) {
        try {
            CacheSize worked = CacheSize.of(now.cache().replicas(), other.capacity());
            CacheSize present = CacheSize.of(
                    now.cache().replicas(), now.served().orElseThrow().capacity());
            double said = (double) now.cache().tokens() / present.tokens();
            return Optional.of(
                    said == 1 ? worked : worked.times(said, now.cache().source()));
        } catch (UserError doesNotFit) {
            return Optional.empty();
        }
    }

    private Situation made(Situation of, String format, Object... values) {
        return of.called(wireName(), String.format(Locale.ROOT, format, values));
    }
}
