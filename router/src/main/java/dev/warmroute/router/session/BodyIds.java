package dev.warmroute.router.session;

/**
 * The fields of a request's body that may name a conversation; each empty when it is not there.
 *
 * @param metadataUserId {@code metadata.user_id}
 * @param promptCacheKey {@code prompt_cache_key}
 * @param sessionId {@code session_id}
 * @param litellmSessionId {@code litellm_session_id}
 * @param user {@code user}
 */
public record BodyIds(
        String metadataUserId, String promptCacheKey, String sessionId, String litellmSessionId, String user) {
    public static final BodyIds NONE = new BodyIds("", "", "", "", "");
}
