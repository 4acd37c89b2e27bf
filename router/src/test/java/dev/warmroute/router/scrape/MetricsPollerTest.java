package dev.warmroute.router.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.event.ControlEvent.ReplicaEpoch;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.publish.EventSink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricsPollerTest {
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger sequence = new AtomicInteger();
    private final EventSink sink =
            event -> events.add(event.apply(new RouterIdentity("here", 1, sequence.getAndIncrement())));
    private final AtomicLong nanos = new AtomicLong(TimeUnit.SECONDS.toNanos(100));
    private final RouterClock clock = new RouterClock() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long epochMicros(long at) {
            return at / 1000;
        }
    };
    private ScriptedReplica replica;
    private MetricsPoller poller;

    @BeforeEach
    void start() throws IOException {
        replica = new ScriptedReplica();
        replica.says(1.0, 100, 3);
        poller = poller(ScrapeTarget.of("r0", replica.url()));
    }

    @AfterEach
    void stop() {
        poller.close();
        replica.close();
    }

    @Test
    void signalsAreThoseOfTheLatestPageWithItsAge() {
        assertThat(poller.signals("r0", nanos.get())).isEqualTo(Signals.NONE);
        poller.start(EngineRestarts.IGNORED);
        awaitPages(1);
        assertThat(poller.signals("r0", nanos.get() + TimeUnit.MILLISECONDS.toNanos(250)))
                .isEqualTo(new Signals(3, 1, 0.5, 250));
        assertThat(poller.signals("other", nanos.get())).isEqualTo(Signals.NONE);
    }

    @Test
    void everyPageBecomesADeltaEventWithTheVersion() {
        poller.start(EngineRestarts.IGNORED);
        await().until(() -> deltas().size() >= 2);
        replica.says(1.0, 130, 3);
        await().until(() -> deltas().stream().anyMatch(d -> gained(d) == 30));
        assertThat(deltas().getFirst().deltas()).isEmpty();
        assertThat(deltas()).allSatisfy(d -> {
            assertThat(d.replica()).isEqualTo("r0");
            assertThat(d.engineVersion()).contains("0.32.0");
            assertThat(d.epoch()).isZero();
        });
        assertThat(deltas().stream().mapToLong(MetricsPollerTest::gained).sum()).isEqualTo(30);
        assertThat(replica.versions).as("asked once a connection").hasValue(1);
    }

    @Test
    void whileScrapesFailTheSignalsGrowOldAndAfterwardsNothingIsMissing() {
        poller.start(EngineRestarts.IGNORED);
        awaitPages(1);
        replica.status = 503;
        await().until(() -> poller.error("r0").isPresent());
        assertThat(poller.error("r0")).contains("/metrics answered 503");
        assertThat(poller.signals("r0", nanos.get() + TimeUnit.SECONDS.toNanos(60))
                        .ageMillis())
                .isEqualTo(60_000);

        replica.says(1.0, 500, 0);
        replica.version = "{\"version\":\"0.33.0\"}";
        int asked = replica.versions.get();
        await().until(() -> replica.versions.get() >= asked + 2);
        replica.status = 200;
        await().until(() -> poller.error("r0").isEmpty()
                && poller.signals("r0", nanos.get()).running() == 0);
        assertThat(deltas().stream().mapToLong(MetricsPollerTest::gained).sum()).isEqualTo(400);
        assertThat(deltas().getLast().engineVersion()).as("asked again").contains("0.33.0");
    }

    @Test
    void aRestartDropsHomesAndIsToldBeforeTheFirstDeltaOfTheNewEpoch() {
        List<String> restarted = new CopyOnWriteArrayList<>();
        poller.start(id -> {
            restarted.add(id);
            return 12;
        });
        awaitPages(1);
        replica.version = "{\"version\":\"0.40.0\"}";
        replica.says(2.0, 7, 0);
        await().until(() -> deltas().stream().anyMatch(CountersDelta::reset));

        assertThat(restarted).containsExactly("r0");
        CountersDelta first =
                deltas().stream().filter(CountersDelta::reset).findFirst().orElseThrow();
        assertThat(first.deltas()).isEqualTo(Map.of("prompt_tokens", 7.0));
        assertThat(first.epoch()).isEqualTo(1);
        assertThat(first.engineVersion()).as("it may be another engine now").contains("0.40.0");
        ReplicaEpoch epoch = events.stream()
                .flatMap(e ->
                        e instanceof ReplicaEpoch r ? Optional.of(r).stream() : Optional.<ReplicaEpoch>empty().stream())
                .reduce((a, b) -> {
                    throw new AssertionError("more than one epoch: " + a + b);
                })
                .orElseThrow();
        assertThat(epoch.replica()).isEqualTo("r0");
        assertThat(epoch.epoch()).isEqualTo(1);
        assertThat(epoch.homesDropped()).isEqualTo(12);
        assertThat(epoch.router().sequence()).isLessThan(first.router().sequence());
    }

    @Test
    void aReplicaIsNeverAskedTwiceAtATimeAndDoesNotHoldUpTheOthers() throws IOException {
        CountDownLatch gate = new CountDownLatch(1);
        replica.gate = gate;
        try (ScriptedReplica other = new ScriptedReplica();
                MetricsPoller both =
                        poller(ScrapeTarget.of("slow", replica.url()), ScrapeTarget.of("quick", other.url()))) {
            other.says(1.0, 1, 0);
            both.start(EngineRestarts.IGNORED);
            await().until(() -> other.pages.get() >= 20);
            assertThat(replica.pages).hasValue(1);
            gate.countDown();
            await().until(() -> replica.pages.get() >= 5);
            assertThat(replica.mostAtOnce).hasValue(1);
        }
    }

    @Test
    void aReplicaThatDoesNotAnswerInTimeIsGivenUpAndAskedAgain() {
        CountDownLatch gate = new CountDownLatch(1);
        replica.gate = gate;
        poller.start(EngineRestarts.IGNORED);
        await().until(() -> poller.error("r0").isPresent());
        assertThat(poller.error("r0")).contains("no answer within 1000 ms");
        gate.countDown();
        await().until(() ->
                poller.latest("r0").isPresent() && poller.error("r0").isEmpty());
    }

    @Test
    void aReplicaThatIsNotThereIsTriedUntilItIs() throws IOException {
        URI url = replica.url();
        replica.close();
        poller.start(EngineRestarts.IGNORED);
        await().until(() -> poller.error("r0").isPresent());
        assertThat(poller.error("r0").orElseThrow()).contains(Integer.toString(url.getPort()));
        assertThat(events).isEmpty();
    }

    @Test
    void aPageThatIsNotOneIsAnErrorThatNamesItsLine() {
        replica.page = "<html>\n";
        poller.start(EngineRestarts.IGNORED);
        await().until(() -> poller.error("r0").isPresent());
        assertThat(poller.error("r0").orElseThrow()).contains("line 1").contains("name of a metric");
        replica.says(1.0, 1, 1);
        await().until(() -> poller.error("r0").isEmpty());
    }

    @Test
    void aServerWithoutAVersionIsReadAllTheSame() {
        replica.versionStatus = 404;
        replica.version = "no";
        poller.start(EngineRestarts.IGNORED);
        await().until(() -> !deltas().isEmpty());
        assertThat(deltas().getFirst().engineVersion()).isEmpty();
    }

    @Test
    void aServerThatHasNothingOfVllmOnItsPageYetTellsNothing() {
        replica.page = "process_start_time_seconds 5\n";
        poller.start(EngineRestarts.IGNORED);
        await().until(() -> replica.pages.get() >= 3);
        assertThat(deltas()).isEmpty();
        assertThat(poller.signals("r0", nanos.get())).isEqualTo(Signals.NONE);
    }

    @Test
    void aReplicaThatIsOneRankOfAServerReadsOnlyItsOwnEngine() throws IOException {
        replica.page = """
                vllm:prompt_tokens_total{engine="0"} 10
                vllm:prompt_tokens_total{engine="1"} 20
                """;
        ScrapeTarget second = new ScrapeTarget("r1", replica.url(), OptionalInt.of(1), Optional.of("secret"));
        assertThat(second.toString()).doesNotContain("secret");
        try (MetricsPoller ranks = poller(second)) {
            ranks.start(EngineRestarts.IGNORED);
            await().until(() -> !deltas().isEmpty());
            assertThat(deltas()).allSatisfy(d -> assertThat(d.engine()).isEqualTo(1));
            assertThat(deltas().getFirst().totals()).isEqualTo(Map.of("prompt_tokens", 20.0));
            assertThat(replica.authorizations).contains("Bearer secret");
        }
    }

    @Test
    void readingOnceMoreTellsWhatWasCountedUpToNow() throws IOException {
        try (ScriptedReplica other = new ScriptedReplica();
                MetricsPoller rare = new MetricsPoller(Duration.ofHours(1), sink, clock)) {
            rare.watch(List.of(ScrapeTarget.of("r0", replica.url()), ScrapeTarget.of("r1", other.url())));
            other.says(1.0, 50, 0);
            rare.start(EngineRestarts.IGNORED);
            awaitPages(2);
            replica.says(1.0, 175, 3);
            other.says(1.0, 55, 0);
            rare.readOnceMore(Duration.ofSeconds(10));
            assertThat(deltas()).hasSize(4);
            assertThat(deltas().stream().mapToLong(MetricsPollerTest::gained).sum())
                    .isEqualTo(80);

            CountDownLatch gate = new CountDownLatch(1);
            other.gate = gate;
            rare.readOnceMore(Duration.ofMillis(200));
            assertThat(deltas()).as("a silent replica is not waited for").hasSize(5);
            gate.countDown();
        }
    }

    @Test
    void replicasThatComeAreReadAndThoseThatGoAreNot() throws IOException {
        poller.start(EngineRestarts.IGNORED);
        awaitPages(1);
        try (ScriptedReplica other = new ScriptedReplica()) {
            other.says(1.0, 50, 7);
            poller.watch(List.of(ScrapeTarget.of("r0", replica.url()), ScrapeTarget.of("r1", other.url())));
            await().until(() -> poller.signals("r1", nanos.get()).running() == 7);
            replica.says(1.0, 140, 3);
            await().until(() -> deltas().stream().anyMatch(d -> d.replica().equals("r0") && gained(d) == 40));

            poller.watch(List.of(ScrapeTarget.of("r1", other.url())));
            assertThat(poller.signals("r0", nanos.get())).isEqualTo(Signals.NONE);
            int asked = other.pages.get();
            await().until(() -> other.pages.get() >= asked + 2);
            int pages = replica.pages.get();
            await().until(() -> other.pages.get() >= asked + 5);
            assertThat(replica.pages).hasValue(pages);
        }
    }

    @Test
    void twoReplicasWithOneIdAreRefused() {
        ScrapeTarget target = ScrapeTarget.of("r0", replica.url());
        assertThatThrownBy(() -> poller(target, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("r0");
    }

    private MetricsPoller poller(ScrapeTarget... targets) {
        MetricsPoller poller = new MetricsPoller(INTERVAL, sink, clock);
        poller.watch(List.of(targets));
        return poller;
    }

    private void awaitPages(int count) {
        await().until(() -> deltas().size() >= count);
    }

    private List<CountersDelta> deltas() {
        return events.stream()
                .flatMap(e -> e instanceof CountersDelta d
                        ? Optional.of(d).stream()
                        : Optional.<CountersDelta>empty().stream())
                .toList();
    }

    private static long gained(CountersDelta delta) {
        return delta.deltas().getOrDefault("prompt_tokens", 0.0).longValue();
    }
}
