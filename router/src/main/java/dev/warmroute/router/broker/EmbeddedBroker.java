package dev.warmroute.router.broker;

import dev.warmroute.router.UserError;
import dev.warmroute.router.broker.BrokerDirectory.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker in this process: KRaft, broker and controller in one, loopback only, replication 1. It has a directory for
 * itself; started again on the same one it has the same records and, while the ports are free, the same address. It takes about 4 s to start and 40 MB of heap.
 *
 * <p>Kafka ends its process on a fatal fault (a full or vanished disk). Here the fault only ends the broker: {@link #fault}
 * says what happened, and the process goes on.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final int NODE_ID = 1;
    private static final int BIND_ATTEMPTS = 3;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final AtomicReference<String> FAULT = new AtomicReference<>();

    static {
        Exit.setExitProcedure(EmbeddedBroker::neverExit);
        Exit.setHaltProcedure(EmbeddedBroker::neverExit);
    }

    private final BrokerDirectory directory;
    private final boolean deleteOnClose;
    private final Ports ports;
    private final KafkaRaftServer server;
    private boolean closed;

    private EmbeddedBroker(BrokerDirectory directory, boolean deleteOnClose, Ports ports, KafkaRaftServer server) {
        this.directory = directory;
        this.deleteOnClose = deleteOnClose;
        this.ports = ports;
        this.server = server;
    }

    /**
     * Starts a broker on a directory of its own, or starts again the one that was there.
     *
     * @throws UserError if another process uses the directory, it cannot be written, or Kafka does not start on it
     */
    public static EmbeddedBroker start(Path directory) {
        return start(directory, false);
    }

    /** Starts a broker on a directory of its own that is deleted when the broker is closed. */
    public static EmbeddedBroker temporary() {
        try {
            return start(Files.createTempDirectory("warmroute-broker"), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Address of the broker that runs, or last ran, on a directory; empty when there never was one. */
    public static Optional<String> lastBootstrap(Path directory) {
        return BrokerDirectory.remembered(directory).map(EmbeddedBroker::address);
    }

    private static EmbeddedBroker start(Path path, boolean deleteOnClose) {
        FAULT.set(null);
        BrokerDirectory directory = BrokerDirectory.lock(path);
        boolean started = false;
        try {
            format(directory.log());
            Ports ports = directory.ports();
            for (int attempt = 1; ; attempt++) {
                KafkaRaftServer server =
                        new KafkaRaftServer(new KafkaConfig(settings(directory.log(), ports)), Time.SYSTEM);
                try {
                    server.startup();
                    started = true;
                    return new EmbeddedBroker(directory, deleteOnClose, ports, server);
                } catch (RuntimeException e) {
                    stop(server);
                    if (!taken(e) || attempt == BIND_ATTEMPTS) {
                        throw e;
                    }
                    ports = directory.otherPorts();
                }
            }
        } catch (UserError e) {
            throw e;
        } catch (Exception e) {
            throw new UserError(
                    directory.path().toAbsolutePath() + ": the embedded broker did not start: " + root(e)
                            + "; move the directory away to start with an empty one, or name a cluster in kafka.bootstrap",
                    e);
        } finally {
            if (!started) {
                directory.close();
            }
        }
    }

    private static void format(Path log) throws Exception {
        if (Files.exists(log.resolve("meta.properties"))) {
            return;
        }
        Files.createDirectories(log);
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
                .setNodeId(NODE_ID)
                .setClusterId(Uuid.randomUuid().toString())
                .addDirectory(log.toString())
                .setMetadataLogDirectory(log.toString())
                .setControllerListenerName("CONTROLLER")
                .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                .setIgnoreFormatted(true)
                .run();
    }

    private static Properties settings(Path log, Ports ports) {
        Properties p = new Properties();
        p.put("node.id", Integer.toString(NODE_ID));
        p.put("process.roles", "broker,controller");
        p.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + ports.controller());
        p.put("listeners", "PLAINTEXT://127.0.0.1:" + ports.broker() + ",CONTROLLER://127.0.0.1:" + ports.controller());
        p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + ports.broker());
        p.put("controller.listener.names", "CONTROLLER");
        p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("inter.broker.listener.name", "PLAINTEXT");
        p.put("log.dirs", log.toString());
        p.put("auto.create.topics.enable", "false");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            p.put(topic + ".num.partitions", "1");
            p.put(topic + ".replication.factor", "1");
        }
        p.put("transaction.state.log.min.isr", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        // One machine, few clients: no waiting for members that are not coming, few threads, little memory.
        p.put("group.initial.rebalance.delay.ms", "0");
        for (String group : List.of("group.consumer", "group.share")) {
            p.put(group + ".min.heartbeat.interval.ms", "500");
            p.put(group + ".heartbeat.interval.ms", "500");
        }
        p.put("num.network.threads", "1");
        p.put("num.io.threads", "2");
        p.put("background.threads", "1");
        p.put("num.recovery.threads.per.data.dir", "1");
        p.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
        return p;
    }

    /** Value for {@code bootstrap.servers}. */
    public String bootstrap() {
        return address(ports);
    }

    private static String address(Ports ports) {
        return "127.0.0.1:" + ports.broker();
    }

    /** The directory that it was started on. */
    public Path directory() {
        return directory.path();
    }

    /** What ended this broker against its will, if anything did. */
    public Optional<String> fault() {
        return Optional.ofNullable(FAULT.get());
    }

    /** Stops the broker; its records stay on disk, unless it was a temporary one. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop(server);
        if (deleteOnClose) {
            directory.delete();
        }
        directory.close();
    }

    /** Stops within bounded time: after a fault Kafka may wait for threads that are gone. */
    private static void stop(KafkaRaftServer server) {
        Thread stopping = Thread.ofPlatform().daemon().name("broker-stop").start(() -> {
            try {
                server.shutdown();
                server.awaitShutdown();
            } catch (RuntimeException e) {
                LOG.warn("the embedded broker did not stop cleanly: {}", root(e));
            }
        });
        try {
            if (!stopping.join(STOP_TIMEOUT)) {
                LOG.warn("the embedded broker did not stop within {} s", STOP_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void neverExit(int status, String message) {
        String what = message == null ? "Kafka ended with status " + status : message;
        if (FAULT.compareAndSet(null, what)) {
            LOG.error("the embedded broker failed and no longer takes events: {}; requests are still routed", what);
        }
        throw new BrokerFault(what);
    }

    /** Ends the broker thread that wanted to end the process. */
    private static final class BrokerFault extends RuntimeException {
        BrokerFault(String message) {
            super(message);
        }
    }

    private static boolean taken(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof BindException
                    || (t.getMessage() != null && t.getMessage().contains("Address already in use"))) {
                return true;
            }
        }
        return false;
    }

    private static String root(Throwable e) {
        Throwable t = e;
        while (t.getCause() != null) {
            t = t.getCause();
        }
        return t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
    }
}
