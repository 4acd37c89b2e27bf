package dev.warmroute.export.report;

import dev.warmroute.export.figure.Cell;
import dev.warmroute.export.figure.Cell.Mark;
import dev.warmroute.export.figure.DataTable;
import dev.warmroute.export.figure.Unit;
import dev.warmroute.simulator.capacity.RuleLedger;
import java.util.Optional;

/** The rule as tables. */
final class LedgerTables {
    private LedgerTables() {}

    static DataTable replicas(RuleLedger ledger) {
        DataTable.Builder table = DataTable.captioned("The rule, replica by replica")
                .words("Replica")
                .numbers("Sessions", Unit.COUNT)
                .numbers("Fit, p95", Unit.COUNT)
                .numbers("Fit, mean", Unit.COUNT)
                .numbers("Cache", Unit.TOKENS)
                .numbers("Need, mean", Unit.TOKENS)
                .numbers("Need, p95", Unit.TOKENS)
                .numbers("Used, mean", Unit.RATIO)
                .numbers("Used, p95", Unit.RATIO)
                .numbers("Room left", Unit.TOKENS_LEFT);
        for (RuleLedger.Replica r : ledger.replicas()) {
            table.row(
                    Cell.words(r.replica()),
                    Cell.of(r.sessions(), Unit.COUNT),
                    Cell.of(r.sessionsFitP95(), Unit.COUNT),
                    Cell.of(r.sessionsFitMean(), Unit.COUNT),
                    Cell.of(r.capacityTokens(), Unit.TOKENS),
                    Cell.of(r.demandMeanTokens(), Unit.TOKENS),
                    Cell.of(r.demandP95Tokens(), Unit.TOKENS),
                    utilisation(r.utilisationMean()),
                    utilisation(r.utilisationP95()),
                    Cell.of(r.headroomTokens(), Unit.TOKENS_LEFT));
        }
        return table.build();
    }

    private static Cell utilisation(double value) {
        return Cell.of(value, Unit.RATIO, Optional.empty(), value > 1 ? Mark.BAD : Mark.NONE);
    }

    static DataTable machine(RuleLedger ledger) {
        RuleLedger.Machine m = ledger.machine();
        return DataTable.captioned("The rule for the machine")
                .words("Contexts")
                .numbers("Context", Unit.TOKENS)
                .numbers("Shared prefix", Unit.TOKENS)
                .numbers("Used", Unit.RATIO)
                .numbers("Sessions a replica holds", Unit.COUNT)
                .numbers("Fit on whole replicas", Unit.COUNT)
                .numbers("Fit if the cache were one", Unit.COUNT)
                .row(
                        Cell.words("mean"),
                        Cell.of(m.contextMeanTokens(), Unit.TOKENS),
                        Cell.of(m.sharedTokens(), Unit.TOKENS),
                        utilisation(m.utilisationMean()),
                        Cell.of(m.roomMean(), Unit.COUNT),
                        Cell.of(m.sessionsFitMean(), Unit.COUNT),
                        Cell.of(m.sessionsFitPooledMean(), Unit.COUNT))
                .row(
                        Cell.words("95th percentile"),
                        Cell.of(m.contextP95Tokens(), Unit.TOKENS),
                        Cell.of(m.sharedTokens(), Unit.TOKENS),
                        utilisation(m.utilisationP95()),
                        Cell.of(m.roomP95(), Unit.COUNT),
                        Cell.of(m.sessionsFitP95(), Unit.COUNT),
                        Cell.of(m.sessionsFitPooledP95(), Unit.COUNT))
                .build();
    }
}
