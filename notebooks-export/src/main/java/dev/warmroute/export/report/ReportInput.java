package dev.warmroute.export.report;

import dev.warmroute.export.chart.ReplicaLoad;
import dev.warmroute.export.chart.Series;
import java.util.List;
import java.util.Objects;

/** What a report can show beside the results, given by whoever has it. */
public final class ReportInput {
    private ReportInput() {}

    /**
     * Distribution of the time to first token.
     *
     * @param run which run it is of, such as {@code measured} or {@code seed 1}
     * @param percentiles x is the percentile from 0 to 100, y the time in seconds, by growing percentile
     */
    public record Percentiles(String scenario, String policy, String run, List<Series.Point> percentiles) {
        public Percentiles {
            Objects.requireNonNull(scenario, "scenario");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(run, "run");
            percentiles = List.copyOf(percentiles);
        }
    }

    /**
     * What each replica got.
     *
     * @param run which run it is of, such as {@code measured} or {@code seed 1}
     * @param what {@code requests} or {@code sessions}
     */
    public record Loads(String scenario, String policy, String run, String what, List<ReplicaLoad.Load> loads) {
        public Loads {
            Objects.requireNonNull(scenario, "scenario");
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(run, "run");
            Objects.requireNonNull(what, "what");
            loads = List.copyOf(loads);
        }
    }
}
