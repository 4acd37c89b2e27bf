package dev.warmroute.router.session;

/** A field of a request's body that may tell who is speaking. */
public enum BodyField {
    /** Claude Code. */
    METADATA_USER_ID("metadata.user_id"),
    /** Codex, OpenHands. */
    PROMPT_CACHE_KEY("prompt_cache_key"),
    SESSION_ID("session_id"),
    /** Cline and others through LiteLLM. */
    LITELLM_SESSION_ID("litellm_session_id"),
    METADATA_SESSION_ID("metadata.session_id"),
    /** Dynamo's agent context: the run, the agent's own trajectory within it, and the one that it was started from. */
    AGENT_RUN("nvext.agent_context.session_id"),
    TRAJECTORY("nvext.agent_context.trajectory_id"),
    PARENT_TRAJECTORY("nvext.agent_context.parent_trajectory_id"),
    /** A person, a tenant, or a conversation. */
    USER("user"),
    /** What shows that a request is none of the conversation's own turns: a name of any tool, a form for the answer, its length. */
    TOOL_NAME("tools.name"),
    OUTPUT_FORMAT("output_config.format.type"),
    MAX_TOKENS("max_tokens");

    private final String path;

    BodyField(String path) {
        this.path = path;
    }

    /** Names from the top of the body, joined by dots; a list on the way is looked through. */
    public String path() {
        return path;
    }

    /** Whether the field's value is a text, rather than a number. */
    public boolean isText() {
        return this != MAX_TOKENS;
    }
}
