package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import java.util.OptionalLong;

/**
 * A session of a trace.
 *
 * @param sessionId hashed or anonymous
 * @param firstSeenS arrival of its first request, in seconds from the start of the trace
 * @param turns requests, sub-agents included
 * @param contextFirst tokens of its first prompt
 * @param contextLast tokens of its last prompt
 * @param contextP95 95th percentile of its prompts' tokens
 * @param replicasVisited different replicas that served it; empty when the trace does not say
 * @param recomputedTokens prompt tokens that its turns after the first had computed again although its turn before had them;
 *     empty when the trace does not say
 */
public record SessionRow(
        String sessionId,
        double firstSeenS,
        long turns,
        long contextFirst,
        long contextLast,
        long contextP95,
        OptionalLong replicasVisited,
        OptionalLong recomputedTokens) {

    public static final TableSchema<SessionRow> SCHEMA = TableSchema.named(
                    "sessions", "a session of the trace", SessionRow.class)
            .text("session_id", "hashed or anonymous id", SessionRow::sessionId)
            .number(
                    "first_seen",
                    Unit.SECONDS,
                    "arrival of its first request, from the start of the trace",
                    SessionRow::firstSeenS)
            .whole("turns", "requests, sub-agents included", SessionRow::turns)
            .whole("ctx_first", Unit.TOKENS, "the first prompt", SessionRow::contextFirst)
            .whole("ctx_last", Unit.TOKENS, "the last prompt", SessionRow::contextLast)
            .whole("ctx_p95", Unit.TOKENS, "95th percentile of the prompts", SessionRow::contextP95)
            .maybeWhole("replicas_visited", "different replicas that served it", SessionRow::replicasVisited)
            .maybeWhole(
                    "reprefill_tok",
                    Unit.TOKENS,
                    "computed again that the turn before had",
                    SessionRow::recomputedTokens)
            .build();
}
