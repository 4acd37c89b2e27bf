package dev.warmroute.router.session;

import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.session.HeaderRole.Rule;
import java.util.List;
import java.util.Map;

/**
 * Finds out who is speaking. First the operator's own headers, then those of known clients, then any header that looks like
 * a session id, then the body's fields, last what the conversation began with; names in any case, with hyphens or
 * underscores. Values that are too long or hold control characters are passed over. What comes out are salted hashes, scoped
 * by the client's credentials, so that one tenant's id never steers another's conversation.
 *
 * <p>Sub-agents have a prompt of their own and so a key of their own: the session's hash and the agent's, or the hash of a
 * session of their own with the parent's beside it, as their client names them.
 *
 * <p>Side calls (titles, counting tokens, quota probes) are of a conversation but have another prompt: they get no session of
 * their own and name the conversation as their parent, so that they never move it or count as live.
 */
public final class SessionResolver {
    private final Map<String, Rule> headers;
    private final Salt salt;

    /** @param configuredHeaders headers looked at before the built-in table, best first */
    public SessionResolver(List<String> configuredHeaders, Salt salt) {
        this.headers = HeaderRole.table(configuredHeaders);
        this.salt = salt;
    }

    /**
     * Whether the body may tell something that the headers do not: who is speaking at all, or whether a request of Claude Code
     * is one of its side calls.
     */
    public boolean asksBody(RequestHeaders request) {
        return clues(request).leaveOpen();
    }

    /**
     * Names the conversation of a request.
     *
     * @param body read to its end if {@link #asksBody} said so
     * @param sideCall whether the request's path says that it is none of the conversation's own turns
     */
    public Session resolve(RequestHeaders request, SpokenBody body, boolean sideCall) {
        Clues clues = clues(request);
        if (clues.leaveOpen()) {
            clues.ask(body);
        }
        return clues.session(salt, tenant(request), sideCall);
    }

    private Clues clues(RequestHeaders request) {
        Clues clues = new Clues(request.messages());
        for (int i = 0; i < request.size(); i++) {
            String name = request.name(i);
            Rule rule = HeaderRole.of(headers, name);
            if (rule.role() == HeaderRole.TURN_METADATA) {
                clues.turnMetadata(name, request.value(i));
            } else if (rule.role() != HeaderRole.NOTHING) {
                String value = request.value(i);
                if (Ids.usable(value)) {
                    clues.add(rule, name, value);
                }
            }
        }
        return clues;
    }

    /** Credentials, which say whose ids these are; they are only ever hashed. */
    private static String tenant(RequestHeaders request) {
        String authorization = request.first("authorization");
        return authorization.isEmpty() ? request.first("x-api-key") : authorization;
    }
}
