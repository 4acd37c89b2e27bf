/** The trace: what a request was ({@link dev.warmroute.recorder.trace.Turn}), and the recording on disk. */
package dev.warmroute.recorder.trace;
