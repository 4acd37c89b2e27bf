package dev.warmroute.simulator.validate;

import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Quantiles;
import dev.warmroute.simulator.replay.RequestLog;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a workload does in the three minutes after its sessions began, on replicas that had served another step before, as each step
 * of the published run did. What that step leaves behind is the common beginning of all prompts: it counts as cached in the first
 * prompt of each replica. Means over the seeds; the same seeds for every policy and fleet.
 *
 * @param hitPct prompt tokens found cached, in percent
 * @param outputPerMinute generated tokens a minute
 * @param busy replicas that had a request, on average
 * @param stayedPct of the turns after a conversation's first, those sent where the one before was
 * @param firstByte times from the client's send to the first byte, in seconds
 * @param quickPct requests whose first byte took less than a second, in percent
 */
record StepFigures(
        double hitPct, double outputPerMinute, double busy, double stayedPct, FirstByte firstByte, double quickPct) {
    private static final long END = TimeUnit.MINUTES.toNanos(3);
    private static final double SECOND = 1e9;

    /** Mean and quantiles. */
    record FirstByte(double mean, double p10, double p50, double p90, double p95) {
        static FirstByte of(Quantiles q) {
            return new FirstByte(
                    q.mean().orElse(0),
                    q.at(0.1).orElse(0),
                    q.at(0.5).orElse(0),
                    q.at(0.9).orElse(0),
                    q.at(0.95).orElse(0));
        }
    }

    /**
     * Simulates.
     *
     * @param policy a policy with its default settings
     * @param seeds how many runs
     */
    static StepFigures of(WorkloadSpec workload, FleetSpec fleet, String policy, int seeds) {
        List<StepFigures> runs = IntStream.rangeClosed(1, seeds)
                .parallel()
                .mapToObj(seed -> run(workload, fleet, policy, seed))
                .toList();
        return new StepFigures(
                mean(runs, StepFigures::hitPct),
                mean(runs, StepFigures::outputPerMinute),
                mean(runs, StepFigures::busy),
                mean(runs, StepFigures::stayedPct),
                new FirstByte(
                        mean(runs, r -> r.firstByte.mean),
                        mean(runs, r -> r.firstByte.p10),
                        mean(runs, r -> r.firstByte.p50),
                        mean(runs, r -> r.firstByte.p90),
                        mean(runs, r -> r.firstByte.p95)),
                mean(runs, StepFigures::quickPct));
    }

    private static double mean(List<StepFigures> runs, ToDoubleFunction<StepFigures> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }

    private static StepFigures run(WorkloadSpec workload, FleetSpec fleet, String policy, int seed) {
        RoutingPolicy rule = Policies.create(policy, Map.of(), fleet.engine().maxNumSeqs());
        Seeds seeds = new Seeds(seed);
        Outcome outcome = FleetReplay.run(new WorkloadLoad(workload, seeds), fleet, rule, seeds, END, Progress.NONE);
        int blockSize = fleet.engine().blockSize();
        return of(outcome, workload.systemTokens() / blockSize * blockSize);
    }

    /** @param common tokens that every replica had cached before */
    private static StepFigures of(Outcome outcome, int common) {
        RequestLog log = outcome.requests();
        double minutes = END / SECOND / 60;
        long prompt = 0;
        long cached = 0;
        long output = 0;
        int quick = 0;
        int followed = 0;
        int stayed = 0;
        double[] first = new double[log.size()];
        int n = 0;
        Map<Integer, Integer> last = new HashMap<>();
        Set<Integer> served = new HashSet<>();
        for (int r = 0; r < log.size(); r++) {
            output += log.produced(r);
            if (log.wasAdmitted(r)) {
                prompt += log.promptTokens(r);
                cached += served.add(log.replica(r)) ? Math.max(common, log.cachedTokens(r)) : log.cachedTokens(r);
                Integer before = last.put(log.conversation(r), log.replica(r));
                followed += before == null ? 0 : 1;
                stayed += before != null && before == log.replica(r) ? 1 : 0;
            }
            if (log.hasFirst(r) && log.first(r) <= END) {
                first[n] = (log.first(r) - log.sent(r)) / SECOND;
                quick += first[n++] < 1 ? 1 : 0;
            }
        }
        return new StepFigures(
                100.0 * cached / prompt,
                output / minutes,
                Arrays.stream(outcome.busyNanos()).sum() / (double) END,
                followed == 0 ? 0 : 100.0 * stayed / followed,
                FirstByte.of(Quantiles.of(first, n)),
                n == 0 ? 0 : 100.0 * quick / n);
    }
}
