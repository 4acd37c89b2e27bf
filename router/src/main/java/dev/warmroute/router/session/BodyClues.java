package dev.warmroute.router.session;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The conversation's id in a body's fields.
 *
 * @param source {@code body:FIELD}, or {@code fingerprint}
 */
record BodyClues(String id, String source) {
    private static final String LEGACY_SESSION = "_session_";

    /** {@code user} may be a person or a tenant, so it only counts when it holds a long number or hash. */
    private static final Pattern ID_SHAPED = Pattern.compile(
            "(?=[A-Za-z0-9_.:-]{8,128}$)(?:.*[^A-Za-z0-9])?(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{8,}(?:[^A-Za-z0-9].*)?");

    /** Fields that hold nothing but a conversation's id, best first. */
    private static final List<BodyField> PLAIN = List.of(
            BodyField.PROMPT_CACHE_KEY,
            BodyField.SESSION_ID,
            BodyField.LITELLM_SESSION_ID,
            BodyField.AGENT_RUN,
            BodyField.METADATA_SESSION_ID);

    static Optional<BodyClues> find(SpokenBody spoken) {
        Optional<BodyClues> named = named(spoken);
        if (named.isPresent()) {
            return named;
        }
        String opening = spoken.opening();
        return opening.isEmpty() ? Optional.empty() : Optional.of(new BodyClues(opening, "fingerprint"));
    }

    private static Optional<BodyClues> named(SpokenBody body) {
        String claude = sessionOfUserId(body.value(BodyField.METADATA_USER_ID));
        if (Ids.usable(claude)) {
            return Optional.of(in(BodyField.METADATA_USER_ID, claude));
        }
        for (BodyField field : PLAIN) {
            String id = body.value(field);
            if (Ids.usable(id)) {
                return Optional.of(in(field, id));
            }
        }
        String user = body.value(BodyField.USER);
        return ID_SHAPED.matcher(user).matches() ? Optional.of(in(BodyField.USER, user)) : Optional.empty();
    }

    private static BodyClues in(BodyField field, String id) {
        return new BodyClues(id, source(field));
    }

    static String source(BodyField field) {
        return "body:" + field.path();
    }

    /**
     * The session in Claude Code's {@code metadata.user_id}: a JSON text with {@code session_id}, or in older versions
     * {@code user_HASH_account_UUID_session_UUID}. Device and account are left out. Empty when it is something else.
     */
    private static String sessionOfUserId(String userId) {
        if (userId.startsWith("{")) {
            return Ids.textIn(userId, "session_id");
        }
        int at = userId.lastIndexOf(LEGACY_SESSION);
        return at < 0 ? "" : userId.substring(at + LEGACY_SESSION.length());
    }
}
