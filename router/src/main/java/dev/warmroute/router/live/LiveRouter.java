package dev.warmroute.router.live;

import dev.warmroute.router.RouterClock;
import dev.warmroute.router.RouterServer;
import dev.warmroute.router.RouterServices;
import dev.warmroute.router.admin.KafkaStatus;
import dev.warmroute.router.broker.EmbeddedBroker;
import dev.warmroute.router.config.Membership;
import dev.warmroute.router.config.ReplicaConfig;
import dev.warmroute.router.config.RouterConfig;
import dev.warmroute.router.config.RouterConfig.Fingerprint;
import dev.warmroute.router.config.SaltFile;
import dev.warmroute.router.figures.Figures;
import dev.warmroute.router.fingerprint.PromptPublisher;
import dev.warmroute.router.homes.HomesFollower;
import dev.warmroute.router.homes.HomesSettings;
import dev.warmroute.router.homes.HomesState;
import dev.warmroute.router.prompt.PromptListener;
import dev.warmroute.router.publish.EventSink;
import dev.warmroute.router.publish.KafkaPublisher;
import dev.warmroute.router.publish.PublisherSettings;
import dev.warmroute.router.publish.PublisherStats;
import dev.warmroute.router.publish.Topics;
import dev.warmroute.router.scrape.MetricsPoller;
import dev.warmroute.router.scrape.ScrapeTarget;
import dev.warmroute.router.session.Salt;
import dev.warmroute.router.warm.WarmSource;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;

/**
 * A router with everything around it, made from {@code router.yaml}: the broker when no other is configured, the publisher,
 * the poller of {@code /metrics}, the fingerprints, the server. What was started is stopped in the opposite order, also when
 * starting fails half-way.
 */
public final class LiveRouter implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final int DEFAULT_BLOCK_SIZE = 16;
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration LAST_READ = Duration.ofSeconds(2);

    /** What takes and keeps the events. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    /** What publishes events of its own and falls silent before the router says its last word. */
    private final Deque<AutoCloseable> sources = new ArrayDeque<>();

    private final Optional<EmbeddedBroker> broker;
    private final String bootstrap;
    private final RouterServer server;
    private final KafkaPublisher publisher;
    private final HomesFollower homes;
    private final Runnable lastRead;

    /** Starts a router; when this returns, it answers and its events flow. */
    public static LiveRouter start(RouterConfig config) {
        return start(config, WarmSource.of(config.warmPrompts()));
    }

    /**
     * Starts a router; when this returns, it answers and its events flow.
     *
     * @param warmPrompts what was read of the warm prompts that are configured
     */
    public static LiveRouter start(RouterConfig config, WarmSource warmPrompts) {
        return new LiveRouter(config, config.kafka().bootstrap(), warmPrompts);
    }

    /** Starts a router that writes to a broker that somebody else runs, whatever the configuration says. */
    public static LiveRouter start(RouterConfig config, String bootstrap) {
        return new LiveRouter(config, Optional.of(bootstrap), WarmSource.of(config.warmPrompts()));
    }

    private LiveRouter(RouterConfig config, Optional<String> otherBroker, WarmSource warmPrompts) {
        try {
            Salt salt = SaltFile.readOrCreate(config.saltFile());
            RouterConfig.Kafka kafka = config.kafka();
            broker = otherBroker.isEmpty()
                    ? Optional.of(opened(EmbeddedBroker.start(config.dataDir().resolve("broker"))))
                    : Optional.empty();
            bootstrap =
                    broker.map(EmbeddedBroker::bootstrap).or(() -> otherBroker).orElseThrow();
            if (broker.isPresent()) {
                createTopics(bootstrap, kafka.prefix());
            }
            String instance = config.instance()
                    .orElseGet(() -> hostName() + ':' + config.listen().port());
            publisher = opened(KafkaPublisher.start(
                    new PublisherSettings(bootstrap, kafka.prefix(), kafka.buffer(), kafka.properties()),
                    instance,
                    System.currentTimeMillis(),
                    salt.id()));
            RouterClock clock = RouterClock.system();
            Figures figures = new Figures(clock.epochMicros(clock.nanos()));
            EventSink events = figures.over(publisher);
            MetricsPoller poller = source(new MetricsPoller(config.countersInterval(), events, clock));
            PromptListener prompts = config.fingerprint() == Fingerprint.OFF
                    ? PromptListener.NONE
                    : source(new PromptPublisher(
                            events,
                            salt.secret(),
                            salt.id(),
                            config.fingerprint() == Fingerprint.TOKENIZE,
                            new PromptPublisher.Replicas(replica -> blockSize(poller, replica), this::authorization)));
            homes = source(new HomesFollower(
                    new HomesSettings(bootstrap, kafka.prefix(), kafka.properties(), salt.id(), config.homesWait())));
            server = RouterServer.start(
                    config,
                    warmPrompts,
                    new RouterServices(
                            instance, events, figures, poller, prompts, homes, this::kafka, clock, salt, 0, 0));
            server.onMembership(membership -> poller.watch(targets(membership)));
            poller.start(server::engineRestarted);
            lastRead = () -> poller.readOnceMore(LAST_READ);
        } catch (RuntimeException e) {
            closeAll(sources);
            closeAll(started);
            throw e;
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        started.push(part);
        return part;
    }

    private <T extends AutoCloseable> T source(T part) {
        sources.push(part);
        return part;
    }

    private static List<ScrapeTarget> targets(Membership membership) {
        return membership
                .all()
                .map(Membership.Member::replica)
                .map(r -> new ScrapeTarget(r.id(), r.url(), r.dataParallelRank(), r.apiKey()))
                .toList();
    }

    /** Tokens in a block of a replica's cache, as it reports; vLLM's default before it has. */
    private static int blockSize(MetricsPoller poller, String replica) {
        return poller.latest(replica).stream()
                .flatMap(s -> s.engines().stream())
                .flatMapToInt(e -> e.blockSize().stream())
                .findFirst()
                .orElse(DEFAULT_BLOCK_SIZE);
    }

    private Optional<String> authorization(String replica) {
        return server.membership()
                .all()
                .map(Membership.Member::replica)
                .filter(r -> r.id().equals(replica))
                .findFirst()
                .flatMap(ReplicaConfig::authorization);
    }

    private static void createTopics(String bootstrap, String prefix) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            Topics.createMissing(admin, prefix, PARTITIONS, RETENTION);
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    public RouterServer server() {
        return server;
    }

    /** Brokers that the events go to. */
    public String bootstrap() {
        return bootstrap;
    }

    public PublisherStats events() {
        return publisher.stats();
    }

    /** How it stands with the homes in Kafka. */
    public HomesState homes() {
        return homes.state();
    }

    private Optional<KafkaStatus> kafka() {
        return Optional.of(new KafkaStatus(
                bootstrap,
                broker.isPresent(),
                broker.flatMap(EmbeddedBroker::fault),
                publisher.stats(),
                homes.state()));
    }

    /** Lets running requests end, reads the counters once more, writes every event, stops. */
    @Override
    public void close() {
        server.close("stopped", GRACE, () -> {
            lastRead.run();
            closeAll(sources);
        });
        closeAll(started);
    }

    private static void closeAll(Deque<AutoCloseable> parts) {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("a part of the router did not stop", e);
            }
        }
    }
}
