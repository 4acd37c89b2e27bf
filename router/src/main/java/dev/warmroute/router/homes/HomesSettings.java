package dev.warmroute.router.homes;

import dev.warmroute.router.event.Topic;
import java.time.Duration;
import java.util.Map;

/**
 * Where the homes are and how long a start waits for them.
 *
 * @param bootstrap addresses of the cluster, {@code host:port} separated by commas
 * @param prefix what the topics' names begin with
 * @param properties further settings of the Kafka client, for example {@code security.protocol}
 * @param saltId id of this router's salt; homes under another one mean nothing to it
 * @param patience how long a start waits for the homes before it goes on without them
 */
public record HomesSettings(
        String bootstrap, String prefix, Map<String, String> properties, String saltId, Duration patience) {
    public HomesSettings {
        properties = Map.copyOf(properties);
    }

    String topic() {
        return Topic.HOMES.name(prefix);
    }
}
