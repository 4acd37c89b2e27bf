package dev.warmroute.router.scrape;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.fleet.SignalsSource;
import dev.warmroute.router.publish.EventSink;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every replica's {@code /metrics} once an interval, never twice at a time from one replica, and publishes a
 * {@code counters.delta} for each engine and a {@code replica.epoch} when one was started again. Which replicas, {@link #watch}
 * says, also while it runs. A slow or silent replica does not hold up the others, nor does any of this hold up a request:
 * policies read the latest page with its age.
 */
public final class MetricsPoller implements SignalsSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPoller.class);
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
    /** By replica; replaced as a whole. */
    private volatile Map<String, ReplicaScraper> scrapers = Map.of();
    /** The read under way of each replica, or the last one. Used on the event loop. */
    private final Map<ReplicaScraper, Future<Void>> reads = new HashMap<>();

    private final long intervalNanos;
    private final EventSink events;
    private final RouterClock clock;
    private final MetricsClient client;
    private volatile EngineRestarts restarts = EngineRestarts.IGNORED;
    private boolean started;
    private volatile boolean closed;

    /**
     * @param interval time from the begin of one read of a replica to the next; a read may take that long, at least
     *     1 s and at most 10 s
     * @param clock that the ages of signals are measured with
     */
    public MetricsPoller(Duration interval, EventSink events, RouterClock clock) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("interval must be positive: " + interval);
        }
        this.intervalNanos = interval.toNanos();
        this.events = events;
        this.clock = clock;
        Duration timeout = interval.compareTo(MIN_TIMEOUT) < 0
                ? MIN_TIMEOUT
                : interval.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : interval;
        this.client = new MetricsClient(vertx, timeout);
    }

    /**
     * Reads these replicas from now on and no others; what was learnt of those that stay is kept.
     *
     * @throws IllegalArgumentException if two of them have the same id
     */
    public synchronized void watch(List<ScrapeTarget> targets) {
        Map<String, ReplicaScraper> next = new LinkedHashMap<>();
        List<ReplicaScraper> added = new ArrayList<>();
        for (ScrapeTarget target : targets) {
            ReplicaScraper scraper = scrapers.get(target.replica());
            if (scraper == null || !scraper.target().equals(target)) {
                scraper = new ReplicaScraper(target, client, events, id -> restarts.restarted(id), clock);
                added.add(scraper);
            }
            if (next.put(target.replica(), scraper) != null) {
                throw new IllegalArgumentException("two replicas have the id " + target.replica());
            }
        }
        scrapers = next;
        if (started) {
            vertx.runOnContext(v -> added.forEach(this::poll));
        }
    }

    /**
     * Begins to read, all replicas at once.
     *
     * @param restarts hears of engines that were started again, before their first event after that
     */
    public synchronized void start(EngineRestarts restarts) {
        this.restarts = restarts;
        started = true;
        vertx.runOnContext(v -> scrapers.values().forEach(this::poll));
    }

    private void poll(ReplicaScraper scraper) {
        if (closed) {
            return;
        }
        if (scrapers.get(scraper.target().replica()) != scraper) {
            reads.remove(scraper);
            return;
        }
        long began = System.nanoTime();
        read(scraper).onComplete(done -> {
            long left = TimeUnit.NANOSECONDS.toMillis(intervalNanos - (System.nanoTime() - began));
            if (!closed) {
                vertx.setTimer(Math.max(1, left), timer -> poll(scraper));
            }
        });
    }

    /** Reads once the read under way is over. */
    private Future<Void> read(ReplicaScraper scraper) {
        Future<Void> read =
                reads.getOrDefault(scraper, Future.succeededFuture()).compose(v -> scraper.scrape());
        reads.put(scraper, read);
        return read;
    }

    /**
     * Reads every replica once more now and waits until that is done, so that what the engines counted up to here is told.
     * For the end of a recording; a replica that does not answer is given up after {@code atMost}.
     */
    public void readOnceMore(Duration atMost) {
        Promise<Void> done = Promise.promise();
        vertx.runOnContext(
                v -> Future.join(scrapers.values().stream().map(this::read).toList())
                        .<Void>mapEmpty()
                        .onComplete(done));
        try {
            done.future().toCompletionStage().toCompletableFuture().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            LOG.info("not every replica told its counters once more within {} ms", atMost.toMillis());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read of metrics does not fail", e);
        }
    }

    @Override
    public Signals signals(String replica, long nowNanos) {
        return latest(replica)
                .map(scrape -> scrape.signals()
                        .aged(Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - scrape.readNanos()))))
                .orElse(Signals.NONE);
    }

    @Override
    public long capacityTokens(String replica) {
        return latest(replica).map(Scrape::capacityTokens).orElse(-1L);
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
        scrapers.values().forEach(ReplicaScraper::stop);
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the poller did not stop", e);
        }
    }
}
