package dev.warmroute.simulator.load;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.warmroute.router.UserError;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a benchmark; see {@link BenchOptions}. */
public final class BenchServe {
    private static final int MARK_WORDS = 3;

    private final BenchOptions options;
    private final Progress progress;
    private final long runNumber = new SecureRandom().nextLong() & Long.MAX_VALUE;
    private int asked;

    private BenchServe(BenchOptions options, Progress progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Hears of a benchmark while it runs. */
    public interface Progress {
        /** Every prompt whose tokens were counted beforehand; empty when the endpoint does not count. */
        void counted(int prompt, OptionalInt tokens);

        /** Every request that has been answered. */
        void answered(int concurrency, int repetition, int requests);

        /** Every wave that has ended, with all before it. */
        void ended(BenchRun run, List<BenchWave> waves);
    }

    /**
     * Runs it to its end. Requests that fail are part of the result.
     *
     * @throws UserError if the endpoint cannot be asked what it serves, or the calling thread is interrupted
     */
    public static BenchResult run(BenchOptions options, Progress progress) {
        try (BenchEndpoint endpoint = new BenchEndpoint(options)) {
            return new BenchServe(options, progress).run(endpoint);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UserError("the benchmark was interrupted before its end", e);
        }
    }

    private BenchResult run(BenchEndpoint endpoint) throws InterruptedException {
        String model = endpoint.model();
        CacheCounters before = endpoint.counters();
        BenchRun run = describe(model, endpoint.engine(), before);
        if (options.preflight()) {
            preflight(endpoint, model);
        }
        List<BenchWave> waves = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < options.warmUp(); i++) {
                ArrayNode messages = prompt(0).asked("", mark("u", 0, 0, i));
                endpoint.ask(model, "bench-" + run.runId() + "-warm-up-" + i, 0, messages);
            }
            before = endpoint.counters();
            for (int concurrency : options.concurrency()) {
                for (int repetition = 1; repetition <= options.repeats(); repetition++) {
                    List<RequestOutcome> requests = wave(threads, endpoint, run, concurrency, repetition);
                    CacheCounters after = endpoint.counters();
                    waves.add(new BenchWave(
                            concurrency,
                            repetition,
                            requests,
                            since(before.queries(), after.queries(), after),
                            since(before.hits(), after.hits(), after)));
                    before = after;
                    progress.ended(run, List.copyOf(waves));
                }
            }
        }
        return BenchResult.of(run, waves);
    }

    private BenchRun describe(String model, String engine, CacheCounters counters) {
        return new BenchRun(
                Long.toHexString(runNumber),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                options.tag(),
                model,
                engine,
                String.join(" ", counters.dtypes()),
                String.join(" ", counters.kinds()),
                options.prompts().name(),
                options.prompts().id(options.systemPrompt()),
                options.systemPrompt().isEmpty() ? "none" : options.cold() ? "cold" : "shared",
                options.maxTokens(),
                options.thinking().map(Object::toString).orElse(""),
                options.extraBody().isEmpty() ? "" : options.extraBody().toString());
    }

    private void preflight(BenchEndpoint endpoint, String model) throws InterruptedException {
        for (int i = 0; i < options.prompts().prompts().size(); i++) {
            OptionalInt tokens = endpoint.tokens(model, prompt(i).asked(options.systemPrompt(), mark("u", 0, 0, i)));
            progress.counted(i + 1, tokens);
        }
    }

    private List<RequestOutcome> wave(
            ExecutorService threads, BenchEndpoint endpoint, BenchRun run, int concurrency, int repetition)
            throws InterruptedException {
        String coldMark = options.cold() ? mark("s", concurrency, repetition, 0) + ' ' : "";
        String system = options.systemPrompt().isEmpty() ? "" : coldMark + options.systemPrompt();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<RequestOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < concurrency; i++) {
            int number = i;
            ArrayNode messages = prompt(asked++).asked(system, mark("u", concurrency, repetition, i));
            String session = "bench-" + run.runId() + '-' + concurrency + '-' + repetition + '-' + i;
            answers.add(threads.submit(() -> {
                start.await();
                return endpoint.ask(run.modelId(), session, number, messages);
            }));
        }
        start.countDown();
        List<RequestOutcome> requests = new ArrayList<>();
        for (Future<RequestOutcome> answer : answers) {
            try {
                requests.add(answer.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a request of the benchmark failed", e.getCause());
            }
            progress.answered(concurrency, repetition, requests.size());
        }
        return requests;
    }

    private BenchPrompt prompt(int number) {
        List<BenchPrompt> prompts = options.prompts().prompts();
        return prompts.get(number % prompts.size());
    }

    /** A few words that nobody else begins with. */
    private String mark(String purpose, int concurrency, int repetition, int request) {
        if (options.asIs() && purpose.equals("u")) {
            return "";
        }
        long seed = runNumber
                ^ ((long) purpose.charAt(0) << 56)
                ^ ((long) concurrency << 40)
                ^ ((long) repetition << 20)
                ^ request;
        return SessionScript.words(new SplittableRandom(seed), MARK_WORDS);
    }

    private static OptionalLong since(long before, long after, CacheCounters counters) {
        return counters.known() && after >= before ? OptionalLong.of(after - before) : OptionalLong.empty();
    }
}
