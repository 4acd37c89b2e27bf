package dev.warmroute.router.warm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.event.ControlEvent.PrefixCacheCleared;
import dev.warmroute.router.proxy.ProxyServer;
import dev.warmroute.router.warm.Clearing.Cleared;
import dev.warmroute.router.warm.Clearing.Status;
import dev.warmroute.router.warm.EngineClient.Answer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Empties the prefix caches of all replicas at once, each server once: the ranks behind one address share the order. A warm-up
 * under way there is stopped, since engines refuse while blocks are held. What the router remembers of a cleared cache goes.
 * One clear at a time, on threads of its own. Thread-safe.
 */
final class CacheClearing implements AutoCloseable {
    /** For a whole clear: what has not answered by then has failed. */
    private static final Duration AT_MOST = Duration.ofSeconds(10);

    /** Requests that were just given up hold their blocks for a moment. */
    private static final int ATTEMPTS = 8;

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

    private static final byte[] NOTHING = {};

    private final Warmer warmer;
    private final EngineClient engine;
    private final RouterServices services;
    private final ProxyServer proxy;
    private CompletableFuture<Clearing> underWay = CompletableFuture.completedFuture(new Clearing(List.of()));
    private boolean closed;

    CacheClearing(Warmer warmer, EngineClient engine, RouterServices services, ProxyServer proxy) {
        this.warmer = warmer;
        this.engine = engine;
        this.services = services;
        this.proxy = proxy;
    }

    /** What one server answered. */
    private record Outcome(Status status, String problem) {}

    /** Begins a clear, or joins the one under way. */
    synchronized CompletableFuture<Clearing> clear() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("the router is being stopped"));
        }
        if (underWay.isDone()) {
            underWay = CompletableFuture.supplyAsync(
                    this::clearAll,
                    task -> Thread.ofVirtual().name("warmroute-clear").start(task));
        }
        return underWay.copy();
    }

    /** Returns when none is under way, at the latest when the time for one is up; none is begun any more. */
    @Override
    public void close() {
        CompletableFuture<Clearing> last;
        synchronized (this) {
            closed = true;
            last = underWay;
        }
        last.handle((clearing, failure) -> clearing).join();
    }

    private Clearing clearAll() {
        long deadline = services.clock().nanos() + AT_MOST.toNanos();
        Map<URI, List<ReplicaConfig>> servers = new LinkedHashMap<>();
        List<ReplicaConfig> members =
                proxy.membership().all().map(Membership.Member::replica).toList();
        members.forEach(
                r -> servers.computeIfAbsent(r.url(), url -> new ArrayList<>()).add(r));
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<String, Cleared> byReplica = new LinkedHashMap<>();
            members.forEach(r -> byReplica.put(r.id(), new Cleared(r.id(), Status.FAILED, "", false)));
            servers.values().stream()
                    .map(ranks -> CompletableFuture.supplyAsync(() -> clear(ranks, deadline), each))
                    .toList()
                    .forEach(cleared -> cleared.join().forEach(c -> byReplica.put(c.replica(), c)));
            return new Clearing(List.copyOf(byReplica.values()));
        }
    }

    private List<Cleared> clear(List<ReplicaConfig> ranks, long deadline) {
        Set<String> stopped = new HashSet<>();
        Outcome outcome;
        try {
            outcome = ask(ranks.get(0), deadline);
            if (outcome.status == Status.CLEARED || outcome.status == Status.BUSY) {
                for (ReplicaConfig rank : ranks) {
                    if (warmer.suspend(rank.id(), left(deadline))) {
                        stopped.add(rank.id());
                    }
                }
            }
            for (int i = 1;
                    i < ATTEMPTS
                            && outcome.status == Status.BUSY
                            && left(deadline).compareTo(BETWEEN_ATTEMPTS) > 0;
                    i++) {
                Thread.sleep(BETWEEN_ATTEMPTS);
                outcome = ask(ranks.get(0), deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outcome = new Outcome(Status.FAILED, "the router is being stopped");
        }
        Outcome told = outcome;
        return ranks.stream()
                .map(rank -> cleared(rank.id(), told, stopped.contains(rank.id())))
                .toList();
    }

    private Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - services.clock().nanos()));
    }

    private Outcome ask(ReplicaConfig replica, long deadline) throws InterruptedException {
        try {
            return outcome(engine.post(replica, "/reset_prefix_cache", NOTHING, left(deadline)));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return new Outcome(Status.FAILED, "the replica cannot be reached");
        } catch (HttpTimeoutException e) {
            return new Outcome(Status.UNANSWERED, "the replica did not answer in time; its cache may be empty");
        } catch (IOException e) {
            return new Outcome(Status.UNANSWERED, "the connection broke before the answer; its cache may be empty");
        }
    }

    /** Versions of vLLM that do not say whether it worked answer with nothing but 200. */
    private static Outcome outcome(Answer answer) {
        return switch (answer.status()) {
            case 200 -> answered(answer);
            case 404, 405, 501 ->
                new Outcome(
                        Status.NOT_SUPPORTED, "no /reset_prefix_cache there; vLLM has it with VLLM_SERVER_DEV_MODE=1");
            default -> new Outcome(Status.FAILED, answer.problem());
        };
    }

    private static Outcome answered(Answer answer) {
        JsonNode success = answer.body().path("success");
        if (answer.empty() || success.isBoolean() && success.booleanValue()) {
            return new Outcome(Status.CLEARED, "");
        }
        return success.isBoolean()
                ? new Outcome(Status.BUSY, "requests hold blocks of its cache; try again, or drain it first")
                : new Outcome(Status.FAILED, "the replica answered 200 without saying whether its cache is empty");
    }

    private Cleared cleared(String replica, Outcome outcome, boolean wasWarming) {
        boolean cleared = outcome.status == Status.CLEARED || outcome.status == Status.UNANSWERED;
        if (cleared) {
            proxy.cacheCleared(replica);
        }
        long at = services.clock().epochMicros(services.clock().nanos());
        services.events().publish(router -> new PrefixCacheCleared(at, replica, outcome.status.wireName(), router));
        boolean warming = (cleared || wasWarming) && warmer.warm(replica, cleared ? "cleared" : "resumed");
        return new Cleared(replica, outcome.status, outcome.problem, warming);
    }
}
