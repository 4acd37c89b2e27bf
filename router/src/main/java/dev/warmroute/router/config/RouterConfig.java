package dev.warmroute.router.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The whole of {@code router.yaml}, complete and valid. Meaning and default of each value: {@link ConfigKey}.
 *
 * @param instance name of this router; empty: host and port
 * @param listen address that clients connect to
 * @param saltFile file of the secret behind all hashes
 * @param models at least one
 * @param countersInterval time between two reads of a replica's /metrics
 * @param sessionHeaders headers looked at before the built-in table, in lower case
 * @param homesWait how long a start waits for the homes of earlier runs
 */
public record RouterConfig(
        Optional<String> instance,
        Address listen,
        Admin admin,
        Path dataDir,
        Path saltFile,
        List<ModelConfig> models,
        Duration countersInterval,
        List<String> sessionHeaders,
        Fingerprint fingerprint,
        Kafka kafka,
        Duration homesWait,
        Warming warmPrompts,
        Limits limits,
        Optional<Tls> tls) {
    public RouterConfig {
        models = List.copyOf(models);
        sessionHeaders = List.copyOf(sessionHeaders);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("a router needs a model");
        }
    }

    /** Reads a configuration file; see {@link RouterConfigReader}. */
    public static RouterConfig read(Path file) {
        return new RouterConfigReader(System::getenv).read(file);
    }

    /** Reads a configuration from text; {@code name} stands for the file in messages. */
    public static RouterConfig parse(String name, String yaml) {
        return new RouterConfigReader(System::getenv).parse(name, yaml);
    }

    /** The same with another file of warm prompts. */
    public RouterConfig withWarmPrompts(Path file) {
        Warming warming = new Warming(
                Optional.of(file), warmPrompts.concurrency(), warmPrompts.where(), warmPrompts.maxCacheShare());
        return new RouterConfig(
                instance,
                listen,
                admin,
                dataDir,
                saltFile,
                models,
                countersInterval,
                sessionHeaders,
                fingerprint,
                kafka,
                homesWait,
                warming,
                limits,
                tls);
    }

    /** @param token empty: changes are refused */
    public record Admin(Address listen, Optional<String> token) {
        /** Never shows the token. */
        @Override
        public String toString() {
            return "Admin[" + listen + (token.isPresent() ? ", with token" : "") + ']';
        }
    }

    /** How prompts become prompt events. */
    public enum Fingerprint {
        BYTES,
        TOKENIZE,
        OFF
    }

    /**
     * Where events go.
     *
     * @param bootstrap brokers; empty: a broker inside this process
     * @param buffer events that wait while the broker is away
     */
    public record Kafka(Optional<String> bootstrap, String prefix, int buffer, Map<String, String> properties) {
        public Kafka {
            properties = Map.copyOf(properties);
        }

        public boolean embedded() {
            return bootstrap.isEmpty();
        }

        /** Never shows values, which may be secrets. */
        @Override
        public String toString() {
            return "Kafka[" + bootstrap.orElse("embedded") + ", " + prefix + ", " + buffer + ", " + properties.keySet()
                    + ']';
        }
    }

    /** On which replicas a prompt is warmed. */
    public enum Where {
        ALL,
        /** Where the policy would place a request that begins with it. */
        PLACED
    }

    /**
     * Which prompts replicas are to know before the first client sends them.
     *
     * @param file empty: replicas are not warmed
     * @param concurrency warm prompts at a time on one replica
     * @param maxCacheShare part of a replica's cache that they may take without a warning
     */
    public record Warming(Optional<Path> file, int concurrency, Where where, double maxCacheShare) {}

    /**
     * Limits.
     *
     * @param maxBody bytes of a request body
     * @param firstByte zero: no limit
     * @param idle zero: no limit
     * @param halfClosed how long a client that has ended its side may be sent nothing before it counts as gone
     */
    public record Limits(
            int maxBody,
            int maxHeld,
            Duration maxHold,
            Duration connect,
            Duration firstByte,
            Duration idle,
            Duration halfClosed) {}

    /** Certificate chain and private key, both PEM. */
    public record Tls(Path cert, Path key) {}
}
