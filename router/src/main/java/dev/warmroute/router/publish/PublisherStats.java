package dev.warmroute.router.publish;

import java.util.Optional;

/**
 * What became of the events so far.
 *
 * @param published events that Kafka confirmed
 * @param lost events given up
 * @param buffered events accepted and neither confirmed nor given up
 * @param lastError latest trouble with Kafka, in one line; stays after it is over
 */
public record PublisherStats(long published, long lost, long buffered, Optional<String> lastError) {}
