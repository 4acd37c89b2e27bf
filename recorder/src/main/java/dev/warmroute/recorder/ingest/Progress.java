package dev.warmroute.recorder.ingest;

/**
 * How a recorder is doing.
 *
 * @param events events taken since it started
 * @param dataBytes bytes of their JSON
 * @param eventsPerSecond since the last report
 * @param lag events in the topics that it has not taken; -1 while that is not known
 * @param seconds since it started
 */
public record Progress(long events, long dataBytes, double eventsPerSecond, long lag, double seconds) {}
