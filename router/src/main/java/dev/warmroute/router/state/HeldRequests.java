package dev.warmroute.router.state;

import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The requests that a policy keeps waiting at the router, in the order in which they came. */
public final class HeldRequests {
    /**
     * A request that waits.
     *
     * @param ticket number of the decision that held it
     * @param since when that was, nanoseconds
     * @param again when its policy asked to be asked again at the latest, nanoseconds
     */
    public record Held(long ticket, RoutingRequest request, PromptChain prompt, long since, long again) {
        Held askedAgain(long at) {
            return new Held(ticket, request, prompt, since, at);
        }
    }

    private final Map<Long, Held> inOrder = new LinkedHashMap<>();

    int size() {
        return inOrder.size();
    }

    void add(Held held) {
        inOrder.put(held.ticket, held);
    }

    Optional<Held> first() {
        return inOrder.isEmpty()
                ? Optional.empty()
                : Optional.of(inOrder.values().iterator().next());
    }

    /** Keeps a request waiting, in its place. */
    void keep(Held held) {
        inOrder.replace(held.ticket, held);
    }

    /** The request waits no longer. */
    void remove(long ticket) {
        inOrder.remove(ticket);
    }
}
