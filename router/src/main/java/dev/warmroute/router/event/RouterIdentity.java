package dev.warmroute.router.event;

/**
 * Which router wrote an event.
 *
 * @param instance name of the router process, stable over restarts
 * @param epoch start time of the process in milliseconds since the epoch; grows with every restart
 * @param sequence position among all events of this instance and epoch, from 0, over all topics: a gap anywhere shows
 */
public record RouterIdentity(String instance, long epoch, long sequence) {}
