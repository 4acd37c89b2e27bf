package dev.warmroute.router.admin;

import dev.warmroute.router.homes.HomesState;
import dev.warmroute.router.publish.PublisherStats;
import java.util.Optional;

/**
 * How it stands with Kafka.
 *
 * @param bootstrap brokers that the events go to
 * @param embedded whether that is the broker inside this process
 * @param fault what ended that broker against its will, if anything did
 */
public record KafkaStatus(
        String bootstrap, boolean embedded, Optional<String> fault, PublisherStats events, HomesState homes) {}
