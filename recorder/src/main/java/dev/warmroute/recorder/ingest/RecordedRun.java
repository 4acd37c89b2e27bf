package dev.warmroute.recorder.ingest;

import dev.warmroute.recorder.trace.TraceManifest;

/**
 * What a recorder did.
 *
 * @param manifest of the trace as it is now
 * @param events events added by this run
 * @param dataBytes bytes of their JSON
 * @param seconds time taken
 */
public record RecordedRun(TraceManifest manifest, long events, long dataBytes, double seconds) {}
