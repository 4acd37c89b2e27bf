package dev.warmroute.router.fleet;

/**
 * What a policy may read besides the requests in flight and the live sessions of each replica, which every view has. A policy
 * declares its inputs; the runtime works out those and no others, hands them in through the {@link FleetView}, and writes them
 * into the decision's event, so that the decision can be derived again.
 */
public enum Input {
    /** The conversation's key and its home; in an event {@code session} and {@code home_before}. */
    SESSION("session", Scope.FIELD, "who is speaking, and the conversation's home"),
    SIGNALS(
            "running, waiting, kv_usage, counters_age_ms",
            Scope.FIELD,
            "what the replica's last scrape said, with its age"),
    PREDICTED_CACHE(
            "predicted_cached_tokens",
            Scope.FIELD,
            "prompt tokens that an index of what was sent where believes to be cached there; needs the prompt's fingerprint before"
                    + " the decision"),
    TRUE_CACHE(
            "predicted_cached_tokens",
            Scope.FIELD,
            "prompt tokens that are cached there; only a simulation can know, live it is the prediction"),

    CURSOR("cursor", Scope.MODEL, "decisions taken for this model before this one"),
    PREFIX_KEY(
            "prefix_key",
            Scope.MODEL,
            "53 bits of the salted hash of the prompt's beginning; absent when the prompt is shorter"),
    FIRST_HOME("first_home", Scope.MODEL, "index of the conversation's first home; absent when it is gone"),
    SESSION_TOKENS(
            "session_tokens",
            Scope.MODEL,
            "tokens of the conversation up to its last answer; absent before its first has ended"),
    PREFILL_RATE(
            "prefill_rate",
            Scope.MODEL,
            "uncached prompt tokens per second to the first byte, 90th percentile of the last 64 requests; absent before 8"),
    PLACE("place", Scope.MODEL, "index of the replica on which the conversation has its place; absent without one"),
    AHEAD("held_ahead", Scope.MODEL, "held requests that came before this one"),
    HELD("held", Scope.MODEL, "requests held before this decision, this one aside"),
    TURN_RATE("turns_per_s", Scope.MODEL, "turns that end in a second, over the last 64; absent before 8"),
    WAITED("waited_s", Scope.MODEL, "seconds for which this request has been held"),
    HOLD_EXPIRED(
            "hold_expired",
            Scope.MODEL,
            "1 when this request has been held for as long as may be, or may not be held; else 0"),
    COMMON_TOKENS(
            "common_tokens",
            Scope.MODEL,
            "tokens that conversations have in common: median of what first turns found cached"),
    PRIVATE_TOKENS(
            "private_tokens",
            Scope.MODEL,
            "mean tokens of a conversation after a turn, less the common ones; absent before 2 turns have ended"),
    LOST_PREFIX(
            "lost_prefix_s",
            Scope.MODEL,
            "seconds that it takes to compute the private tokens again, at the pace of the fastest of the last 64 long prompts; absent before 8"),
    IDLE_PLACE(
            "idle_place_s",
            Scope.MODEL,
            "seconds that a place stands idle for each turn, release time included; absent before 8 gaps"),
    ANSWER(
            "answer_s",
            Scope.MODEL,
            "seconds from the first byte of an answer to its end, lower quartile; absent before 8"),
    MEAN_OUTPUT(
            "mean_output_tokens", Scope.MODEL, "mean of the generated tokens of all requests; absent before the first"),

    DECIDED("decided", Scope.REPLICA, "requests ever sent there"),
    SENT("sent_since_reading", Scope.REPLICA, "requests sent there since its counters were last read"),
    SENT_TOKENS(
            "tokens_since_reading",
            Scope.REPLICA,
            "uncached prompt tokens sent there since its counters were last read"),
    PROMPT_TOKENS("prompt_tokens", Scope.REPLICA, "prompt tokens of its requests in flight"),
    PREFILLING("prefilling", Scope.REPLICA, "its requests in flight that have not begun to answer"),
    PREFILL_TOKENS(
            "prefill_tokens", Scope.REPLICA, "uncached prompt tokens of its requests that have not begun to answer"),
    PREFILL_PAIRS(
            "prefill_pairs",
            Scope.REPLICA,
            "pairs of tokens whose attention those prefills compute: for u uncached of n prompt tokens u (n - u/2)"),
    INDEXED_TOKENS("indexed_tokens", Scope.REPLICA, "prompt tokens that the index holds for it"),
    WINDOW_TOKENS("window_tokens", Scope.REPLICA, "uncached prompt tokens sent there within the policy's window"),
    WINDOW_REQUESTS("window_requests", Scope.REPLICA, "requests sent there within the policy's window"),
    PLACES("places", Scope.REPLICA, "conversations that have a place there"),
    LAPSED("lapsed_places", Scope.REPLICA, "those among them that have been idle for longer than the release time"),
    LONGEST_IDLE(
            "longest_idle_s",
            Scope.REPLICA,
            "seconds since the last turn of the conversation with a place there that has been idle longest; absent when none is"),
    CAPACITY_TOKENS(
            "capacity_tokens",
            Scope.REPLICA,
            "tokens its KV cache holds, as the engine reports; absent when it does not");

    /** Where an input stands in the view. */
    public enum Scope {
        /** A field of its own. */
        FIELD,
        /** Among {@link FleetView#inputs}: one value a decision. */
        MODEL,
        /** Among {@link ReplicaView#inputs}: one value a replica. */
        REPLICA
    }

    private final String wireName;
    private final Scope scope;
    private final String meaning;

    Input(String wireName, Scope scope, String meaning) {
        this.wireName = wireName;
        this.scope = scope;
        this.meaning = meaning;
    }

    /** Name in events. */
    public String wireName() {
        return wireName;
    }

    public Scope scope() {
        return scope;
    }

    /** What it is, with its unit. */
    public String meaning() {
        return meaning;
    }
}
