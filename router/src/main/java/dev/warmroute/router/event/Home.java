package dev.warmroute.router.event;

/**
 * Value of the compacted homes topic: where a conversation is at home. A home changes only from one generation to the
 * next; of two writes of the same generation the one with the lower offset wins.
 *
 * @param session affinity key of the conversation (hashed)
 * @param replica its home
 * @param generation grows by one with every change
 * @param writer router instance that wrote it
 * @param lastUsedUs last request, microseconds since the epoch
 */
public record Home(String session, String model, String replica, long generation, String writer, long lastUsedUs)
        implements Event {

    @Override
    public String key() {
        return session;
    }

    @Override
    public String subject() {
        return session;
    }
}
