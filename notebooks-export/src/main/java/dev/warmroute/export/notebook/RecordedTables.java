package dev.warmroute.export.notebook;

import dev.warmroute.export.report.TurnStatistics;
import dev.warmroute.export.table.DecisionRow;
import dev.warmroute.export.table.RecordedTurns;
import dev.warmroute.export.table.ReplicaSampleRow;
import dev.warmroute.export.table.TableSet;
import dev.warmroute.export.table.TableSink;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.recorder.trace.EventCursor;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.router.event.CountersDelta;
import dev.warmroute.router.event.Event;
import dev.warmroute.router.event.EventCodec;
import dev.warmroute.router.event.RequestCompleted;
import dev.warmroute.router.event.RoutingDecision;
import dev.warmroute.router.event.Topic;
import dev.warmroute.simulator.compare.Measured;
import dev.warmroute.simulator.compare.PolicyRow;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a router's recording says, in one pass over its events: {@code decisions}, {@code replica_ts} and the measured rows of
 * {@code turns}, and the measured figures of each policy. Of a request that has ended its times are kept, nothing else.
 */
public final class RecordedTables {
    private final TurnStatistics statistics = new TurnStatistics();
    private final Measured measured = new Measured();

    private RecordedTables() {}

    /**
     * Reads a recording.
     *
     * @param tables takes the decisions and what the replicas' counters said
     * @param turns takes the requests
     */
    public static RecordedTables of(Recording recording, TableSet tables, Consumer<TurnRow> turns) {
        RecordedTables recorded = new RecordedTables();
        TableSink<DecisionRow> decisions = tables.open(DecisionRow.SCHEMA);
        TableSink<ReplicaSampleRow> replicas = tables.open(ReplicaSampleRow.SCHEMA);
        RecordedTurns requests = new RecordedTurns(turns.andThen(recorded.statistics));
        EventCodec codec = new EventCodec();
        try (EventCursor events = recording.merged(EnumSet.of(Topic.DECISIONS, Topic.REQUESTS, Topic.COUNTERS))) {
            while (events.hasNext()) {
                Event event = events.next().readable(codec);
                recorded.measured.add(event);
                switch (event) {
                    case RoutingDecision d -> {
                        decisions.accept(DecisionRow.of(d));
                        requests.decided(d);
                    }
                    case RequestCompleted c -> requests.completed(c);
                    case CountersDelta c -> replicas.accept(ReplicaSampleRow.of(c));
                    default -> {
                        // no row of a table
                    }
                }
            }
        }
        requests.close();
        return recorded;
    }

    /** One row for each policy that decided. */
    public List<PolicyRow> measured() {
        return measured.rows();
    }

    public TurnStatistics statistics() {
        return statistics;
    }
}
