package dev.warmroute.simulator.compare;

import dev.warmroute.router.UserError;
import dev.warmroute.simulator.compare.WhatIfRequest.PolicyChoice;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Replays one subject under several policies and seeds, in parallel, and sums up. Policies are compared on the same requests:
 * seed i gives every policy the same workload. A policy that drew nothing at random on a trace is the same under every seed
 * and is replayed once.
 */
public final class WhatIf {
    private final WhatIfRequest request;
    private final Shares shares;
    private final Watcher watcher;

    private WhatIf(WhatIfRequest request, Progress progress, Watcher watcher) {
        this.request = request;
        this.watcher = watcher;
        this.shares = new Shares(progress, request.policies().size() * request.seeds());
    }

    /**
     * Computes the answer. Everything in it but the wall time is a function of the request.
     *
     * @param progress called from several threads, one at a time
     */
    public static WhatIfResult run(WhatIfRequest request, Progress progress) {
        return run(request, progress, Watcher.NOBODY);
    }

    /**
     * The same, with somebody who looks at single replays.
     *
     * @param watcher called from several threads, for several replays at a time
     */
    public static WhatIfResult run(WhatIfRequest request, Progress progress, Watcher watcher) {
        return study(request, progress, watcher).result();
    }

    /** Sees each replay as it ends; what it keeps of one is its own affair. */
    @FunctionalInterface
    public interface Watcher {
        /** Looks away. */
        Watcher NOBODY = (policy, seed, outcome) -> {};

        /**
         * @param policy as the result names it
         * @param seed from 1
         */
        void ended(String policy, int seed, Outcome outcome);
    }

    /** The same with its resamples, of which more can be asked. */
    public static Study study(WhatIfRequest request, Progress progress) {
        return study(request, progress, Watcher.NOBODY);
    }

    private static Study study(WhatIfRequest request, Progress progress, Watcher watcher) {
        // A wrong policy or parameter is refused before anything is computed.
        request.policies().forEach(p -> p.create(request.fleet().engine().maxNumSeqs()));
        return new WhatIf(request, progress, watcher).study();
    }

    private Study study() {
        long started = System.nanoTime();
        List<List<PolicyRow>> rows = new ArrayList<>();
        List<List<Sample>> samples = new ArrayList<>();
        TraceSummary trace;
        Replicates replicates;
        ExecutorService threads = Executors.newFixedThreadPool(request.threads());
        try {
            List<Future<Run>> first = new ArrayList<>();
            for (int p = 0; p < request.policies().size(); p++) {
                first.add(submit(threads, p, 1));
            }
            trace = get(first.get(0)).trace.orElseThrow();
            List<List<Future<Run>>> further = new ArrayList<>();
            for (int p = 0; p < first.size(); p++) {
                List<Future<Run>> seeds = new ArrayList<>();
                if (request.subject().drawn() || get(first.get(p)).randomised) {
                    for (int seed = 2; seed <= request.seeds(); seed++) {
                        seeds.add(submit(threads, p, seed));
                    }
                } else {
                    shares.skip(request.seeds() - 1);
                }
                further.add(seeds);
            }
            // In the order of their submission, so that what fails is heard of before anything that waits for it.
            for (Future<Run> run : first) {
                get(run);
            }
            for (int p = 0; p < first.size(); p++) {
                List<Run> ofPolicy = new ArrayList<>();
                ofPolicy.add(get(first.get(p)));
                for (Future<Run> run : further.get(p)) {
                    ofPolicy.add(get(run));
                }
                rows.add(ofPolicy.stream().map(Run::row).toList());
                samples.add(ofPolicy.stream().map(Run::sample).toList());
            }
            replicates = Resampling.of(
                    samples, request.subject().drawn(), request.fleet().replicas(), threads, request.threads());
        } finally {
            threads.shutdownNow();
        }
        List<PolicyRow> policies = new ArrayList<>();
        for (int p = 0; p < rows.size(); p++) {
            policies.add(SeedStatistics.of(rows.get(p), samples.get(p), replicates, p));
        }
        WhatIfResult result = new WhatIfResult(
                trace,
                Optional.of(fleet()),
                (System.nanoTime() - started) / 1e9,
                Resampling.description(request.subject().drawn(), request.seeds(), replicates),
                policies,
                policies.size() < 2 ? Optional.empty() : Optional.of(Comparing.of(policies, replicates)),
                Optional.empty(),
                List.of());
        return new Study(result, replicates);
    }

    private FleetSummary fleet() {
        FleetSpec fleet = request.fleet();
        boolean serial = request.subject().mode().equals(Subject.Mode.SERIAL.wireName());
        return new FleetSummary(
                request.subject().mode(),
                request.subject().arrivals().wireName(),
                request.subject().users(),
                fleet.replicas(),
                fleet.engine().blockSize(),
                fleet.engine().unlimited()
                        ? OptionalInt.empty()
                        : OptionalInt.of(fleet.engine().usableBlocks()),
                request.capacitySource(),
                serial ? "" : request.timing(),
                request.seeds(),
                fleet.scrapeNanos() / 1e9);
    }

    private record Run(PolicyRow row, Sample sample, boolean randomised, Optional<TraceSummary> trace) {}

    private Future<Run> submit(ExecutorService threads, int policy, int seed) {
        Progress share = shares.next();
        return threads.submit(() -> {
            PolicyChoice choice = request.policies().get(policy);
            Outcome outcome = request.subject()
                    .replay(
                            request.fleet(),
                            choice.create(request.fleet().engine().maxNumSeqs()),
                            new Seeds(seed),
                            share);
            share.at(1);
            watcher.ended(choice.label(), seed, outcome);
            return new Run(
                    OutcomeRow.of(
                            choice.label(),
                            outcome,
                            request.fleet().engine().hostMemory().isPresent()),
                    Sample.of(outcome),
                    outcome.randomised(),
                    policy == 0 && seed == 1 ? Optional.of(request.subject().summary(outcome)) : Optional.empty());
        });
    }

    static <T> T get(Future<T> run) {
        try {
            return run.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException("a replay failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("interrupted before the comparison was complete", e);
        }
    }

    /** The shares of all runs as one that never falls. */
    private static final class Shares {
        private final Progress progress;
        private final int runs;
        private double sum;

        Shares(Progress progress, int runs) {
            this.progress = progress;
            this.runs = runs;
        }

        Progress next() {
            double[] told = new double[1];
            return share -> add(share - told[0], told, share);
        }

        void skip(int skipped) {
            add(skipped, new double[1], 0);
        }

        private synchronized void add(double more, double[] told, double share) {
            told[0] = share;
            sum += more;
            progress.at(Math.min(1, sum / runs));
        }
    }
}
