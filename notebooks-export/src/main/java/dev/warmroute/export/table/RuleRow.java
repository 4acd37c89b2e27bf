package dev.warmroute.export.table;

import dev.warmroute.export.table.Column.Unit;
import dev.warmroute.simulator.capacity.RuleLedger;
import dev.warmroute.simulator.capacity.RuleLedger.Machine;
import dev.warmroute.simulator.capacity.RuleLedger.Replica;
import java.util.ArrayList;
import java.util.List;

/**
 * A line of the rule: a replica, or the machine with an empty replica. All sizes in tokens.
 *
 * @param privateMeanTokens sum of its sessions' private contexts, with mean contexts
 * @param privateP95Tokens the same with 95th percentiles
 * @param room sessions of mean context that one replica holds beside the shared prefix, not rounded
 */
public record RuleRow(
        String replica,
        double sharedTokens,
        double privateMeanTokens,
        double privateP95Tokens,
        long capacityTokens,
        double utilisationMean,
        double utilisationP95,
        double room,
        long sessions,
        long sessionsFitP95,
        long sessionsFitMean,
        double headroomTokens) {

    public static final TableSchema<RuleRow> SCHEMA = TableSchema.named(
                    "rule", "a replica, or the machine", RuleRow.class)
            .text("replica", "replica; empty for the machine", RuleRow::replica)
            .number("S", Unit.TOKENS, "shared prefix", RuleRow::sharedTokens)
            .number("sum_w_mean", Unit.TOKENS, "private contexts at their mean", RuleRow::privateMeanTokens)
            .number("sum_w_p95", Unit.TOKENS, "private contexts at their 95th percentile", RuleRow::privateP95Tokens)
            .whole("C", Unit.TOKENS, "capacity", RuleRow::capacityTokens)
            .number("U_mean", Unit.FRACTION, "utilisation with mean contexts", RuleRow::utilisationMean)
            .number("U_p95", Unit.FRACTION, "utilisation with 95th percentile contexts", RuleRow::utilisationP95)
            .number("k", "sessions of mean context that one replica holds", RuleRow::room)
            .whole("sessions", "sessions asked about", RuleRow::sessions)
            .whole("n_max_p95", "sessions that fit with 95th percentile contexts", RuleRow::sessionsFitP95)
            .whole("n_max", "sessions that fit with mean contexts", RuleRow::sessionsFitMean)
            .number("headroom_tok", Unit.TOKENS, "capacity left with mean contexts", RuleRow::headroomTokens)
            .build();

    /** Returns the machine's row, then the replicas'. */
    public static List<RuleRow> of(RuleLedger ledger) {
        Machine m = ledger.machine();
        double shared = m.sharedTokens();
        List<RuleRow> rows = new ArrayList<>();
        rows.add(new RuleRow(
                "",
                shared * m.replicas(),
                m.utilisationMean() * m.capacityTokens() - shared * m.replicas(),
                m.utilisationP95() * m.capacityTokens() - shared * m.replicas(),
                m.capacityTokens(),
                m.utilisationMean(),
                m.utilisationP95(),
                m.roomMean(),
                m.sessions(),
                m.sessionsFitP95(),
                m.sessionsFitMean(),
                m.headroomTokens()));
        for (Replica r : ledger.replicas()) {
            double own = r.sessions() == 0 ? 0 : shared;
            rows.add(new RuleRow(
                    r.replica(),
                    own,
                    r.demandMeanTokens() - own,
                    r.demandP95Tokens() - own,
                    r.capacityTokens(),
                    r.utilisationMean(),
                    r.utilisationP95(),
                    m.roomMean(),
                    r.sessions(),
                    r.sessionsFitP95(),
                    r.sessionsFitMean(),
                    r.headroomTokens()));
        }
        return rows;
    }
}
