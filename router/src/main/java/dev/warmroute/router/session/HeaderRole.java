package dev.warmroute.router.session;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a header may say about who is speaking. */
enum HeaderRole {
    SESSION,
    /** Codex's JSON text about the turn, which names session and threads once more. */
    TURN_METADATA,
    AGENT,
    PARENT_AGENT,
    PARENT_SESSION,
    REQUEST_CLASS,
    /** Claude Code's request that sums a conversation up. */
    COMPACTION,
    /** Codex's word for what kind of helper is speaking. */
    SUBAGENT_KIND,
    /** Codex's request that writes memories. */
    MEMORY_WRITING,
    NOTHING;

    /**
     * A header's role.
     *
     * @param rank order among session headers, the lowest wins
     */
    record Rule(HeaderRole role, int rank) {
        private static final Rule NONE = new Rule(NOTHING, Integer.MAX_VALUE);
    }

    static final String CLAUDE_CODE = "x-claude-code-session-id";
    static final String THREAD = "thread-id";

    /** Session headers of known clients, best first; an underscore stands for a hyphen. */
    private static final List<String> SESSION_HEADERS = List.of(
            CLAUDE_CODE,
            "session-id",
            THREAD,
            "conversation-id",
            "x-session-affinity",
            "x-session-id",
            "x-opencode-session",
            "x-litellm-session-id",
            "x-kilocode-taskid",
            "x-client-session-id",
            "x-interaction-id",
            "x-affinity",
            "x-grok-conv-id",
            "x-smg-routing-key",
            "x-openwebui-chat-id",
            "x-coder-chat-id",
            "x-mux-workspace-id",
            "x-conversation-id",
            "x-thread-id",
            "helicone-session-id",
            "langfuse-session-id");

    /** Rank of a header that only looks like a session header. */
    private static final int GENERIC_RANK = 10_000;

    private static final Rule GENERIC = new Rule(SESSION, GENERIC_RANK);
    private static final Rule GENERIC_PARENT = new Rule(PARENT_SESSION, GENERIC_RANK);

    /** The name of a header becomes part of events; nobody's session header is longer. */
    private static final int MAX_GENERIC_NAME = 64;

    private static final List<String> KINDS = List.of("-session", "-conversation", "-thread", "-task");

    private static final Map<String, Rule> KNOWN = known();

    private static Map<String, Rule> known() {
        Map<String, Rule> rules = new HashMap<>();
        for (int i = 0; i < SESSION_HEADERS.size(); i++) {
            rules.put(SESSION_HEADERS.get(i), new Rule(SESSION, 1_000 + i));
        }
        rules.put("x-codex-turn-metadata", new Rule(TURN_METADATA, 0));
        rules.put("x-claude-code-agent-id", new Rule(AGENT, 0));
        rules.put("x-claude-code-parent-agent-id", new Rule(PARENT_AGENT, 0));
        rules.put("x-codex-parent-thread-id", new Rule(PARENT_SESSION, 0));
        rules.put("x-parent-session-id", new Rule(PARENT_SESSION, 0));
        rules.put("x-kilocode-parent-taskid", new Rule(PARENT_SESSION, 0));
        rules.put("x-claude-code-request-class", new Rule(REQUEST_CLASS, 0));
        rules.put("x-claude-code-compaction", new Rule(COMPACTION, 0));
        rules.put("x-openai-subagent", new Rule(SUBAGENT_KIND, 0));
        rules.put("x-openai-memgen-request", new Rule(MEMORY_WRITING, 0));
        return rules;
    }

    /** Rules with the operator's own headers before all others. */
    static Map<String, Rule> table(List<String> configured) {
        Map<String, Rule> rules = new HashMap<>(KNOWN);
        for (int i = 0; i < configured.size(); i++) {
            rules.put(normal(configured.get(i).toLowerCase(Locale.ROOT)), new Rule(SESSION, i));
        }
        return rules;
    }

    /** The rule for a header's name in lower case. */
    static Rule of(Map<String, Rule> table, String name) {
        String normal = normal(name);
        Rule rule = table.get(normal);
        return rule != null ? rule : generic(normal);
    }

    /** A name as it is in the tables: nginx and old clients write an underscore where others write a hyphen. */
    static String normal(String name) {
        return name.indexOf('_') < 0 ? name : name.replace('_', '-');
    }

    /** {@code x-VENDOR-session-id} and the like; a parent's id is not the conversation's. */
    private static Rule generic(String name) {
        if (!name.startsWith("x-") || !name.endsWith("id") || name.length() > MAX_GENERIC_NAME) {
            return Rule.NONE;
        }
        String stem = name.substring(0, name.length() - (name.endsWith("-id") ? 3 : 2));
        for (String kind : KINDS) {
            if (stem.endsWith(kind) && stem.length() > kind.length() + 2) {
                return stem.contains("parent") ? GENERIC_PARENT : GENERIC;
            }
        }
        return Rule.NONE;
    }
}
