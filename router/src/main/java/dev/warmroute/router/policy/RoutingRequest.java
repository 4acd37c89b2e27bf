package dev.warmroute.router.policy;

import java.util.Objects;

/**
 * A request as a policy sees it.
 *
 * @param session affinity key of the conversation (a salted hash when live); empty when nobody knows it
 * @param promptTokens prompt tokens, exact or estimated; -1 when unknown
 * @param seed seed of all randomness in this decision
 */
public record RoutingRequest(String session, long promptTokens, long seed) {
    public RoutingRequest {
        Objects.requireNonNull(session, "session");
    }

    public boolean hasSession() {
        return !session.isEmpty();
    }
}
