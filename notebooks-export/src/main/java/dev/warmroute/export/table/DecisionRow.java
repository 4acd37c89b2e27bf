package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.RoutingDecision.Candidate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A routing decision with what its policy saw of every replica; the lists are in the order of the candidates.
 *
 * @param eventId router instance, epoch and sequence
 * @param timeS when it was taken, seconds since the epoch
 */
public record DecisionRow(
        String eventId,
        double timeS,
        String requestId,
        String sessionId,
        String policy,
        String kind,
        Optional<String> chosen,
        double propensity,
        List<String> candidates,
        List<OptionalDouble> scores,
        List<OptionalDouble> inFlight,
        List<OptionalDouble> kvUsage,
        List<OptionalDouble> waiting,
        List<OptionalDouble> countersAgeMs) {
    public DecisionRow {
        candidates = List.copyOf(candidates);
        scores = List.copyOf(scores);
        inFlight = List.copyOf(inFlight);
        kvUsage = List.copyOf(kvUsage);
        waiting = List.copyOf(waiting);
        countersAgeMs = List.copyOf(countersAgeMs);
    }

    public static final TableSchema<DecisionRow> SCHEMA = TableSchema.named(
                    "decisions", "a routing decision", DecisionRow.class)
            .text("event_id", "router instance, epoch and sequence", DecisionRow::eventId)
            .number("ts", Unit.SECONDS, "when it was taken, since the epoch", DecisionRow::timeS)
            .text("request_id", "request decided on", DecisionRow::requestId)
            .text("session_id", "salted hash; empty without a session", DecisionRow::sessionId)
            .text("policy", "routing policy", DecisionRow::policy)
            .text("kind", "kind of the decision", DecisionRow::kind)
            .maybeText("chosen", "replica chosen; none when held or refused", DecisionRow::chosen)
            .number("propensity", Unit.FRACTION, "probability of this choice", DecisionRow::propensity)
            .texts("candidates", "replicas of the model", DecisionRow::candidates)
            .numbers("scores", "score of each, by the policy's own meaning", DecisionRow::scores)
            .numbers("inflight", "requests in flight on each", DecisionRow::inFlight)
            .numbers("kv_used", Unit.FRACTION, "KV blocks in use on each", DecisionRow::kvUsage)
            .numbers("waiting", "requests waiting in each engine", DecisionRow::waiting)
            .numbers("counter_age_ms", Unit.MILLISECONDS, "age of the last two", DecisionRow::countersAgeMs)
            .build();

    public static DecisionRow of(RoutingDecision d) {
        return new DecisionRow(
                d.router().instance()
                        + '-'
                        + d.router().epoch()
                        + '-'
                        + d.router().sequence(),
                d.decidedUs() / 1e6,
                d.requestId(),
                d.session().key(),
                d.policy().name(),
                d.kind().wireName(),
                d.chosen(),
                d.propensity(),
                d.candidates().stream().map(Candidate::replica).toList(),
                each(d, Candidate::score),
                each(d, c -> OptionalDouble.of(c.inFlight())),
                each(d, Candidate::kvUsage),
                each(d, Candidate::waiting),
                each(
                        d,
                        c -> c.countersAgeMs().isPresent()
                                ? OptionalDouble.of(c.countersAgeMs().getAsLong())
                                : OptionalDouble.empty()));
    }

    private static List<OptionalDouble> each(RoutingDecision d, Function<Candidate, OptionalDouble> value) {
        return d.candidates().stream().map(value).toList();
    }
}
