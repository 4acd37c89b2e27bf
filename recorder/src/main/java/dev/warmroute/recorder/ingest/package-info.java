/**
 * From the topics to a trace directory: {@link dev.warmroute.recorder.ingest.Recorder} consumes, and commits an offset only
 * after everything before it is safe in the trace.
 */
package dev.warmroute.recorder.ingest;
