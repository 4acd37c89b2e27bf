package dev.warmroute.simulator.sweep;

import dev.warmroute.router.UserError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A grid, cell by cell. Scenarios have numbers from 0 on in the order of the grid: engines, replicas, capacities, sessions,
 * policies, seeds, the last one running fastest.
 */
public final class Sweep {
    private final String program;
    private final SweepSubject subject;
    private final Map<String, Scenario> scenarios;

    private Sweep(String program, SweepSubject subject, Map<String, Scenario> scenarios) {
        this.program = program;
        this.subject = subject;
        this.scenarios = scenarios;
    }

    /**
     * A sweep of these scenarios.
     *
     * @param program version and build of warmroute
     * @throws UserError if there are none, or two alike
     */
    public static Sweep of(String program, SweepSubject subject, List<Scenario> scenarios) {
        Objects.requireNonNull(subject, "subject");
        Map<String, Scenario> byId = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            if (byId.put(new SweepTask(program, subject, scenario).id(), scenario) != null) {
                throw new UserError("the grid has a scenario twice: " + scenario);
            }
        }
        if (byId.isEmpty()) {
            throw new UserError("the grid has no scenario");
        }
        return new Sweep(program, subject, Collections.unmodifiableMap(byId));
    }

    public String program() {
        return program;
    }

    public SweepSubject subject() {
        return subject;
    }

    public int size() {
        return scenarios.size();
    }

    /** By id, in the order of their numbers. */
    public Map<String, Scenario> scenarios() {
        return scenarios;
    }

    public SweepTask task(String id) {
        return new SweepTask(program, subject, scenarios.get(id));
    }

    /** Ids without a result, in the order of their numbers. */
    List<String> missing(Map<String, ScenarioResult> results) {
        List<String> missing = new ArrayList<>(scenarios.keySet());
        missing.removeIf(results::containsKey);
        return missing;
    }

    /** Hash of all scenarios and what they are replayed on: the same for grids that ask for the same, in the same order. */
    public String hash() {
        return SweepTask.sha256(String.join(" ", scenarios.keySet()));
    }
}
