package dev.warmroute.export.table;

import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Joins the events of a recording, which come in the order of their times, into {@link TurnRow}s: one for each request when it
 * ends, then those whose end is not in the recording in the order of their first decisions. Of several decisions on a request
 * the last counts. Memory is bounded by the requests in flight and the conversations.
 */
public final class RecordedTurns {
    private final Consumer<TurnRow> rows;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final Map<String, Conversation> conversations = new HashMap<>();

    /** A request that has not ended, and its place in its conversation. */
    private record Open(RoutingDecision last, long turn, OptionalLong gapUs) {}

    /** @param endUs last byte of the last turn that has ended */
    private record Conversation(long turns, OptionalLong endUs) {
        private static final Conversation NEW = new Conversation(0, OptionalLong.empty());
    }

    public RecordedTurns(Consumer<TurnRow> rows) {
        this.rows = rows;
    }

    public void decided(RoutingDecision d) {
        Open before = open.get(d.requestId());
        open.put(d.requestId(), before == null ? first(d) : new Open(d, before.turn(), before.gapUs()));
    }

    private Open first(RoutingDecision d) {
        String key = d.session().key();
        if (key.isEmpty()) {
            return new Open(d, 0, OptionalLong.empty());
        }
        Conversation c = conversations.getOrDefault(key, Conversation.NEW);
        conversations.put(key, new Conversation(c.turns() + 1, c.endUs()));
        return new Open(
                d,
                c.turns() + 1,
                c.endUs().isPresent()
                        ? OptionalLong.of(d.arrivalUs() - c.endUs().getAsLong())
                        : OptionalLong.empty());
    }

    /** Ends a request; one that nothing was decided about has no row. */
    public void completed(RequestCompleted c) {
        Open request = open.remove(c.requestId());
        if (request == null) {
            return;
        }
        conversations.computeIfPresent(
                request.last().session().key(), (k, v) -> new Conversation(v.turns(), OptionalLong.of(c.lastByteUs())));
        rows.accept(row(request, Optional.of(c)));
    }

    /** Hands out the requests that have not ended. */
    public void close() {
        open.values().forEach(request -> rows.accept(row(request, Optional.empty())));
        open.clear();
    }

    private static TurnRow row(Open request, Optional<RequestCompleted> end) {
        RoutingDecision d = request.last();
        RoutingDecision.Session session = d.session();
        return new TurnRow(
                TurnRow.Run.recorded(d.policy().name()),
                session.hash().orElse(""),
                session.hash().isPresent() ? session.agent().orElse("") : "",
                request.turn(),
                session.parent(),
                end.flatMap(RequestCompleted::replica).or(d::chosen),
                d.homeBefore(),
                d.kind().wireName(),
                new TurnRow.Times(
                        TimeUnit.MICROSECONDS.toNanos(d.arrivalUs()),
                        OptionalLong.empty(),
                        nanos(end.map(RequestCompleted::firstByteUs).orElse(OptionalLong.empty())),
                        nanos(end.map(c -> OptionalLong.of(c.lastByteUs())).orElse(OptionalLong.empty())),
                        nanos(request.gapUs())),
                new TurnRow.Tokens(
                        end.map(RequestCompleted::promptTokens).orElse(OptionalLong.empty()),
                        end.map(RequestCompleted::cachedTokens).orElse(OptionalLong.empty()),
                        end.map(RequestCompleted::completionTokens).orElse(OptionalLong.empty()),
                        Map.of()),
                OptionalLong.empty());
    }

    private static OptionalLong nanos(OptionalLong micros) {
        return micros.isPresent() ? OptionalLong.of(TimeUnit.MICROSECONDS.toNanos(micros.getAsLong())) : micros;
    }
}
