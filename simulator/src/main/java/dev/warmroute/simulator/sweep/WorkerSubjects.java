package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a worker can replay. It keeps the last one in memory, since the tasks of a sweep come one after the other. */
final class WorkerSubjects {
    private final String program;
    private final Map<String, String> localByHash = new HashMap<>();
    private Optional<SweepSubject> loadedFor = Optional.empty();
    private Optional<LoadedSubject> loaded = Optional.empty();

    /**
     * @param program version and build of this warmroute
     * @param traces arguments that name traces here, for sweeps that know them under other names; each is read once, for its hash
     */
    WorkerSubjects(String program, List<String> traces) {
        this.program = program;
        traces.forEach(t ->
                localByHash.put(SweepSubject.OfTrace.now(t, Optional.empty()).sha256(), t));
    }

    /**
     * Makes the subject of a task ready.
     *
     * @throws UserError if this worker would not compute what is asked for: another build, no such trace, or another one
     */
    synchronized LoadedSubject of(SweepTask task) {
        if (!task.program().equals(program)) {
            throw new UserError("the sweep is of warmroute " + task.program() + ", this is " + program
                    + ": their figures may differ; start a worker of the same build");
        }
        if (loadedFor.isEmpty() || !loadedFor.get().equals(task.subject())) {
            loaded = Optional.empty(); // two traces need not fit
            loadedFor = Optional.empty();
            loaded = Optional.of(load(task.subject()));
            loadedFor = Optional.of(task.subject());
        }
        return loaded.orElseThrow();
    }

    private LoadedSubject load(SweepSubject subject) {
        return switch (subject) {
            case SweepSubject.OfWorkload workload -> LoadedSubject.of(workload);
            case SweepSubject.OfTrace trace -> {
                try {
                    yield LoadedSubject.of(trace, localByHash.getOrDefault(trace.sha256(), trace.trace()));
                } catch (UserError e) {
                    throw new UserError(
                            e.getMessage() + "; name the trace " + LoadedSubject.brief(trace.sha256())
                                    + " as it is called here with --trace",
                            e);
                }
            }
        };
    }
}
