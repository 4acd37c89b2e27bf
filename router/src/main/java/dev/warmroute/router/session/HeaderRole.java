package dev.warmroute.router.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a header may say about who is speaking. */
enum HeaderRole {
    SESSION,
    AGENT,
    PARENT_AGENT,
    PARENT_SESSION,
    REQUEST_CLASS,
    SUBAGENT_KIND,
    THREAD,
    NOTHING;

    /**
     * A header's role.
     *
     * @param rank order among session headers, the lowest wins
     */
    record Rule(HeaderRole role, int rank) {
        private static final Rule NONE = new Rule(NOTHING, Integer.MAX_VALUE);
    }

    /** Session headers of known clients, best first; an underscore stands for a hyphen. */
    private static final List<String> SESSION_HEADERS = List.of(
            "x-claude-code-session-id",
            "session-id",
            "thread-id",
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
            "helicone-session-id");

    /** Rank of a header that only looks like a session header. */
    private static final int GENERIC_RANK = 10_000;

    private static final Map<String, Rule> KNOWN = known();

    private static Map<String, Rule> known() {
        Map<String, Rule> rules = new HashMap<>();
        for (int i = 0; i < SESSION_HEADERS.size(); i++) {
            rules.put(SESSION_HEADERS.get(i), new Rule(SESSION, 1_000 + i));
        }
        rules.put("x-claude-code-agent-id", new Rule(AGENT, 0));
        rules.put("x-claude-code-parent-agent-id", new Rule(PARENT_AGENT, 0));
        rules.put("x-codex-parent-thread-id", new Rule(PARENT_SESSION, 0));
        rules.put("x-parent-session-id", new Rule(PARENT_SESSION, 0));
        rules.put("x-kilocode-parent-taskid", new Rule(PARENT_SESSION, 0));
        rules.put("x-claude-code-request-class", new Rule(REQUEST_CLASS, 0));
        rules.put("x-openai-subagent", new Rule(SUBAGENT_KIND, 0));
        return rules;
    }

    /** Rules with the operator's own headers before all others. */
    static Map<String, Rule> table(List<String> configured) {
        Map<String, Rule> rules = new HashMap<>(KNOWN);
        for (int i = 0; i < configured.size(); i++) {
            rules.put(normal(configured.get(i)), new Rule(SESSION, i));
        }
        return rules;
    }

    /** The rule for a header's name in lower case. */
    static Rule of(Map<String, Rule> table, String name) {
        String normal = normal(name);
        Rule rule = table.get(normal);
        if (rule != null) {
            return rule;
        }
        return looksLikeSession(normal) ? new Rule(SESSION, GENERIC_RANK) : Rule.NONE;
    }

    private static String normal(String name) {
        return name.indexOf('_') < 0 ? name : name.replace('_', '-');
    }

    /** {@code x-VENDOR-session-id} and the like; a parent's id or a request's own id is not the conversation's. */
    private static boolean looksLikeSession(String name) {
        if (!name.startsWith("x-") || !name.endsWith("id") || name.contains("parent")) {
            return false;
        }
        String stem = name.substring(0, name.length() - (name.endsWith("-id") ? 3 : 2));
        for (String kind : List.of("-session", "-conversation", "-thread", "-task")) {
            if (stem.endsWith(kind) && stem.length() > kind.length() + 2) {
                return true;
            }
        }
        return false;
    }
}
