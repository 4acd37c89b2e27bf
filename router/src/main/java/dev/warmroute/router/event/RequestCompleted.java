package dev.warmroute.router.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code request.completed.v1}: the end of a client request, whatever the end was. There is exactly one for each accepted
 * request.
 *
 * @param replica replica that answered; empty when none was reached
 * @param status HTTP status sent to the client; empty when nothing was sent
 * @param error what went wrong, in one line
 * @param endedBy who ended it
 * @param heldMs time it was kept at the router, in milliseconds
 * @param arrivalUs when its head had arrived, microseconds since the epoch
 * @param firstByteUs first byte of the answer's body to the client, microseconds since the epoch
 * @param lastByteUs last byte, or the moment it ended
 * @param promptTokens prompt tokens including cached ones, as the engine reported; empty when it did not say
 * @param cachedTokens prompt tokens found in the prefix cache, as the engine reported; empty when it did not say
 * @param completionTokens generated tokens, as the engine reported; empty when it did not say
 */
public record RequestCompleted(
        String requestId,
        RoutingDecision.Session session,
        String model,
        Optional<String> replica,
        OptionalInt status,
        Optional<String> error,
        EndedBy endedBy,
        double heldMs,
        long arrivalUs,
        OptionalLong firstByteUs,
        long lastByteUs,
        OptionalLong promptTokens,
        OptionalLong cachedTokens,
        OptionalLong completionTokens,
        Optional<String> finishReason,
        int attempts,
        RouterIdentity router)
        implements Event {

    @Override
    public String key() {
        return session.key();
    }

    @Override
    public String subject() {
        return requestId;
    }

    /** Who ended a request. */
    public enum EndedBy {
        /** It ran to its end. */
        FINISHED,
        /** The client left. */
        CLIENT,
        /** The replica failed or cut the connection. */
        REPLICA,
        /** The router refused it or gave up. */
        ROUTER;

        @JsonValue
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        @JsonCreator
        public static EndedBy of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }
}
