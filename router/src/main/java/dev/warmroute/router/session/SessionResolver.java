package dev.warmroute.router.session;

import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.session.HeaderRole.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out who is speaking. First the operator's own headers, then those of known clients, then any header that looks like
 * a session id, then the body's fields, last what the conversation began with; names in any case, with hyphens or underscores. Values that are too long or hold
 * control characters are passed over. What comes out are salted hashes, scoped by the client's credentials, so that one
 * tenant's id never steers another's conversation.
 *
 * <p>Side calls (titles, counting tokens) are of a conversation but have another prompt: they get no session of their own and
 * name the conversation as their parent, so that they never move it or count as live.
 */
public final class SessionResolver {
    private static final int MAX_LENGTH = 256;
    private static final String SESSION = "session";
    private static final String AGENT = "agent";
    private static final Set<String> CLASSES = Set.of("main", "subagent", "workflow", "compaction", "auxiliary");

    private final Map<String, Rule> headers;
    private final Salt salt;

    /** @param configuredHeaders headers looked at before the built-in table, best first */
    public SessionResolver(List<String> configuredHeaders, Salt salt) {
        this.headers = HeaderRole.table(configuredHeaders);
        this.salt = salt;
    }

    /** Whether a header names the conversation, so that the body need not be asked. */
    public boolean namedByHeader(RequestHeaders request) {
        for (int i = 0; i < request.size(); i++) {
            if (HeaderRole.of(headers, request.name(i)).role() == HeaderRole.SESSION && usable(request.value(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Names the conversation of a request.
     *
     * @param body asked only when no header says
     * @param sideCall whether the request's path says that it is none of the conversation's own turns
     */
    public Session resolve(RequestHeaders request, SpokenBody body, boolean sideCall) {
        Clues clues = clues(request);
        String tenant = tenant(request);
        if (clues.session.isEmpty()) {
            clues.add(BodyClues.find(body));
        }
        if (clues.session.isEmpty()) {
            return new Session(Optional.empty(), "none", Optional.empty(), Optional.empty(), clues.requestClass());
        }
        String session = salt.hash(SESSION, tenant, clues.session);
        if (sideCall || clues.requestClass.equals("auxiliary")) {
            return new Session(Optional.empty(), clues.source, Optional.empty(), Optional.of(session), Optional.of("auxiliary"));
        }
        return new Session(
                Optional.of(session), clues.source, clues.agent(salt, tenant), clues.parent(salt, tenant), clues.requestClass());
    }

    private Clues clues(RequestHeaders request) {
        Clues clues = new Clues();
        for (int i = 0; i < request.size(); i++) {
            String name = request.name(i);
            Rule rule = HeaderRole.of(headers, name);
            if (rule.role() != HeaderRole.NOTHING) {
                String value = request.value(i);
                if (usable(value)) {
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

    /** Whether a value may be an id: 1 to 256 characters, no control characters. */
    static boolean usable(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** What the headers said, in clear; never leaves this class. */
    private static final class Clues {
        private int rank = Integer.MAX_VALUE;
        private String session = "";
        private String source = "";
        private String agent = "";
        private String parentAgent = "";
        private String parentSession = "";
        private String requestClass = "";
        private String thread = "";
        private boolean subagent;

        private void add(Rule rule, String name, String value) {
            switch (rule.role()) {
                case SESSION -> {
                    if (name.equals("thread-id") || name.equals("thread_id")) {
                        thread = value;
                    }
                    if (rule.rank() < rank) {
                        rank = rule.rank();
                        session = value;
                        source = name;
                    }
                }
                case AGENT -> agent = value;
                case PARENT_AGENT -> parentAgent = value;
                case PARENT_SESSION -> parentSession = value;
                case REQUEST_CLASS -> requestClass = CLASSES.contains(value) ? value : "";
                case SUBAGENT_KIND -> subagent = true;
                default -> {}
            }
        }

        private void add(Optional<BodyClues> found) {
            found.ifPresent(c -> {
                session = c.id();
                source = c.source();
            });
        }

        /** A Codex sub-agent is named by its thread within the session; Claude Code names it outright. */
        private Optional<String> agent(Salt salt, String tenant) {
            String id = agent.isEmpty() && subagent && !thread.equals(session) ? thread : agent;
            return id.isEmpty() ? Optional.empty() : Optional.of(salt.hash(AGENT, tenant, id));
        }

        private Optional<String> parent(Salt salt, String tenant) {
            if (!parentAgent.isEmpty()) {
                return Optional.of(salt.hash(AGENT, tenant, parentAgent));
            }
            return parentSession.isEmpty() ? Optional.empty() : Optional.of(salt.hash(SESSION, tenant, parentSession));
        }

        private Optional<String> requestClass() {
            if (!requestClass.isEmpty()) {
                return Optional.of(requestClass);
            }
            return agent.isEmpty() && !subagent ? Optional.empty() : Optional.of("subagent");
        }
    }
}
