package dev.warmroute.router.prompt;

import dev.warmroute.router.event.RoutingDecision.Session;

/** Told of every routed prompt after its request is on its way. Must return at once; may drop what it cannot keep up with. */
@FunctionalInterface
public interface PromptListener {
    /** Ignores every prompt. */
    PromptListener NONE = request -> {};

    void prompt(Request request);

    /** Whether the next body should be copied for it; it hears nothing of one that it does not want. */
    default boolean wanted() {
        return this != NONE;
    }

    /** What became of the prompts so far. */
    default PromptTotals totals() {
        return PromptTotals.NOTHING;
    }

    /**
     * A routed request's body.
     *
     * @param path path of the request, which says what dialect the body speaks
     * @param replica replica that got it
     * @param replicaUrl its base URL, for asking its tokenizer
     * @param body the body as the client sent it; the listener owns it
     */
    record Request(
            String requestId,
            Session session,
            String model,
            String path,
            String replica,
            String replicaUrl,
            byte[] body) {}
}
