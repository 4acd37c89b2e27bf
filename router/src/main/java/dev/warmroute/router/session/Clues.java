package dev.warmroute.router.session;

import dev.warmroute.router.event.RoutingDecision.Session;
import dev.warmroute.router.session.HeaderRole.Rule;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What one request said about who is speaking, in clear; never leaves this package. */
final class Clues {
    private static final String SESSION = "session";
    private static final String AGENT = "agent";
    private static final String AUXILIARY = "auxiliary";
    private static final String SUBAGENT = "subagent";
    private static final String COMPACTION = "compaction";
    private static final Set<String> CLASSES = Set.of("main", SUBAGENT, "workflow", COMPACTION, AUXILIARY);

    private final boolean messages;
    private int rank = Integer.MAX_VALUE;
    private String session = "";
    private String source = "";
    private String agent = "";
    private String parentAgent = "";
    private String parentSession = "";
    private String requestClass = "";
    private String thread = "";
    private String turnMetadata = "";
    private String turnMetadataSource = "";
    private boolean subagent;
    private boolean claudeCode;

    /** @param messages whether the request may be one of Claude Code's side calls */
    Clues(boolean messages) {
        this.messages = messages;
    }

    /** Takes note of a header; of one that comes twice the first counts. */
    void add(Rule rule, String name, String value) {
        switch (rule.role()) {
            case SESSION -> {
                if (thread.isEmpty() && HeaderRole.normal(name).equals(HeaderRole.THREAD)) {
                    thread = value;
                }
                claudeCode |= HeaderRole.normal(name).equals(HeaderRole.CLAUDE_CODE);
                if (rule.rank() < rank) {
                    rank = rule.rank();
                    session = value;
                    source = name;
                }
            }
            case AGENT -> {
                agent = first(agent, value);
                subagent = true;
            }
            case PARENT_AGENT -> parentAgent = first(parentAgent, value);
            case PARENT_SESSION -> parentSession = first(parentSession, value);
            case REQUEST_CLASS -> requestClass = CLASSES.contains(lower(value)) ? lower(value) : requestClass;
            case COMPACTION -> requestClass = first(requestClass, COMPACTION);
            case SUBAGENT_KIND -> helper(lower(value));
            case MEMORY_WRITING -> requestClass = lower(value).equals("true") ? AUXILIARY : requestClass;
            default -> {}
        }
    }

    /** Codex's helpers: two of them work on the conversation itself, the others are sub-agents. */
    private void helper(String kind) {
        switch (kind) {
            case "compact" -> requestClass = first(requestClass, COMPACTION);
            case "memory_consolidation" -> requestClass = AUXILIARY;
            case "false", "0" -> {}
            default -> subagent = true;
        }
    }

    /** Takes note of Codex's turn metadata, which may be longer than an id. */
    void turnMetadata(String name, String json) {
        turnMetadata = json;
        turnMetadataSource = name;
    }

    private static String first(String before, String now) {
        return before.isEmpty() ? now : before;
    }

    private static String lower(String value) {
        return value.toLowerCase(Locale.ROOT);
    }

    /**
     * Whether the body may tell something that the headers do not: who is speaking at all, or whether a request of Claude Code
     * is one of its side calls.
     */
    boolean leaveOpen() {
        return session.isEmpty() || mayBeHelperCall();
    }

    /** Asks the body, and what else is only asked when no header names the conversation. */
    void ask(SpokenBody body) {
        if (session.isEmpty() && !turnMetadata.isEmpty()) {
            readTurnMetadata();
        }
        if (session.isEmpty()) {
            BodyClues.find(body).ifPresent(found -> {
                session = found.id();
                source = found.source();
            });
        }
        if (source.equals(BodyClues.source(BodyField.AGENT_RUN))) {
            agent = usable(body.value(BodyField.TRAJECTORY));
            parentAgent = usable(body.value(BodyField.PARENT_TRAJECTORY));
            subagent = !parentAgent.isEmpty();
        }
        claudeCode |= source.equals(BodyClues.source(BodyField.METADATA_USER_ID));
        if (mayBeHelperCall() && isHelperCall(body)) {
            requestClass = AUXILIARY;
        }
    }

    /** The session outlives a proxy that drops headers with underscores in this header alone. */
    private void readTurnMetadata() {
        thread = first(thread, usable(Ids.textIn(turnMetadata, "thread_id")));
        session = first(usable(Ids.textIn(turnMetadata, "session_id")), thread);
        parentSession = first(parentSession, usable(Ids.textIn(turnMetadata, "parent_thread_id")));
        source = session.isEmpty() ? "" : turnMetadataSource;
    }

    private static String usable(String id) {
        return Ids.usable(id) ? id : "";
    }

    private boolean mayBeHelperCall() {
        return messages && claudeCode && requestClass.isEmpty() && !subagent;
    }

    /**
     * Claude Code's calls beside the conversation, where no header says so: without any tools, and either for an answer of a
     * given form (titles, summaries) or for one token (whether the key still has quota).
     */
    private static boolean isHelperCall(SpokenBody body) {
        return body.value(BodyField.TOOL_NAME).isEmpty()
                && (!body.value(BodyField.OUTPUT_FORMAT).isEmpty()
                        || body.value(BodyField.MAX_TOKENS).equals("1"));
    }

    /** @param sideCall whether the request's path says that it is none of the conversation's own turns */
    Session session(Salt salt, String tenant, boolean sideCall) {
        if (session.isEmpty()) {
            return new Session(Optional.empty(), "none", Optional.empty(), Optional.empty(), present(requestClass));
        }
        String hash = salt.hash(SESSION, tenant, session);
        if (sideCall || requestClass.equals(AUXILIARY)) {
            return new Session(Optional.empty(), source, Optional.empty(), Optional.of(hash), Optional.of(AUXILIARY));
        }
        return new Session(Optional.of(hash), source, agent(salt, tenant), parent(salt, tenant), requestClass());
    }

    /** A Codex sub-agent is named by its thread within the session; Claude Code and Dynamo name it outright. */
    private Optional<String> agent(Salt salt, String tenant) {
        String id = agent.isEmpty() && isThreadOfSubagent() ? thread : agent;
        return id.isEmpty() ? Optional.empty() : Optional.of(salt.hash(AGENT, tenant, id));
    }

    private Optional<String> parent(Salt salt, String tenant) {
        if (!parentAgent.isEmpty()) {
            return Optional.of(salt.hash(AGENT, tenant, parentAgent));
        }
        if (parentSession.isEmpty() || !isSubagent()) {
            return Optional.empty();
        }
        String kind = isThreadOfSubagent() && !parentSession.equals(session) ? AGENT : SESSION;
        return Optional.of(salt.hash(kind, tenant, parentSession));
    }

    private Optional<String> requestClass() {
        return requestClass.isEmpty() && isSubagent() ? Optional.of(SUBAGENT) : present(requestClass);
    }

    private boolean isThreadOfSubagent() {
        return isSubagent() && !thread.isEmpty() && !thread.equals(session);
    }

    /** Whoever names a parent other than itself is one, too. */
    private boolean isSubagent() {
        return subagent || !parentSession.isEmpty() && !parentSession.equals(thread.isEmpty() ? session : thread);
    }

    private static Optional<String> present(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
