package dev.warmroute.router.publish;

import java.util.Map;

/**
 * Where and how events are written.
 *
 * @param bootstrap addresses of the cluster, {@code host:port} separated by commas
 * @param prefix what the topics' names begin with
 * @param buffer events held at most while Kafka has not confirmed them
 * @param properties further settings of the Kafka producer, for example {@code security.protocol}; they win over the
 *     router's own, except where order and completeness of the events rest on those
 */
public record PublisherSettings(String bootstrap, String prefix, int buffer, Map<String, String> properties) {
    public static final String DEFAULT_PREFIX = "warmroute";
    public static final int DEFAULT_BUFFER = 100_000;

    public PublisherSettings {
        if (buffer < 1) {
            throw new IllegalArgumentException("buffer must be at least 1: " + buffer);
        }
        properties = Map.copyOf(properties);
    }

    public static PublisherSettings of(String bootstrap) {
        return new PublisherSettings(bootstrap, DEFAULT_PREFIX, DEFAULT_BUFFER, Map.of());
    }
}
