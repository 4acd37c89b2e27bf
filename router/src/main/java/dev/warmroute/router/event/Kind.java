package dev.warmroute.router.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a routing decision was. */
public enum Kind {
    /** First request of a conversation: it gets a home. */
    PLACED,
    /** Sent to the conversation's home. */
    STICKY,
    /** Home too busy: this request goes elsewhere, the home stays. */
    OVERFLOW,
    /** The conversation got another home. */
    MOVED,
    /** The client named the data-parallel rank itself, or a response that only this replica holds. */
    PINNED,
    /** No conversation known: sent where there is room. */
    BALANCED,
    /** Kept at the router until a place frees up. */
    HELD,
    /** The home cannot be used; the conversation got a new one. */
    FAILOVER,
    /** Affinity is off or there is one replica: no choice was made. */
    UNROUTED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    @JsonValue
    public String wireName() {
        return wireName;
    }

    /** Reads a wire name; recordings of other routers call an overflow {@code spilled}. */
    @JsonCreator
    public static Kind of(String name) {
        return switch (name) {
            case "spilled" -> OVERFLOW;
            case "client_pinned" -> PINNED;
            default -> valueOf(name.toUpperCase(Locale.ROOT));
        };
    }
}
