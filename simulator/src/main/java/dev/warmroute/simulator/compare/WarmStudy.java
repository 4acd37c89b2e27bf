package dev.warmroute.simulator.compare;

import dev.warmroute.simulator.compare.WarmWorth.OfPolicy;
import dev.warmroute.simulator.compare.WarmWorth.Step;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WarmStart;
import dev.warmroute.simulator.warm.SharedPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Finds out what warm prompts are worth: replays the same requests without any, with the first, with the first two and so on, under
 * every policy and seed, and compares request by request.
 */
public final class WarmStudy {
    private static final int EVERY_UP_TO = 8;

    private final WhatIfRequest request;
    private final List<SharedPrefix> prompts;
    private final int[] steps;

    private WarmStudy(WhatIfRequest request, List<SharedPrefix> prompts) {
        this.request = request;
        this.prompts = prompts;
        this.steps = steps(prompts.size());
    }

    /**
     * Runs it. The answer is a function of the arguments, whatever the number of threads.
     *
     * @param request on replicas that start cold
     * @param prompts in the order in which replicas begin them, at least one
     */
    public static WarmWorth run(WhatIfRequest request, List<SharedPrefix> prompts, Progress progress) {
        return new WarmStudy(request, List.copyOf(prompts)).run(progress);
    }

    /** What replicas are told to compute. */
    public static WarmStart start(List<SharedPrefix> prompts) {
        return WarmStart.of(prompts.stream().map(SharedPrefix::prompt).toList());
    }

    /** 0 to 8, then in larger and larger steps up to the last. */
    private static int[] steps(int last) {
        return IntStream.concat(
                        IntStream.iterate(0, i -> i < last, i -> i < EVERY_UP_TO ? i + 1 : i * 3 / 2),
                        IntStream.of(last))
                .toArray();
    }

    private WarmWorth run(Progress progress) {
        ExecutorService threads = Executors.newFixedThreadPool(request.threads());
        try {
            List<OfPolicy> policies = new ArrayList<>();
            for (int p = 0; p < request.policies().size(); p++) {
                policies.add(policy(request.policies().get(p), threads));
                progress.at((p + 1.0) / request.policies().size());
            }
            return new WarmWorth(
                    prompts.stream()
                            .map(s -> new WarmWorth.Prompt(s.name(), s.prompt().tokens(), s.firstTurns()))
                            .toList(),
                    cacheShare(),
                    policies);
        } finally {
            threads.shutdownNow();
        }
    }

    private OptionalDouble cacheShare() {
        EngineConfig engine = request.fleet().engine();
        long blocks = prompts.stream()
                .mapToLong(p -> p.prompt().tokens() / engine.blockSize())
                .sum();
        return engine.unlimited() ? OptionalDouble.empty() : OptionalDouble.of(100.0 * blocks / engine.usableBlocks());
    }

    private record Run(WarmSample sample, boolean randomised) {}

    private OfPolicy policy(PolicyChoice choice, ExecutorService threads) {
        boolean further = request.subject().drawn() || WhatIf.get(submit(choice, 0, 1, threads)).randomised;
        int seeds = further ? request.seeds() : 1;
        List<List<Future<Run>>> runs = new ArrayList<>();
        for (int step : steps) {
            runs.add(IntStream.rangeClosed(1, seeds)
                    .mapToObj(seed -> submit(choice, step, seed, threads))
                    .toList());
        }
        List<WarmSample> without = samples(runs.get(0));
        List<Step> rows = new ArrayList<>();
        for (int i = 0; i < steps.length; i++) {
            rows.add(WarmStep.of(steps[i], samples(runs.get(i)), without));
        }
        Step best = rows.stream()
                .reduce((a, b) -> b.netTokens() >= a.netTokens() ? b : a)
                .orElseThrow();
        return new OfPolicy(choice.label(), rows, best.prompts());
    }

    private static List<WarmSample> samples(List<Future<Run>> runs) {
        return runs.stream().map(run -> WhatIf.get(run).sample).toList();
    }

    private Future<Run> submit(PolicyChoice choice, int step, int seed, ExecutorService threads) {
        return threads.submit(() -> {
            Outcome outcome = request.subject()
                    .replay(
                            request.fleet().withWarmStart(start(prompts.subList(0, step))),
                            choice.create(request.fleet().engine().maxNumSeqs()),
                            new Seeds(seed),
                            share -> {});
            return new Run(WarmSample.of(outcome), outcome.randomised());
        });
    }
}
