package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.warmroute.router.UserError;
import dev.warmroute.simulator.admin.RouterAdmin;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The published benchmark: numbers of sessions, one after the other, and at each of them one policy after the other, through a
 * running router whose policy is changed between the arms and put back at the end. Nothing is restarted in between. The arms of a
 * step say the same, under other session ids.
 */
public final class Ramp {
    private final AgentLoadOptions load;
    private final List<Integer> steps;
    private final List<PolicyChoice> arms;
    /** Whether it is to end, and the thread that runs it, which is woken then. */
    private boolean stopped;

    private Thread running;

    /**
     * @param load shape, time and seed of every arm; its sessions and its name are the ramp's
     * @param steps numbers of sessions
     * @param arms policies
     */
    public Ramp(AgentLoadOptions load, List<Integer> steps, List<PolicyChoice> arms) {
        this.load = load;
        this.steps = List.copyOf(steps);
        this.arms = List.copyOf(arms);
        if (steps.isEmpty() || arms.isEmpty()) {
            throw new UserError("a ramp needs at least one number of sessions and one arm");
        }
    }

    /** Every number of requests that have been answered, by arm. */
    public interface Progress {
        void answered(int sessions, String arm, int requests);
    }

    /**
     * Runs it, to its end or until it is {@linkplain #stop stopped}: then without the arm that is under way.
     *
     * @param admin the router's admin address
     * @param token for changes; empty for none
     * @param done hears of each arm when it has ended
     */
    public List<RampRow> run(String admin, String token, Progress progress, Consumer<RampRow> done) {
        List<RampRow> rows = new ArrayList<>();
        try (RouterAdmin router = new RouterAdmin(admin, token, load.model())) {
            JsonNode configured = router.status().path("configured");
            begin();
            try {
                for (int sessions : steps) {
                    for (PolicyChoice arm : arms) {
                        router.policy(arm.name(), arm.parameters());
                        RampRow row = arm(router, sessions, arm.label(), progress);
                        rows.add(row);
                        done.accept(row);
                    }
                }
            } catch (UserError e) {
                if (!stopped()) {
                    throw e;
                }
            } finally {
                end();
                router.policy(configured.path("policy").asText(), parameters(configured.path("parameters")));
            }
        }
        return rows;
    }

    /** Has the run end now, the router's policy put back first; may be called on any thread, before the run as well. */
    public synchronized void stop() {
        stopped = true;
        if (running != null) {
            running.interrupt();
        }
    }

    private synchronized boolean stopped() {
        return stopped;
    }

    private synchronized void begin() {
        running = Thread.currentThread();
        if (stopped) {
            running.interrupt();
        }
    }

    /** From now on nothing is interrupted: what is left to do needs the thread. */
    private synchronized void end() {
        running = null;
        if (stopped) {
            Thread.interrupted();
        }
    }

    private static Map<String, String> parameters(JsonNode configured) {
        Map<String, String> parameters = new TreeMap<>();
        configured
                .properties()
                .forEach(e -> parameters.put(e.getKey(), e.getValue().asText()));
        return parameters;
    }

    private RampRow arm(RouterAdmin router, int sessions, String arm, Progress progress) {
        AgentLoadOptions options = load.withSessions(sessions)
                .withSeed(load.seed() + sessions)
                .withArm(arm.replaceAll("[^A-Za-z0-9_.-]", "-")
                        + '-'
                        + sessions
                        + '-'
                        + Long.toHexString(System.nanoTime()));
        int[] answered = new int[1];
        try (RampWatch watch = new RampWatch(router, options)) {
            AgentLoadSummary s = AgentLoad.run(options, r -> progress.answered(sessions, arm, ++answered[0]))
                    .summary();
            return new RampRow(
                    sessions,
                    arm,
                    s.sessionsFinished() * 3600 / s.seconds(),
                    s.outputTokensPerMinute(),
                    s.ttfbP50(),
                    s.ttfbP95(),
                    watch.replicasBusy(),
                    s.hitPercent(),
                    watch.stayedPct(),
                    s.sessionP50(),
                    s.sessionP95(),
                    s.requests(),
                    s.failures(),
                    watch.mostHeld());
        }
    }
}
