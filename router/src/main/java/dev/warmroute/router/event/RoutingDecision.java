package dev.warmroute.router.event;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code routing.decision.v1}: one routing attempt with everything that its policy read, so that the decision can be
 * derived again from the event alone.
 *
 * @param requestId id of the client request; joins {@link RequestCompleted}
 * @param arrivalUs when the request's head had arrived, microseconds since the epoch
 * @param decidedUs when the decision was taken, microseconds since the epoch
 * @param session who is speaking
 * @param model model asked for
 * @param dialect {@code openai} or {@code anthropic}
 * @param stream whether the answer is streamed
 * @param prompt how much is said
 * @param policy the policy and its whole configuration
 * @param requestSeed seed of all randomness in this decision
 * @param policyInputs what else the policy read: round-robin cursor, places, learnt values
 * @param candidates every replica of the model, in configuration order, eligible or not
 * @param threshold in-flight count at which a home overflows, or conversations that may have a place on the chosen replica; where
 *     the policy has one
 * @param homeBefore home of the conversation before the decision
 * @param homeAfter home of the conversation after it
 * @param chosen replica chosen; empty when the request is held or nobody could take it
 * @param kind what the decision was
 * @param propensity probability with which a randomised policy chooses this replica in this situation; 1 for a
 *     deterministic one
 * @param attempt 1 for the first attempt, 2 for the retry after a failed connection
 * @param decisionNs time the decision took, in nanoseconds
 * @param router which router decided, and where the event stands in its sequence
 */
public record RoutingDecision(
        String requestId,
        long arrivalUs,
        long decidedUs,
        Session session,
        String model,
        String dialect,
        boolean stream,
        PromptSize prompt,
        PolicyIdentity policy,
        long requestSeed,
        Map<String, Double> policyInputs,
        List<Candidate> candidates,
        OptionalDouble threshold,
        Optional<String> homeBefore,
        Optional<String> homeAfter,
        Optional<String> chosen,
        Kind kind,
        double propensity,
        int attempt,
        long decisionNs,
        RouterIdentity router)
        implements Event {

    public RoutingDecision {
        policyInputs = Map.copyOf(policyInputs);
        candidates = List.copyOf(candidates);
        if (attempt < 1) {
            throw new IllegalArgumentException("attempt must be at least 1: " + attempt);
        }
    }

    @Override
    public String key() {
        return session.key();
    }

    @Override
    public String subject() {
        return requestId;
    }

    /**
     * Who is speaking. Nothing here is what a client sent: ids are salted hashes.
     *
     * @param hash salted hash of the conversation's id; empty when none was found
     * @param source where the id came from: a header's name, {@code body:FIELD}, {@code fingerprint} or {@code none}
     * @param agent salted hash of the sub-agent's id
     * @param parent salted hash of the parent agent's or session's id
     * @param requestClass {@code main}, {@code subagent}, {@code compaction}, {@code auxiliary} (a side call) ..., where the
     *     client says so or its request shows it
     */
    public record Session(
            Optional<String> hash,
            String source,
            Optional<String> agent,
            Optional<String> parent,
            Optional<String> requestClass) {
        public static final Session UNKNOWN =
                new Session(Optional.empty(), "none", Optional.empty(), Optional.empty(), Optional.empty());

        /** Affinity key: the session, and the sub-agent within it; empty when there is no session. */
        public String key() {
            return hash.map(h -> agent.map(a -> h + '/' + a).orElse(h)).orElse("");
        }
    }

    /**
     * Size of a prompt.
     *
     * @param bytes bytes of the request body
     * @param tokens prompt tokens, exact or estimated from the bytes
     * @param exact whether {@code tokens} was counted by a tokenizer
     */
    public record PromptSize(long bytes, OptionalLong tokens, boolean exact) {}

    /**
     * A policy, with all that is needed to build it again.
     *
     * @param config every parameter by name, as text, defaults included
     * @param configHash first 16 hex digits of the SHA-256 of name, version and sorted parameters
     */
    public record PolicyIdentity(String name, int version, String configHash, Map<String, String> config) {
        public PolicyIdentity {
            config = Map.copyOf(config);
        }
    }

    /**
     * One replica as the policy saw it.
     *
     * @param reason why it is not eligible; empty when it is
     * @param inFlight requests this router has sent there that have not ended
     * @param liveSessions conversations at home there that spoke recently
     * @param running requests the engine runs, as last scraped
     * @param waiting requests that wait in the engine's queue, as last scraped
     * @param kvUsage fraction of KV blocks in use, 0 to 1, as last scraped
     * @param countersAgeMs age of the last three, in milliseconds; empty before the first scrape
     * @param predictedCachedTokens prompt tokens that the router believes to be cached there
     * @param inputs what else the policy read about this replica
     * @param score the policy's score, where it computes one; the meaning is the policy's
     */
    public record Candidate(
            String replica,
            boolean eligible,
            Optional<String> reason,
            int inFlight,
            int liveSessions,
            OptionalDouble running,
            OptionalDouble waiting,
            OptionalDouble kvUsage,
            OptionalLong countersAgeMs,
            OptionalInt predictedCachedTokens,
            Map<String, Double> inputs,
            OptionalDouble score) {
        public Candidate {
            inputs = Map.copyOf(inputs);
        }
    }
}
