package dev.warmroute.cli;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * Progress of long work on standard error: one line that is overwritten on a terminal, a line every few seconds elsewhere.
 * Not thread-safe beyond {@link #update}, which any thread may call.
 */
final class Progress implements AutoCloseable {
    private static final long TERMINAL_NANOS = 100_000_000L;
    private static final long LOG_NANOS = 5_000_000_000L;

    private final PrintWriter err;
    private final boolean terminal;
    private final long started = System.nanoTime();
    private long nextAt = started + TERMINAL_NANOS;
    private int shown;

    Progress(PrintWriter err) {
        this.err = err;
        this.terminal = System.console() != null && System.getenv("NO_COLOR") == null;
        if (!terminal) {
            nextAt = started + LOG_NANOS;
        }
    }

    /** Shows this text, if the last one was long enough ago. */
    synchronized void update(String text) {
        long now = System.nanoTime();
        if (now < nextAt) {
            return;
        }
        nextAt = now + (terminal ? TERMINAL_NANOS : LOG_NANOS);
        if (terminal) {
            String padded = text.length() < shown ? text + " ".repeat(shown - text.length()) : text;
            err.print('\r' + padded);
            err.flush();
            shown = text.length();
        } else {
            err.println(text);
        }
    }

    /** Shows a line that stays, with the time since the start. */
    synchronized void line(String text) {
        clear();
        err.printf(Locale.ROOT, "%6.1f s  %s%n", (System.nanoTime() - started) / 1e9, text);
        err.flush();
    }

    private void clear() {
        if (terminal && shown > 0) {
            err.print('\r' + " ".repeat(shown) + '\r');
            shown = 0;
        }
    }

    @Override
    public synchronized void close() {
        clear();
        err.flush();
    }
}
