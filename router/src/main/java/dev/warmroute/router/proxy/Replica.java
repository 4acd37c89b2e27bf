package dev.warmroute.router.proxy;

import dev.warmroute.router.config.ReplicaConfig;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A replica as the running router knows it. Thread-safe. */
final class Replica {
    private final ReplicaConfig config;
    private final ReplicaHealth health;
    private final ReplicaTotals totals = new ReplicaTotals();
    private final byte[] hostLine;
    private final byte[] ownLines;
    private volatile InetSocketAddress address;
    private volatile long answeredAt;
    private volatile Standing standing = Standing.SERVING;
    private volatile Optional<String> engineVersion = Optional.empty();

    Replica(ReplicaConfig config, ReplicaHealth health) {
        this.config = config;
        this.health = health;
        this.address = new InetSocketAddress(config.host(), config.port());
        boolean standardPort = config.url().getPort() < 0;
        hostLine = ascii("host: " + config.url().getHost() + (standardPort ? "" : ":" + config.port()) + "\r\n");
        StringBuilder own = new StringBuilder();
        config.authorization()
                .ifPresent(key -> own.append("authorization: ").append(key).append("\r\n"));
        config.dataParallelRank()
                .ifPresent(rank ->
                        own.append("x-data-parallel-rank: ").append(rank).append("\r\n"));
        ownLines = ascii(own.toString());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    ReplicaConfig config() {
        return config;
    }

    String id() {
        return config.id();
    }

    ReplicaHealth health() {
        return health;
    }

    ReplicaTotals totals() {
        return totals;
    }

    /** Where to connect; looked up again with every health check, never on the data path. */
    InetSocketAddress address() {
        return address;
    }

    void lookUpAgain() {
        InetSocketAddress found = new InetSocketAddress(config.host(), config.port());
        if (!found.isUnresolved()) {
            address = found;
        }
    }

    /** The Host line of requests to it. */
    byte[] hostLine() {
        return hostLine;
    }

    /** Further lines that this replica's requests carry: its key, its rank. */
    byte[] ownLines() {
        return ownLines;
    }

    /** Whether this field of a client's request is replaced by the replica's own. */
    boolean replaces(String field) {
        return switch (field) {
            case "authorization", "x-api-key" -> config.apiKey().isPresent();
            case DataParallelRank.HEADER -> config.dataParallelRank().isPresent();
            default -> false;
        };
    }

    /** How it belongs to its model, for those who do not decide. */
    enum Standing {
        SERVING,
        DRAINING,
        /** It serves no model any more; what it is answering may end. */
        REMOVED
    }

    Standing standing() {
        return standing;
    }

    void standing(Standing now) {
        standing = now;
    }

    boolean removed() {
        return standing == Standing.REMOVED;
    }

    void answered(long now) {
        answeredAt = now;
    }

    /** When it last answered a request, on the router's clock. */
    long answeredAt() {
        return answeredAt;
    }

    Optional<String> engineVersion() {
        return engineVersion;
    }

    void engineVersion(Optional<String> version) {
        engineVersion = version;
    }

    @Override
    public String toString() {
        return id();
    }
}
