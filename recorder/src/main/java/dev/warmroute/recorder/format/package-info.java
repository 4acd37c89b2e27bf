/**
 * Public trace formats: one reader class each, from a file to {@link dev.warmroute.recorder.trace.Turn turns}.
 * {@link dev.warmroute.recorder.format.TraceFormat} is the registry, {@link dev.warmroute.recorder.format.TraceSource}
 * understands the trace argument of every command.
 */
package dev.warmroute.recorder.format;
