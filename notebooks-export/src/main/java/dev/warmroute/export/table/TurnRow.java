package dev.warmroute.export.table;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A request, measured or simulated. Times are seconds: from the start of the run for a simulated one, since the epoch for a
 * recorded one.
 *
 * @param runId which run it belongs to
 * @param seed seed of a simulated run; 0 for a measured one
 * @param turn number within the session, from 1; 0 without a session
 * @param parentId parent session or agent, where known
 * @param decision kind of the routing decision
 * @param sendS when the client sent it, or the router received it
 * @param cachedTokens prompt tokens found in the prefix cache
 * @param evictedTokens tokens of the session's last prompt that were evicted since
 * @param queueS time before its first step, holding included
 * @param tpotS time per output token after the first
 * @param missCause why tokens were missed, where known
 */
public record TurnRow(
        String runId,
        String policy,
        long seed,
        String sessionId,
        long turn,
        Optional<String> parentId,
        Optional<String> replica,
        Optional<String> homeReplica,
        String decision,
        double sendS,
        OptionalDouble admitS,
        OptionalDouble firstS,
        OptionalDouble lastS,
        OptionalDouble gapBeforeS,
        OptionalLong promptTokens,
        OptionalLong cachedTokens,
        OptionalLong evictedTokens,
        OptionalLong outputTokens,
        OptionalDouble queueS,
        OptionalDouble prefillS,
        OptionalDouble ttftS,
        OptionalDouble tpotS,
        OptionalLong preemptions,
        Optional<String> missCause) {

    public static final TableSchema<TurnRow> SCHEMA = TableSchema.named("turns", "a request", TurnRow.class)
            .text("run_id", "run it belongs to", TurnRow::runId)
            .text("policy", "routing policy", TurnRow::policy)
            .whole("seed", "seed of a simulated run, 0 for a measured one", TurnRow::seed)
            .text("session_id", "hashed or anonymous id; empty without a session", TurnRow::sessionId)
            .whole("turn", "number within the session, from 1", TurnRow::turn)
            .maybeText("parent_id", "parent session or agent", TurnRow::parentId)
            .maybeText("replica", "replica that served it", TurnRow::replica)
            .maybeText("home_replica", "home of the conversation before the decision", TurnRow::homeReplica)
            .text("decision", "kind of the routing decision", TurnRow::decision)
            .number("t_send", "when it was sent, seconds", TurnRow::sendS)
            .maybeNumber("t_admit", "when the engine took it, seconds", TurnRow::admitS)
            .maybeNumber("t_first", "first byte, seconds", TurnRow::firstS)
            .maybeNumber("t_last", "last byte, seconds", TurnRow::lastS)
            .maybeNumber("gap_before_s", "time since the session's previous turn ended", TurnRow::gapBeforeS)
            .maybeWhole("prompt_tok", "prompt tokens", TurnRow::promptTokens)
            .maybeWhole("hit_tok", "prompt tokens found in the cache", TurnRow::cachedTokens)
            .maybeWhole("computed_tok", "prompt tokens computed", TurnRow::computedTokens)
            .maybeWhole("evicted_since_tok", "tokens of the last prompt evicted since", TurnRow::evictedTokens)
            .maybeWhole("output_tok", "generated tokens", TurnRow::outputTokens)
            .maybeNumber("queue_s", "time before its first step, holding included", TurnRow::queueS)
            .maybeNumber("prefill_s", "time from the first step to the first token", TurnRow::prefillS)
            .maybeNumber("ttft_s", "time from the send to the first byte, holding included", TurnRow::ttftS)
            .maybeNumber("tpot_s", "time per output token after the first", TurnRow::tpotS)
            .maybeWhole("preemptions", "times it was pushed out of the batch", TurnRow::preemptions)
            .maybeText("miss_cause", "why tokens were missed", TurnRow::missCause)
            .build();

    /** Prompt tokens that were not found in the cache; empty when either number is not known. */
    public OptionalLong computedTokens() {
        return promptTokens.isPresent() && cachedTokens.isPresent()
                ? OptionalLong.of(promptTokens.getAsLong() - cachedTokens.getAsLong())
                : OptionalLong.empty();
    }
}
