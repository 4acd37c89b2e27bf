package dev.warmroute.cli;

import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.export.run.RunMachine;
import dev.warmroute.export.run.RunView;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.export.table.SessionRows;
import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIf;
import dev.warmroute.simulator.compare.WhatIfResult;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** Collects what the report of a what-if shows: looks at the first replay of each policy as it ends. */
final class WhatIfReport implements WhatIf.Watcher {
    private final RunMachine machine;
    private final Map<String, RunView> runs = new ConcurrentHashMap<>();

    WhatIfReport(Subject subject, FleetSpec fleet) {
        this.machine = subject instanceof Subject.OfTrace t && !t.itsOwn().isEmpty()
                ? RunMachine.of(fleet, t.itsOwn())
                : RunMachine.of(fleet);
    }

    @Override
    public void ended(String policy, int seed, Outcome outcome) {
        if (seed == 1) {
            runs.put(policy, RunView.of(policy, seed, outcome, machine));
        }
    }

    /** The first replay of a policy. */
    Optional<RunView> run(String policy) {
        return Optional.ofNullable(runs.get(policy));
    }

    /** Puts the answer and the replays into a report; the first policy asked for is the baseline. */
    void fill(ReportBuilder report, WhatIfResult result) {
        report.policiesFirst().baseline(result.policies().get(0).policy()).whatIf("", OptionalInt.empty(), result);
        for (PolicyRow row : result.policies()) {
            run(row.policy()).ifPresent(r -> report.run("", r));
        }
    }

    /** Puts what the trace itself says into a report: its sessions, how far apart it repeats, and whether it fits by the rule. */
    static void describe(
            ReportBuilder report, TraceSource.Trace trace, FleetOptions.Chosen chosen, OptionalInt sessions) {
        report.caveats(trace.description().caveats());
        List<SessionRow> rows = SessionRows.of(trace.turns());
        if (rows.stream().anyMatch(r -> r.recomputedTokens().orElse(0) > 0)) {
            report.sessions(rows); // measured; where nothing was, the replay's own say more
        }
        if (trace.description().prefixes() != Prefixes.NONE) {
            report.capacity(CapacityAnalysis.ofTrace(
                    new TraceInMemory(trace),
                    new CapacityRequest(
                            chosen.fleet().engine().blockSize(),
                            List.of(),
                            chosen.cache(),
                            chosen.cache().isPresent() ? sessions : OptionalInt.empty(),
                            Optional.empty(),
                            chosen.served(),
                            CapacityRequest.Outlook.VERDICT),
                    Progress.NONE));
        }
    }
}
