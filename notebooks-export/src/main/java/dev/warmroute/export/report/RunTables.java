package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.export.run.ColdTurn;
import dev.warmroute.export.run.RunView;
import dev.warmroute.export.run.SessionCost;
import java.util.ArrayList;
import java.util.List;

/** Sessions and turns of a replay to look at, as tables. */
final class RunTables {
    private RunTables() {}

    static DataTable growers(RunView run) {
        return sessions("Sessions whose prompts grew most, under " + run.policy(), run.growers());
    }

    /** What a replay computed again, and where it put conversations wrong; tables without rows are left out. */
    static List<DataTable> costs(RunView run) {
        List<DataTable> tables = new ArrayList<>();
        if (!run.costliest().isEmpty()) {
            tables.add(sessions("Sessions computed again most under " + run.policy(), run.costliest()));
        }
        if (!run.misplaced().isEmpty()) {
            tables.add(sessions(
                    "Sessions whose turns were sent elsewhere at most cost under " + run.policy(), run.misplaced()));
        }
        if (!run.coldest().isEmpty()) {
            tables.add(turns("Turns computed again most under " + run.policy(), run.coldest()));
        }
        return tables;
    }

    private static DataTable sessions(String caption, List<SessionCost> sessions) {
        DataTable.Builder table = DataTable.captioned(caption)
                .words("Session")
                .numbers("Turns", Unit.COUNT)
                .numbers("First prompt", Unit.TOKENS)
                .numbers("Longest prompt", Unit.TOKENS)
                .numbers("Replicas visited", Unit.COUNT)
                .numbers("Turns sent elsewhere", Unit.COUNT)
                .numbers("Computed again", Unit.TOKENS)
                .numbers("of these, sent elsewhere", Unit.TOKENS)
                .numbers("Cost", Unit.SECONDS);
        for (SessionCost s : sessions) {
            table.row(
                    Cell.words(s.session()),
                    Cell.of(s.turns(), Unit.COUNT),
                    Cell.of(s.contextFirst(), Unit.TOKENS),
                    Cell.of(s.contextMost(), Unit.TOKENS),
                    Cell.of(s.replicasVisited(), Unit.COUNT),
                    Cell.of(s.movedTurns(), Unit.COUNT),
                    Cell.of(s.againTokens(), Unit.TOKENS),
                    Cell.of(s.movedTokens(), Unit.TOKENS),
                    Cell.of(s.againS(), Unit.SECONDS));
        }
        return table.build();
    }

    private static DataTable turns(String caption, List<ColdTurn> turns) {
        DataTable.Builder table = DataTable.captioned(caption)
                .words("Session")
                .numbers("Turn", Unit.COUNT)
                .numbers("Sent", Unit.SECONDS)
                .words("Replica")
                .words("Before")
                .words("Most of it because")
                .numbers("Prompt", Unit.TOKENS)
                .numbers("Computed again", Unit.TOKENS)
                .numbers("Cost", Unit.SECONDS);
        for (ColdTurn t : turns) {
            table.row(
                    Cell.words(t.session()),
                    Cell.of(t.turn(), Unit.COUNT),
                    Cell.of(t.sentS(), Unit.SECONDS),
                    Cell.words(t.replica()),
                    Cell.words(t.replicaBefore()),
                    Cell.words(t.cause().replace('_', ' ')),
                    Cell.of(t.promptTokens(), Unit.TOKENS),
                    Cell.of(t.againTokens(), Unit.TOKENS),
                    Cell.of(t.againS(), Unit.SECONDS));
        }
        return table.build();
    }
}
