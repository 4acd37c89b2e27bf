package dev.warmroute.router.scrape;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warmroute.router.RouterClock;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.fleet.DeltaTracker;
import dev.warmroute.router.fleet.DeltaTracker.Reading;
import dev.warmroute.router.fleet.EngineSnapshot;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.scrape.MetricsClient.Answer;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one replica's metrics, over and over. Asks for the version at first, after a failure and when the engine was started
 * again, because it may be another one by then. Used on one thread; what was read may be looked at from any.
 */
final class ReplicaScraper {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaScraper.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ScrapeTarget target;
    private final MetricsClient client;
    private final EventSink events;
    private final EngineRestarts restarts;
    private final RouterClock clock;
    private final DeltaTracker tracker;

    private Optional<String> engineVersion = Optional.empty();
    private boolean connected;
    private volatile boolean stopped;
    private int epoch;
    private volatile Optional<Scrape> latest = Optional.empty();
    private volatile Optional<String> error = Optional.empty();

    ReplicaScraper(
            ScrapeTarget target, MetricsClient client, EventSink events, EngineRestarts restarts, RouterClock clock) {
        this.target = target;
        this.client = client;
        this.events = events;
        this.restarts = restarts;
        this.clock = clock;
        this.tracker = new DeltaTracker(target.replica());
    }

    ScrapeTarget target() {
        return target;
    }

    Optional<Scrape> latest() {
        return latest;
    }

    /** Why the last attempt failed; empty when it did not. */
    Optional<String> error() {
        return error;
    }

    /** Reads the page once. Never fails: a replica that does not answer is a fact like any other. */
    Future<Void> scrape() {
        // Also what is thrown in here, as by a client that is being closed, is a failure of this attempt and nothing
        // else.
        return Future.<Void>succeededFuture()
                .compose(v -> connected ? Future.succeededFuture() : askVersion())
                .compose(v -> client.get(target, "/metrics"))
                .compose(this::read)
                .onSuccess(v -> succeeded())
                .recover(failure -> {
                    failed(failure);
                    return Future.succeededFuture();
                });
    }

    /** From now on a read that fails is no fact about the replica: the client itself is being closed. */
    void stop() {
        stopped = true;
    }

    private Future<Void> read(Answer answer) {
        if (answer.status() != 200) {
            return Future.failedFuture(new IOException("/metrics answered " + answer.status()));
        }
        long readNanos = clock.nanos();
        List<EngineSnapshot> engines = own(EngineSnapshot.of(answer.body()));
        List<Reading> readings = tracker.advance(engines, clock.epochMicros(readNanos));
        boolean restarted = readings.stream().anyMatch(Reading::reset);
        // What was gained must be told even if the version cannot be had.
        Future<Void> known = restarted && connected ? askVersion().otherwiseEmpty() : Future.succeededFuture();
        return known.map(v -> {
            latest = Optional.of(Scrape.of(engines, engineVersion, readNanos));
            if (restarted) {
                startedAgain(readNanos);
            }
            Optional<String> version = engineVersion;
            readings.forEach(reading -> events.publish(router -> reading.event(version, router)));
            return null;
        });
    }

    /** The engines on the page that are this replica. */
    private List<EngineSnapshot> own(List<EngineSnapshot> page) {
        if (target.engine().isEmpty() || page.size() <= 1) {
            return page;
        }
        return page.stream()
                .filter(e -> e.engine() == target.engine().getAsInt())
                .toList();
    }

    private void startedAgain(long readNanos) {
        int newEpoch = ++epoch;
        int dropped = restarts.restarted(target.replica());
        LOG.info(
                "the engine of replica {} was started again; {} conversations lost their home",
                target.replica(),
                dropped);
        long at = clock.epochMicros(readNanos);
        events.publish(router -> new ReplicaEpoch(at, target.replica(), newEpoch, dropped, router));
    }

    /** Succeeds without a version when the server has none to tell. */
    private Future<Void> askVersion() {
        return client.get(target, "/version").map(answer -> {
            engineVersion = answer.status() == 200 ? version(answer.body()) : Optional.empty();
            return null;
        });
    }

    private static Optional<String> version(String body) {
        try {
            return Optional.of(MAPPER.readTree(body).path("version").asText("")).filter(v -> !v.isEmpty());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private void succeeded() {
        if (!connected && error.isPresent()) {
            LOG.info("the metrics of replica {} can be read again", target.replica());
        }
        connected = true;
        error = Optional.empty();
    }

    private void failed(Throwable failure) {
        if (stopped) {
            return;
        }
        String why = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        if (error.isEmpty()) {
            LOG.warn("the metrics of replica {} cannot be read: {}", target.replica(), why);
        }
        connected = false;
        error = Optional.of(why);
    }
}
