package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import dev.warmroute.simulator.replay.MissCause;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A request, measured or simulated.
 *
 * @param sessionId hashed or anonymous; empty without a session
 * @param agentId sub-agent within the session; empty for the main agent
 * @param turn number within the session and agent, from 1; 0 without a session
 * @param parentId parent session or agent, where known
 * @param homeReplica where the conversation was at home before the decision
 * @param decision kind of the routing decision; empty when the source does not say
 */
public record TurnRow(
        Run run,
        String sessionId,
        String agentId,
        long turn,
        Optional<String> parentId,
        Optional<String> replica,
        Optional<String> homeReplica,
        String decision,
        Times times,
        Tokens tokens,
        OptionalLong preemptions) {
    private static final double SECOND = 1e9;

    public static final TableSchema<TurnRow> SCHEMA = schema();

    public TurnRow {
        Objects.requireNonNull(run, "run");
        Objects.requireNonNull(sessionId, "sessionId");
        Objects.requireNonNull(agentId, "agentId");
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(times, "times");
        Objects.requireNonNull(tokens, "tokens");
    }

    /**
     * What a request belongs to.
     *
     * @param id {@code recorded} or {@code whatif}
     * @param policy routing policy; empty when the source does not say
     * @param seed seed of a simulated run, from 1; 0 for a measured one
     */
    public record Run(String id, String policy, long seed) {
        /** What was measured. */
        public static Run recorded(String policy) {
            return new Run("recorded", policy, 0);
        }

        /** A replay of a what-if. */
        public static Run simulated(String policy, long seed) {
            return new Run("whatif", policy, seed);
        }
    }

    /**
     * When things happened to it, in nanoseconds: since the epoch in a recording of a router, from the start of the trace or
     * the replay elsewhere.
     *
     * @param sent when the client sent it, or the router received it
     * @param admitted when the engine took it into its batch
     * @param first first byte
     * @param last last byte
     * @param gap since the end of its conversation's turn before
     */
    public record Times(long sent, OptionalLong admitted, OptionalLong first, OptionalLong last, OptionalLong gap) {
        private OptionalDouble between(OptionalLong from, OptionalLong to) {
            return from.isPresent() && to.isPresent()
                    ? OptionalDouble.of((to.getAsLong() - from.getAsLong()) / SECOND)
                    : OptionalDouble.empty();
        }
    }

    /**
     * How long it was.
     *
     * @param cached prompt tokens found in the prefix cache
     * @param missed those that were not, by cause: every cause, or empty where causes are not known
     */
    public record Tokens(OptionalLong prompt, OptionalLong cached, OptionalLong output, Map<MissCause, Long> missed) {
        public Tokens {
            missed = Map.copyOf(missed);
        }

        private OptionalLong missed(MissCause cause) {
            return missed.isEmpty() ? OptionalLong.empty() : OptionalLong.of(missed.getOrDefault(cause, 0L));
        }
    }

    private static TableSchema<TurnRow> schema() {
        TableSchema.Builder<TurnRow> columns = TableSchema.named("turns", "a request", TurnRow.class)
                .text("run_id", "recorded or whatif", r -> r.run.id())
                .maybeText("policy", "routing policy", r -> known(r.run.policy()))
                .whole("seed", "seed of a simulated run, 0 for a measured one", TurnRow::seed)
                .text("session_id", "hashed or anonymous id; empty without a session", TurnRow::sessionId)
                .text("agent_id", "sub-agent within the session; empty for the main agent", TurnRow::agentId)
                .whole("turn", "number within the session and agent, from 1", TurnRow::turn)
                .maybeText("parent_id", "parent session or agent", TurnRow::parentId)
                .maybeText("replica", "replica that served it", TurnRow::replica)
                .maybeText("home_replica", "home of the conversation before the decision", TurnRow::homeReplica)
                .maybeText("decision", "kind of the routing decision", r -> known(r.decision))
                .number("t_send", Unit.SECONDS, "when it was sent", TurnRow::sendS)
                .maybeNumber(
                        "t_admit",
                        Unit.SECONDS,
                        "when the engine took it into its batch",
                        r -> seconds(r.times.admitted()))
                .maybeNumber("t_first", Unit.SECONDS, "first byte", r -> seconds(r.times.first()))
                .maybeNumber("t_last", Unit.SECONDS, "last byte", TurnRow::lastS)
                .maybeNumber(
                        "gap_before_s", Unit.SECONDS, "since the conversation's turn before ended", TurnRow::gapBeforeS)
                .maybeWhole("prompt_tok", Unit.TOKENS, "the prompt", TurnRow::promptTokens)
                .maybeWhole("hit_tok", Unit.TOKENS, "of it, found in the cache", TurnRow::cachedTokens)
                .maybeWhole("computed_tok", Unit.TOKENS, "of it, computed", TurnRow::computedTokens)
                .maybeWhole(
                        "evicted_since_tok", Unit.TOKENS, "of the last prompt, evicted since", TurnRow::evictedTokens)
                .maybeWhole("output_tok", Unit.TOKENS, "the answer", TurnRow::outputTokens)
                .maybeNumber("queue_s", Unit.SECONDS, "before the engine took it, holding included", TurnRow::queueS)
                .maybeNumber("prefill_s", Unit.SECONDS, "from there to the first byte", TurnRow::prefillS)
                .maybeNumber(
                        "ttft_s", Unit.SECONDS, "from the send to the first byte, holding included", TurnRow::ttftS)
                .maybeNumber("tpot_s", Unit.SECONDS, "a token of the answer after the first", TurnRow::tpotS)
                .maybeWhole("preemptions", "times it was pushed out of the batch", TurnRow::preemptions)
                .maybeText("miss_cause", "why most of the missed tokens were", TurnRow::missCause);
        for (MissCause cause : MissCause.values()) {
            columns.maybeWhole(
                    "missed_" + cause.wireName() + "_tok",
                    Unit.TOKENS,
                    "missed for this cause",
                    r -> r.tokens.missed(cause));
        }
        return columns.build();
    }

    public String policy() {
        return run.policy();
    }

    public long seed() {
        return run.seed();
    }

    public double sendS() {
        return times.sent() / SECOND;
    }

    public OptionalDouble lastS() {
        return seconds(times.last());
    }

    public OptionalDouble gapBeforeS() {
        return seconds(times.gap());
    }

    public OptionalLong promptTokens() {
        return tokens.prompt();
    }

    public OptionalLong cachedTokens() {
        return tokens.cached();
    }

    public OptionalLong outputTokens() {
        return tokens.output();
    }

    /** Prompt tokens that were not found in the cache; empty when either number is not known. */
    public OptionalLong computedTokens() {
        return promptTokens().isPresent() && cachedTokens().isPresent()
                ? OptionalLong.of(promptTokens().getAsLong() - cachedTokens().getAsLong())
                : OptionalLong.empty();
    }

    /** Tokens of the conversation that had been there and were overwritten; empty where causes are not known. */
    public OptionalLong evictedTokens() {
        OptionalLong waiting = tokens.missed(MissCause.EVICTED_WAITING);
        return waiting.isEmpty()
                ? waiting
                : OptionalLong.of(waiting.getAsLong()
                        + tokens.missed(MissCause.EVICTED_IDLE).orElseThrow());
    }

    /** Time before the engine took it, holding included. */
    public OptionalDouble queueS() {
        return times.between(OptionalLong.of(times.sent()), times.admitted());
    }

    public OptionalDouble prefillS() {
        return times.between(times.admitted(), times.first());
    }

    public OptionalDouble ttftS() {
        return times.between(OptionalLong.of(times.sent()), times.first());
    }

    /** Time per output token after the first; empty for answers of a single one. */
    public OptionalDouble tpotS() {
        OptionalDouble answering = times.between(times.first(), times.last());
        return answering.isPresent() && outputTokens().orElse(0) > 1
                ? OptionalDouble.of(answering.getAsDouble() / (outputTokens().getAsLong() - 1))
                : OptionalDouble.empty();
    }

    /** The cause of most of the missed tokens, the first one on ties; empty when none was missed or nobody knows why. */
    public Optional<String> missCause() {
        Optional<MissCause> most = Optional.empty();
        long tokensOfIt = 0;
        for (MissCause cause : MissCause.values()) {
            long missed = tokens.missed(cause).orElse(0);
            if (missed > tokensOfIt) {
                most = Optional.of(cause);
                tokensOfIt = missed;
            }
        }
        return most.map(MissCause::wireName);
    }

    private static OptionalDouble seconds(OptionalLong nanos) {
        return nanos.isPresent() ? OptionalDouble.of(nanos.getAsLong() / SECOND) : OptionalDouble.empty();
    }

    private static Optional<String> known(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
