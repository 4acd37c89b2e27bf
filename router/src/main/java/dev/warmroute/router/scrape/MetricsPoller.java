package dev.warmroute.router.scrape;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.publish.EventSink;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads every replica's {@code /metrics} once an interval, never twice at a time from one replica, and publishes a
 * {@code counters.delta} for each engine and a {@code replica.epoch} when one was started again. A slow or silent replica
 * does not hold up the others, nor does any of this hold up a request: policies read the latest page with its age.
 */
public final class MetricsPoller implements SignalsSource, AutoCloseable {
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
    private final Map<String, ReplicaScraper> scrapers = new LinkedHashMap<>();
    private final long intervalNanos;
    private final RouterClock clock;
    private volatile EngineRestarts restarts = EngineRestarts.IGNORED;
    private volatile boolean closed;

    /**
     * @param interval time from the begin of one read of a replica to the next; a read may take that long, at least
     *     1 s and at most 10 s
     * @param clock that the ages of signals are measured with
     */
    public MetricsPoller(List<ScrapeTarget> targets, Duration interval, EventSink events, RouterClock clock) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("interval must be positive: " + interval);
        }
        this.intervalNanos = interval.toNanos();
        this.clock = clock;
        Duration timeout = interval.compareTo(MIN_TIMEOUT) < 0
                ? MIN_TIMEOUT
                : interval.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : interval;
        MetricsClient client = new MetricsClient(vertx, timeout);
        for (ScrapeTarget target : targets) {
            ReplicaScraper scraper = new ReplicaScraper(target, client, events, id -> restarts.restarted(id), clock);
            if (scrapers.put(target.replica(), scraper) != null) {
                throw new IllegalArgumentException("two replicas have the id " + target.replica());
            }
        }
    }

    /**
     * Begins to read, all replicas at once.
     *
     * @param restarts hears of engines that were started again, before their first event after that
     */
    public void start(EngineRestarts restarts) {
        this.restarts = restarts;
        vertx.runOnContext(v -> scrapers.values().forEach(this::poll));
    }

    private void poll(ReplicaScraper scraper) {
        if (closed) {
            return;
        }
        long began = System.nanoTime();
        scraper.scrape().onComplete(done -> {
            long left = TimeUnit.NANOSECONDS.toMillis(intervalNanos - (System.nanoTime() - began));
            if (!closed) {
                vertx.setTimer(Math.max(1, left), timer -> poll(scraper));
            }
        });
    }

    @Override
    public Signals signals(String replica, long nowNanos) {
        return latest(replica)
                .map(scrape -> scrape.signals().aged(Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - scrape.readNanos()))))
                .orElse(Signals.NONE);
    }

    /** The latest page of a replica; empty before the first and for one that is not read. */
    public Optional<Scrape> latest(String replica) {
        return Optional.ofNullable(scrapers.get(replica)).flatMap(ReplicaScraper::latest);
    }

    /** Why a replica's metrics cannot be read at present, in one line; empty when they can. */
    public Optional<String> error(String replica) {
        return Optional.ofNullable(scrapers.get(replica)).flatMap(ReplicaScraper::error);
    }

    /** Stops reading; what was read stays. */
    @Override
    public void close() {
        closed = true;
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the poller did not stop", e);
        }
    }
}
