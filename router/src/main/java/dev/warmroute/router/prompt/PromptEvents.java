package dev.warmroute.router.prompt;

import dev.warmroute.router.event.PromptBlocks;
import dev.warmroute.router.event.RouterIdentity;
import dev.warmroute.router.event.RoutingDecision.Session;
import java.util.Optional;

/** Prompts as events: what is new since the conversation's last prompt, within 64 KiB. */
public final class PromptEvents {
    /** 64 KiB of base64 hold 6,144 hashes; a little is left for the other fields. */
    static final int MAX_HASHES = 6_000;

    private final PromptMemory memory;
    private final String saltId;

    public PromptEvents(PromptMemory memory, String saltId) {
        this.memory = memory;
        this.saltId = saltId;
    }

    /** A prompt event without its place in the router's sequence. */
    public record Draft(
            String requestId,
            Session session,
            PromptChain chain,
            int shared,
            Optional<String> previous,
            String saltId) {
        /** The event, numbered. */
        public PromptBlocks numbered(RouterIdentity router) {
            int fresh = chain.blocks() - shared;
            int told = Math.min(fresh, MAX_HASHES);
            return new PromptBlocks(
                    requestId,
                    session,
                    chain.unit().wireName(),
                    chain.blockSize(),
                    chain.length(),
                    shared,
                    previous,
                    chain.base64(shared, told),
                    fresh - told,
                    saltId,
                    router);
        }
    }

    /** Turns a request's prompt into its event; conversations without an id are told in full. */
    public Draft event(String requestId, Session session, PromptChain chain) {
        Optional<PromptMemory.Last> before = session.key().isEmpty()
                ? Optional.empty()
                : memory.replace(session.key(), new PromptMemory.Last(requestId, chain));
        int shared = before.map(b -> b.chain().sharedBlocks(chain)).orElse(0);
        return new Draft(
                requestId,
                session,
                chain,
                shared,
                shared == 0 ? Optional.empty() : before.map(PromptMemory.Last::requestId),
                saltId);
    }
}
