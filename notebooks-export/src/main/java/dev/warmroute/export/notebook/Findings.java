package dev.warmroute.export.notebook;

import dev.warmroute.export.report.ReportModel;
import dev.warmroute.export.table.ReuseRow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What an export says beside its rows.
 *
 * @param title of the notebook
 * @param report what the same run says as a report; empty where the input allows none
 * @param replicaReuse reuse-distance curves of single replicas, which the report does not have
 * @param remarks what the figures are to be read with, a sentence each
 */
public record Findings(String title, Optional<ReportModel> report, List<ReuseRow> replicaReuse, List<String> remarks) {
    public Findings {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(report, "report");
        replicaReuse = List.copyOf(replicaReuse);
        remarks = List.copyOf(remarks);
    }
}
