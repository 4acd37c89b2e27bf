package dev.warmroute.recorder.format;

import dev.warmroute.router.UserError;

/**
 * What to do with a wrong row: {@code stop} at the first, {@code skip} all, or skip up to a number of them and stop at the
 * next.
 *
 * @param limit wrong rows that may be left out
 */
public record OnError(long limit) {
    /** What whoever meets a wrong row can do. */
    static final String REMEDY = "mend it, or leave wrong rows out with --on-error skip";

    public static final OnError STOP = new OnError(0);
    public static final OnError SKIP = new OnError(Long.MAX_VALUE);

    public OnError {
        if (limit < 0) {
            throw new IllegalArgumentException("limit must not be negative: " + limit);
        }
    }

    /** Reads {@code stop}, {@code skip} or a number. */
    public static OnError parse(String text) {
        switch (text) {
            case "stop":
                return STOP;
            case "skip":
                return SKIP;
            default:
                try {
                    return new OnError(Long.parseLong(text));
                } catch (IllegalArgumentException e) {
                    throw new UserError(
                            "on-error must be stop, skip or the number of rows that may be skipped, not '" + text + "'",
                            e);
                }
        }
    }
}
