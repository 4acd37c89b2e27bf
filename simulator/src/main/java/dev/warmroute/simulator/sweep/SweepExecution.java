package dev.warmroute.simulator.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Runs a sweep into its directory: what is missing there is computed, and then all of it is put into order. */
public final class SweepExecution {
    private final Sweep sweep;
    private final SweepDirectory directory;
    private final SweepRunner runner;

    public SweepExecution(Sweep sweep, SweepDirectory directory, SweepRunner runner) {
        this.sweep = sweep;
        this.directory = directory;
        this.runner = runner;
    }

    /**
     * Computes what is missing.
     *
     * @param progress hears of every result
     * @return how far it came: to the end, unless it was stopped
     */
    public SweepProgress run(Consumer<SweepProgress> progress) {
        Pace pace = new Pace(directory.results().size());
        runner.run(sweep, directory.missing(), result -> {
            directory.add(result);
            progress.accept(pace.now());
        });
        if (directory.missing().isEmpty()) {
            directory.complete();
        }
        return pace.now();
    }

    /** Measures this run. Its pace counts from the first result: before that, a trace is read and workers are waited for. */
    private final class Pace {
        private final long started = System.nanoTime();
        private final int before;
        private OptionalLong first = OptionalLong.empty();

        Pace(int before) {
            this.before = before;
        }

        SweepProgress now() {
            long now = System.nanoTime();
            int done = directory.results().size();
            int computed = done - before;
            if (computed > 0 && first.isEmpty()) {
                first = OptionalLong.of(now);
            }
            double perSecond = computed > 1 ? (computed - 1) * 1e9 / Math.max(1, now - first.orElse(now)) : 0;
            return new SweepProgress(done, sweep.size(), computed, (now - started) / 1e9, perSecond);
        }
    }

    /** The table: all scenarios in the order of their numbers. */
    public List<SweepRow> rows() {
        List<SweepRow> rows = new ArrayList<>();
        for (Map.Entry<String, Scenario> scenario : sweep.scenarios().entrySet()) {
            ScenarioResult result = directory.results().get(scenario.getKey());
            if (result == null) {
                throw new IllegalStateException("scenario " + rows.size() + " has no result yet");
            }
            rows.add(new SweepRow(rows.size(), scenario.getValue(), result));
        }
        return rows;
    }
}
