package dev.warmroute.recorder.ingest;

import java.util.Map;
import java.util.Objects;

/**
 * How a Kafka cluster is reached.
 *
 * @param bootstrap Kafka's {@code bootstrap.servers}
 * @param properties further client properties, for example for TLS
 */
public record KafkaAccess(String bootstrap, Map<String, String> properties) {
    public KafkaAccess {
        Objects.requireNonNull(bootstrap, "bootstrap");
        properties = Map.copyOf(properties);
    }
}
