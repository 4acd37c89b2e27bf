package dev.warmroute.router.event;

import java.util.OptionalLong;

/**
 * Value of the compacted homes topic: where a conversation is at home. A home changes only from one generation to the
 * next; of two writes of the same generation the one with the lower offset wins. A conversation that is forgotten has a
 * record without a value, which here is a home without a replica.
 *
 * @param session affinity key of the conversation (hashed)
 * @param replica its home; empty: forgotten
 * @param generation grows by one with every change
 * @param writer router instance that wrote it
 * @param lastUsedUs last request, microseconds since the epoch
 * @param repeats offset of the write that made this home, where this one only says it again: so it still wins when
 *     compaction has taken that one away
 */
public record Home(
        String session,
        String model,
        String replica,
        long generation,
        String writer,
        long lastUsedUs,
        OptionalLong repeats)
        implements Event {
    private static final char KEY_SEPARATOR = '@';

    /** Says that a conversation is forgotten. */
    public static Home tombstone(String session, String model, String writer, long lastUsedUs) {
        return new Home(session, model, "", 0, writer, lastUsedUs, OptionalLong.empty());
    }

    /** What a record without a value says, whose key is all that it has. */
    public static Home tombstone(String key) {
        int at = key.indexOf(KEY_SEPARATOR);
        return tombstone(key.substring(0, Math.max(0, at)), key.substring(at + 1), "", 0);
    }

    public boolean forgotten() {
        return replica.isEmpty();
    }

    /** A conversation has a home for each model that it speaks to. */
    @Override
    public String key() {
        return session + KEY_SEPARATOR + model;
    }

    @Override
    public String subject() {
        return session;
    }
}
