package dev.warmroute.router.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The conversation's id in a body's fields.
 *
 * @param source {@code body:FIELD}, or {@code fingerprint}
 */
record BodyClues(String id, String source) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String LEGACY_SESSION = "_session_";

    /** {@code user} may be a person or a tenant, so it only counts when it holds a long number or hash. */
    private static final Pattern ID_SHAPED =
            Pattern.compile("(?=[A-Za-z0-9_.:-]{8,128}$)(?:.*[^A-Za-z0-9])?(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{8,}(?:[^A-Za-z0-9].*)?");

    static Optional<BodyClues> find(SpokenBody spoken) {
        Optional<BodyClues> named = named(spoken.ids());
        if (named.isPresent()) {
            return named;
        }
        String opening = spoken.opening();
        return opening.isEmpty() ? Optional.empty() : Optional.of(new BodyClues(opening, "fingerprint"));
    }

    private static Optional<BodyClues> named(BodyIds body) {
        String claude = sessionOfUserId(body.metadataUserId());
        if (SessionResolver.usable(claude)) {
            return Optional.of(new BodyClues(claude, "body:metadata.user_id"));
        }
        if (SessionResolver.usable(body.promptCacheKey())) {
            return Optional.of(new BodyClues(body.promptCacheKey(), "body:prompt_cache_key"));
        }
        if (SessionResolver.usable(body.sessionId())) {
            return Optional.of(new BodyClues(body.sessionId(), "body:session_id"));
        }
        if (SessionResolver.usable(body.litellmSessionId())) {
            return Optional.of(new BodyClues(body.litellmSessionId(), "body:litellm_session_id"));
        }
        if (ID_SHAPED.matcher(body.user()).matches()) {
            return Optional.of(new BodyClues(body.user(), "body:user"));
        }
        return Optional.empty();
    }

    /**
     * The session in Claude Code's {@code metadata.user_id}: a JSON text with {@code session_id}, or in older versions
     * {@code user_HASH_account_UUID_session_UUID}. Device and account are left out. Empty when it is something else.
     */
    static String sessionOfUserId(String userId) {
        if (userId.startsWith("{")) {
            return sessionId(userId);
        }
        int at = userId.lastIndexOf(LEGACY_SESSION);
        return at < 0 ? "" : userId.substring(at + LEGACY_SESSION.length());
    }

    private static String sessionId(String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = parser.currentName().equals("session_id");
                if (parser.nextToken() == JsonToken.VALUE_STRING && wanted) {
                    return parser.getText();
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            return "";
        }
        return "";
    }
}
