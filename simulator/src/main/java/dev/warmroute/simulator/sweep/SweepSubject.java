package dev.warmroute.simulator.sweep;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.warmroute.recorder.format.TraceReader;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.Subject;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.Objects;
import java.util.Optional;

/** What a sweep replays, as far as it is told to those that compute: a workload whole, a trace by its name and its hash. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = SweepSubject.OfTrace.class, name = "trace"),
    @JsonSubTypes.Type(value = SweepSubject.OfWorkload.class, name = "workload")
})
public sealed interface SweepSubject {
    /** How a person named it. */
    String source();

    /**
     * A trace.
     *
     * @param trace argument that names it
     * @param sha256 of its content, as {@code trace info} says it
     * @param mode how it is played; empty for what suits the trace
     */
    record OfTrace(String trace, String sha256, Optional<Subject.Mode> mode) implements SweepSubject {
        public OfTrace {
            Objects.requireNonNull(trace, "trace");
            Objects.requireNonNull(sha256, "sha256");
            Objects.requireNonNull(mode, "mode");
        }

        /** Names a trace as it is now: reads it once, for its hash. */
        static OfTrace now(String trace, Optional<Subject.Mode> mode) {
            if (trace.startsWith("kafka://")) {
                throw new UserError(trace
                        + " changes while the sweep runs: record it first (warmroute record --until end) and name the"
                        + " trace directory");
            }
            try (TraceReader reader = TraceSource.open(trace)) {
                return new OfTrace(trace, reader.description().sha256(), mode);
            }
        }

        @Override
        public String source() {
            return trace;
        }
    }

    /**
     * A workload.
     *
     * @param seconds simulated time
     */
    record OfWorkload(WorkloadSpec workload, double seconds) implements SweepSubject {
        public OfWorkload {
            Objects.requireNonNull(workload, "workload");
            if (!(seconds > 0)) {
                throw new UserError("seconds must be above 0, not " + seconds);
            }
        }

        @Override
        public String source() {
            return "workload:" + workload.name();
        }
    }
}
