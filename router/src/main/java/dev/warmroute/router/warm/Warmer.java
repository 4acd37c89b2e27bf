package dev.warmroute.router.warm;

import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.config.RouterConfig.Warming;
import dev.warmroute.router.config.RouterConfig.Where;
import dev.warmroute.router.event.ControlEvent.WarmupFinished;
import dev.warmroute.router.event.ControlEvent.WarmupStarted;
import dev.warmroute.router.proxy.ProxyServer;
import dev.warmroute.router.proxy.ReplicaListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the warm prompts to replicas that are cold: at the start, when a replica comes (back), when its engine was started again
 * and after its cache was cleared. In the background, at most so many at a time on one replica, on connections of its own; no
 * client's request waits for it, and nothing of it counts as traffic. Thread-safe.
 */
public final class Warmer implements ReplicaListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Warmer.class);

    /** A warm-up that is stopped cuts its connections and ends. */
    private static final Duration STOPPING = Duration.ofSeconds(5);

    private static final int CAPACITY_ATTEMPTS = 20;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);

    private final Warming config;
    private final RouterServices services;
    private final ProxyServer proxy;
    private final WarmSource source;
    private final WarmChain chain;
    private final EngineClient engine = new EngineClient();
    private final CacheClearing clearing;
    private final Map<String, ReplicaWarmth> replicas = new ConcurrentHashMap<>();
    /** Replicas that the router was started with and that have not come up yet. */
    private final Set<String> expected;

    private volatile boolean closed;

    /** Listens to the proxy for replicas that come and go; to be made before that begins to watch them. */
    public Warmer(WarmSource source, RouterServices services, ProxyServer proxy) {
        this.config = source.config();
        this.services = services;
        this.proxy = proxy;
        this.source = source;
        this.chain = new WarmChain(services.salt().secret());
        this.clearing = new CacheClearing(this, engine, services, proxy);
        this.expected = proxy.membership()
                .all()
                .map(m -> m.replica().id())
                .collect(Collectors.toCollection(ConcurrentHashMap::newKeySet));
        proxy.onReplicas(this);
    }

    /** The prompts, or why there are none. */
    public WarmSource source() {
        return source;
    }

    /** How it stands with a replica. */
    public WarmState state(String replica) {
        ReplicaWarmth warmth = replicas.get(replica);
        return warmth == null ? WarmState.COLD : warmth.state();
    }

    /** Part of a replica's cache that its warm prompts take; empty when its size is not known or nothing was warmed. */
    public OptionalDouble cacheShare(String replica) {
        long capacity = services.signals().capacityTokens(replica);
        long tokens = state(replica).last().map(WarmUpResult::distinctTokens).orElse(0L);
        return capacity > 0 && tokens > 0 ? OptionalDouble.of((double) tokens / capacity) : OptionalDouble.empty();
    }

    @Override
    public void up(String replica) {
        warm(replica, expected.remove(replica) ? "start" : "up");
    }

    @Override
    public void down(String replica) {
        Optional.ofNullable(replicas.get(replica)).ifPresent(ReplicaWarmth::interrupt);
        if (!proxy.membership().has(replica)) {
            replicas.remove(replica);
        }
    }

    /** The engine of a replica was started again. */
    public void restarted(String replica) {
        warm(replica, "epoch");
    }

    /**
     * Empties the prefix caches of all replicas and has them warmed again, in the background, and answers what became of it
     * within some ten seconds; asked again meanwhile, with what becomes of the same one.
     */
    public CompletableFuture<Clearing> clear() {
        return clearing.clear();
    }

    /** Begins a warm-up in the background, where there is anything to warm; returns whether there is. */
    boolean warm(String replica, String reason) {
        if (closed || source.prompts().isEmpty()) {
            return false;
        }
        replicas.computeIfAbsent(replica, id -> new ReplicaWarmth(id, this::warmUp))
                .begin(reason, source.prompts().size());
        return true;
    }

    /** Stops a replica's warm-up, and returns when it has ended, or time is up, whether there was one. */
    boolean suspend(String replica, Duration atMost) throws InterruptedException {
        ReplicaWarmth warmth = replicas.get(replica);
        return warmth != null && warmth.stop(atMost);
    }

    private void warmUp(ReplicaWarmth warmth, String reason) {
        String id = warmth.replica();
        Optional<Map.Entry<String, ReplicaConfig>> served = served(id);
        if (served.isEmpty()) {
            return; // it has been removed meanwhile
        }
        String model = served.get().getKey();
        List<WarmPrompt> prompts =
                source.prompts().stream().filter(p -> belongs(p, model, id)).toList();
        warmth.change(state -> state.warming(reason, prompts.size()));
        long from = services.clock().nanos();
        long at = services.clock().epochMicros(from);
        services.events().publish(router -> new WarmupStarted(at, id, reason, prompts.size(), router));
        PromptWarmer warmer = new PromptWarmer(engine, served.get().getValue(), model);
        WarmUp warmUp =
                new WarmUp(warmer, prompts, config.concurrency(), done -> warmth.change(state -> state.oneMore(done)));
        List<WarmedPrompt> warmed = warmUp.run();
        long until = services.clock().nanos();
        WarmUpResult result = new WarmUpResult(reason, warmed, until - from);
        for (int i = 0; i < prompts.size() && !warmUp.stopped(); i++) {
            if (warmed.get(i).completed()) {
                proxy.cached(model, id, chain.of(prompts.get(i)));
            }
        }
        warmth.change(state -> state.ended(result));
        tell(id, result, services.clock().epochMicros(until));
    }

    /** The model that a replica serves, and the replica. */
    private Optional<Map.Entry<String, ReplicaConfig>> served(String id) {
        for (Map.Entry<String, List<Membership.Member>> model :
                proxy.membership().models().entrySet()) {
            for (Membership.Member member : model.getValue()) {
                if (member.replica().id().equals(id)) {
                    return Optional.of(Map.entry(model.getKey(), member.replica()));
                }
            }
        }
        return Optional.empty();
    }

    /** Whether a prompt is to be warmed there; a policy that does not read prompts may place it anywhere. */
    private boolean belongs(WarmPrompt prompt, String model, String replica) {
        return config.where() == Where.ALL
                || proxy.wouldPlace(model, chain.of(prompt))
                        .map(replica::equals)
                        .orElse(true);
    }

    private void tell(String id, WarmUpResult result, long atUs) {
        if (result.skipped() > 0) {
            LOG.warn(result.line(id));
        } else {
            LOG.info(result.line(id));
        }
        services.events()
                .publish(router -> new WarmupFinished(
                        atUs,
                        id,
                        result.completed(),
                        result.skipped(),
                        result.promptTokens(),
                        OptionalDouble.of(result.seconds()),
                        result.mode(),
                        router));
        Thread.ofVirtual().name("warmroute-warm-share-" + id).start(() -> warnIfLarge(id, result));
    }

    /** How large the cache is, is known once its metrics have been read, which may be a moment later. */
    private void warnIfLarge(String id, WarmUpResult result) {
        try {
            for (int i = 0;
                    i < CAPACITY_ATTEMPTS && !closed && services.signals().capacityTokens(id) <= 0;
                    i++) {
                Thread.sleep(BETWEEN_ATTEMPTS);
            }
        } catch (InterruptedException e) {
            return;
        }
        cacheShare(id).stream()
                .filter(share -> share > config.maxCacheShare())
                .forEach(share -> LOG.warn(
                        "the warm prompts take {} % of the cache of replica {} ({} tokens), more than warm_prompts.max_cache_share"
                                + " ({} %): conversations have the less; drop or shorten some of {}",
                        Math.round(share * 100),
                        id,
                        result.distinctTokens(),
                        Math.round(config.maxCacheShare() * 100),
                        source.file().orElseThrow()));
    }

    /** Stops every warm-up and clear; when this returns, none is under way. */
    @Override
    public void close() {
        closed = true;
        replicas.values().forEach(ReplicaWarmth::interrupt);
        try {
            for (ReplicaWarmth warmth : replicas.values()) {
                warmth.close(STOPPING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        engine.close();
        clearing.close(); // what it still waits for was just cut off
    }
}
