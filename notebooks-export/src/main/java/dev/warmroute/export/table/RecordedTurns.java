package dev.warmroute.export.table;

import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Joins decisions and completions of a recording into {@link TurnRow}s, in the order of the decisions that released a
 * request. Requests whose end is not in the recording have no times but the first.
 */
public final class RecordedTurns {
    private static final double US = 1e6;

    private final String runId;
    private final Map<String, RequestCompleted> ends = new HashMap<>();
    private final Map<String, Long> turns = new HashMap<>();
    private final Map<String, Double> lastEnd = new HashMap<>();

    private RecordedTurns(String runId, Iterable<RequestCompleted> completions) {
        this.runId = runId;
        completions.forEach(c -> ends.put(c.requestId(), c));
    }

    /** Returns one row for each request; of several decisions on one, the last that chose a replica counts. */
    public static List<TurnRow> of(
            String runId, Iterable<RoutingDecision> decisions, Iterable<RequestCompleted> completions) {
        RecordedTurns join = new RecordedTurns(runId, completions);
        Map<String, RoutingDecision> last = new HashMap<>();
        List<String> order = new ArrayList<>();
        for (RoutingDecision decision : decisions) {
            if (last.put(decision.requestId(), decision) == null) {
                order.add(decision.requestId());
            }
        }
        return order.stream().map(id -> join.row(last.get(id))).toList();
    }

    private TurnRow row(RoutingDecision d) {
        Optional<RequestCompleted> end = Optional.ofNullable(ends.get(d.requestId()));
        String session = d.session().key();
        double sent = d.arrivalUs() / US;
        OptionalDouble first = end.filter(c -> c.firstByteUs().isPresent())
                .map(c -> OptionalDouble.of(c.firstByteUs().getAsLong() / US))
                .orElse(OptionalDouble.empty());
        OptionalDouble last = end.map(c -> OptionalDouble.of(c.lastByteUs() / US)).orElse(OptionalDouble.empty());
        OptionalLong output = end.map(RequestCompleted::completionTokens).orElse(OptionalLong.empty());
        Double before = session.isEmpty() ? null : lastEnd.get(session);
        long turn = session.isEmpty() ? 0 : turns.merge(session, 1L, Long::sum);
        if (!session.isEmpty() && last.isPresent()) {
            lastEnd.put(session, last.getAsDouble());
        }
        return new TurnRow(
                runId,
                d.policy().name(),
                0,
                session,
                turn,
                d.session().parent(),
                end.flatMap(RequestCompleted::replica).or(d::chosen),
                d.homeBefore(),
                d.kind().wireName(),
                sent,
                OptionalDouble.empty(),
                first,
                last,
                before == null ? OptionalDouble.empty() : OptionalDouble.of(sent - before),
                end.map(RequestCompleted::promptTokens).orElse(OptionalLong.empty()),
                end.map(RequestCompleted::cachedTokens).orElse(OptionalLong.empty()),
                OptionalLong.empty(),
                output,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                first.isPresent() ? OptionalDouble.of(first.getAsDouble() - sent) : OptionalDouble.empty(),
                perToken(first, last, output),
                OptionalLong.empty(),
                Optional.empty());
    }

    private static OptionalDouble perToken(OptionalDouble first, OptionalDouble last, OptionalLong output) {
        return first.isPresent() && last.isPresent() && output.orElse(0) > 1
                ? OptionalDouble.of((last.getAsDouble() - first.getAsDouble()) / (output.getAsLong() - 1))
                : OptionalDouble.empty();
    }
}
