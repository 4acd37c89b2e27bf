package dev.warmroute.cli;

import dev.warmroute.export.notebook.Findings;
import dev.warmroute.export.notebook.RecordedTables;
import dev.warmroute.export.notebook.ReplayedTurns;
import dev.warmroute.export.report.ReportBuilder;
import dev.warmroute.export.report.ReportModel;
import dev.warmroute.export.report.TurnStatistics;
import dev.warmroute.export.table.ReuseRow;
import dev.warmroute.export.table.SessionRow;
import dev.warmroute.export.table.SessionRows;
import dev.warmroute.export.table.TableSet;
import dev.warmroute.export.table.TableSink;
import dev.warmroute.export.table.TraceTurns;
import dev.warmroute.export.table.TurnRow;
import dev.warmroute.recorder.format.Prefixes;
import dev.warmroute.recorder.format.RecordedFleet;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.trace.Recording;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.simulator.capacity.CapacityAnalysis;
import dev.warmroute.simulator.capacity.CapacityRequest;
import dev.warmroute.simulator.capacity.CapacityResult;
import dev.warmroute.simulator.compare.PolicyRow;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.compare.WhatIfResult;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Fills the tables of an export, and sums up what they say: of a recording, what was measured; of any trace, its sessions, the
 * reuse curve and the rule; of a what-if, every request under every policy.
 */
final class ExportRun {
    private static final String RECORDED = "recorded";

    private final String trace;
    private final WhatIfOptions options;
    private final TableSet tables;
    private final TableSink<TurnRow> turns;
    private final Progress progress;
    private final SessionRows sessions = new SessionRows();
    private final Set<String> remarks = new LinkedHashSet<>();
    private Optional<CapacityResult> capacity = Optional.empty();
    private List<ReuseRow> replicaReuse = List.of();

    ExportRun(String trace, WhatIfOptions options, TableSet tables, Progress progress) {
        this.trace = trace;
        this.options = options;
        this.tables = tables;
        this.turns = tables.open(TurnRow.SCHEMA);
        this.progress = progress;
    }

    /**
     * Reads, replays and sums up.
     *
     * @param policies of the what-if; empty for none
     * @param report has title and provenance
     * @return without a report when the trace allows none: nothing is known of its prompts and nothing was replayed
     */
    Findings run(List<PolicyChoice> policies, String title, ReportBuilder report) {
        Optional<WhatIfQuestion> question =
                policies.isEmpty() ? Optional.empty() : Optional.of(options.ask(trace, policies));
        Optional<RecordedTables> recorded = recording().map(r -> RecordedTables.of(r, tables, turns));
        if (!WhatIfOptions.isWorkload(trace)) {
            read(question, recorded.isPresent());
        }
        capacity.ifPresent(report::capacity);
        report.sessions(sessions.rows());
        Optional<WhatIfResult> result = question.map(q -> replay(q, report));
        recorded.ifPresent(r -> {
            if (result.isEmpty()) {
                report.whatIf(RECORDED, OptionalInt.empty(), measured(r.measured()));
                show(r.statistics(), RECORDED, report);
            } else if (asRecorded(question.orElseThrow())) {
                compare(r.measured(), result.get(), report);
            }
        });
        Optional<ReportModel> model =
                capacity.isPresent() || result.isPresent() ? Optional.of(report.build()) : Optional.empty();
        return new Findings(title, model, replicaReuse, List.copyOf(remarks));
    }

    /** The recording of a router that the trace is; empty for anything else. */
    private Optional<Recording> recording() {
        try {
            Path directory = Path.of(trace);
            return Optional.of(directory)
                    .filter(Recording::isRecording)
                    .map(Recording::open)
                    .filter(r -> r.manifest().imported().isEmpty());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** One pass over the requests, for all that is said of a trace itself. */
    private void read(Optional<WhatIfQuestion> question, boolean eventsWereRead) {
        FleetOptions.Chosen chosen = question.map(WhatIfQuestion::chosen)
                .orElseGet(() -> options.fleet().forTrace(trace));
        String policy = RecordedFleet.of(trace)
                .flatMap(RecordedFleet::policy)
                .map(RecordedFleet.Policy::name)
                .orElse("");
        Consumer<Turn> watcher = eventsWereRead
                ? sessions::add
                : t -> {
                    sessions.add(t);
                    turns.accept(TraceTurns.of(t, policy));
                };
        progress.update("reading the trace");
        try (TraceReader reader = new WatchedReader(options.source(trace).open(), watcher)) {
            if (reader.hasNext() && reader.description().prefixes() == Prefixes.NONE) {
                reader.forEachRemaining(t -> {});
            } else {
                capacity = Optional.of(CapacityAnalysis.ofTrace(reader, request(chosen), share -> {}));
                remarks.addAll(capacity.get().warnings());
            }
            remarks.addAll(reader.description().caveats());
        }
        tables.write(SessionRow.SCHEMA, sessions.rows());
    }

    private CapacityRequest request(FleetOptions.Chosen chosen) {
        int blockSize = chosen.fleet().engine().blockSize();
        if (chosen.cache().isEmpty() || chosen.fleet().engine().hostMemory().isPresent()) {
            return CapacityRequest.reuse(blockSize, List.of());
        }
        long all = chosen.cache().get().tokens() * chosen.fleet().replicas();
        return new CapacityRequest(blockSize, List.of(all), chosen.cache(), options.sessions(), Optional.empty());
    }

    private WhatIfResult replay(WhatIfQuestion question, ReportBuilder report) {
        ReplayedTurns replayed = new ReplayedTurns(question.request(), turns);
        WhatIfResult result = question.answer(progress, replayed.watcher());
        report.whatIf(result);
        replicaReuse = replayed.reuse(result);
        result.fleet().ifPresent(f -> remarks.addAll(f.warnings()));
        remarks.addAll(result.notes());
        result.selfReplay()
                .filter(r -> !r.faithful())
                .ifPresent(r -> remarks.add(
                        "not faithful: " + WhatIfText.offBy(r) + "; what is simulated may be as wrong. Check "
                                + question.recorded().map(RecordedRun::doubtful).orElse("")));
        show(replayed.statistics(), "", report);
        return result;
    }

    private static void show(TurnStatistics statistics, String scenario, ReportBuilder report) {
        statistics.percentiles(scenario).forEach(report::percentiles);
        statistics.loads(scenario).forEach(report::loads);
    }

    private WhatIfResult measured(List<PolicyRow> rows) {
        return new WhatIfResult(capacity.flatMap(CapacityResult::trace).orElseThrow(), Optional.empty(), 0, "", rows);
    }

    /** Whether a what-if replays what was measured: on the recorded machine, in the recorded way. */
    private boolean asRecorded(WhatIfQuestion question) {
        boolean sameFleet = RecordedFleet.of(trace)
                .filter(f -> f.replicas() == question.chosen().fleet().replicas())
                .isPresent();
        return sameFleet
                && question.request().subject() instanceof Subject.OfTrace t
                && t.how() == Subject.Mode.CLOSED
                && (t.concurrent() == 0
                        || t.recordedUsers()
                                .filter(u -> u.users() == t.concurrent())
                                .isPresent())
                && t.sessionsPerSecond().isEmpty()
                && t.fromNanos().isEmpty();
    }

    private static void compare(List<PolicyRow> measured, WhatIfResult result, ReportBuilder report) {
        for (PolicyRow row : measured) {
            result.row(row.policy()).ifPresent(predicted -> report.compare(RECORDED, row, predicted));
        }
    }
}
