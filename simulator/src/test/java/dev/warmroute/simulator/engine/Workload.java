package dev.warmroute.simulator.engine;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small engine under a random workload, all from one seed: conversations that share beginnings, repeat each other, go
 * on before the last answer is there, are edited, aborted, or end before their limit; pools from roomy to far too
 * small.
 */
record Workload(EngineConfig config, StepTimeLaw law, List<Request> requests, List<Long> looks) {

    /**
     * @param abortAt moment at which its client leaves, {@link Long#MAX_VALUE} if it stays
     */
    record Request(long at, Prompt prompt, int maxTokens, int stopTokens, long outputStart, long abortAt) {}

    /** The same with host memory behind the cache, from next to nothing to plenty, over links from slow to instant. */
    Workload withHost(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        long transfer = random.nextInt(3) == 0 ? 0 : random.nextLong(1_000_000);
        long block = random.nextInt(3) == 0 ? 0 : random.nextLong(200_000);
        int blocks = 1 + random.nextInt(random.nextBoolean() ? 40 : 2_000);
        return new Workload(
                config.withPrefixCaching(true).withHostMemory(new HostMemory(blocks, transfer, block, block / 2)),
                law,
                requests,
                looks);
    }

    static Workload of(long seed, boolean hybrid) {
        SplittableRandom random = new SplittableRandom(seed);
        int blockSize = 1 << random.nextInt(5);
        int longest = blockSize * (4 + random.nextInt(40));
        EngineConfig config = EngineConfig.defaults()
                .withBlockSize(blockSize)
                .withGroups(hybrid ? groups(random, blockSize) : KvGroup.FULL_ONLY)
                .withMaxNumSeqs(1 + random.nextInt(8))
                .withMaxNumBatchedTokens(8 + random.nextInt(blockSize * 16 + 100))
                .withMaxModelLen(longest + 2)
                .withPrefixCaching(random.nextInt(8) != 0)
                .withAsyncScheduling(random.nextBoolean())
                .withReserveFullIsl(random.nextInt(3) != 0)
                .withWatermark(random.nextInt(3) == 0 ? random.nextDouble() * 0.2 : 0)
                .withLongPrefillTokenThreshold(random.nextInt(4) == 0 ? 1 + random.nextInt(blockSize * 8) : 0)
                .withRules(rules(random));
        boolean storm = random.nextInt(3) == 0; // a pool that holds one request or two, and long answers
        int perRequest = longest / blockSize + 2;
        int blocks = storm
                ? perRequest + random.nextInt(perRequest * 2)
                : perRequest * config.groups().size() + random.nextInt(perRequest * 8);
        config = random.nextInt(10) == 0 ? config.withUnlimitedBlocks() : config.withUsableBlocks(blocks);
        StepTimeLaw law = random.nextInt(10) == 0
                ? AffineLaw.INSTANT
                : new AffineLaw(
                        random.nextLong(5_000_000),
                        random.nextLong(10_000),
                        random.nextInt(5),
                        random.nextLong(3_000),
                        random.nextLong(9_000));
        List<Request> requests = requests(random, longest, storm ? longest : 80);
        return new Workload(
                config, law, requests, looks(random, requests.getLast().at()));
    }

    /** Moments at which the engine's state is read; they end a while after the last arrival. */
    private static List<Long> looks(SplittableRandom random, long lastArrival) {
        List<Long> looks = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            looks.add(random.nextLong(2 * lastArrival + 1_000_000));
        }
        return looks;
    }

    private static EngineRules rules(SplittableRandom random) {
        return random.nextInt(3) > 0
                ? EngineRules.NEWEST
                : new EngineRules(
                        EngineRules.CounterUnit.values()[random.nextInt(2)],
                        EngineRules.CounterMoment.values()[random.nextInt(2)],
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean());
    }

    private static List<KvGroup> groups(SplittableRandom random, int blockSize) {
        List<KvGroup> groups = new ArrayList<>();
        int kinds = 1 + random.nextInt(3);
        if (random.nextInt(5) > 0) {
            groups.add(new KvGroup.Full());
        }
        for (int i = 0; i < kinds; i++) {
            KvGroup kind = random.nextBoolean()
                    ? new KvGroup.SlidingWindow(1 + random.nextInt(blockSize * 6))
                    : new KvGroup.GatedDelta();
            for (int n = 1 + random.nextInt(2); n > 0; n--) {
                groups.add(kind);
            }
        }
        return groups;
    }

    private static List<Request> requests(SplittableRandom random, int longest, int longestAnswer) {
        List<Prompt> histories = new ArrayList<>();
        long segment = 1;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            histories.add(Prompt.of(segment++ << 20, 1 + random.nextInt(longest / 2)));
        }
        List<Request> requests = new ArrayList<>();
        long at = 0;
        int count = 5 + random.nextInt(60);
        long pace = 1 + random.nextLong(400_000);
        while (requests.size() < count) {
            Prompt history = histories.get(random.nextInt(histories.size()));
            Prompt.Builder builder = Prompt.builder().prefixOf(history, 1 + random.nextInt(history.tokens()));
            if (random.nextInt(4) > 0) {
                builder = Prompt.builder().all(history);
            }
            if (random.nextInt(5) > 0) {
                builder.span(segment++ << 20, 1 + random.nextInt(1 + longest / 4));
            }
            Prompt prompt = builder.build();
            int most = longest - prompt.tokens();
            if (most < 1) {
                Prompt fresh = Prompt.of(segment++ << 20, 1 + random.nextInt(longest / 2));
                histories.set(random.nextInt(histories.size()), fresh);
                continue;
            }
            int stop = 1 + random.nextInt(Math.min(most, 1 + random.nextInt(longestAnswer)));
            int max = random.nextInt(3) == 0 ? stop + random.nextInt(5) : stop;
            // Now and then an answer is word for word that of another request.
            boolean repeated = random.nextInt(6) == 0 && segment > 3;
            long output = (repeated ? 2 + random.nextLong(segment - 2) : segment++) << 20;
            long abort = random.nextInt(12) == 0 ? at + random.nextLong(1_000_000) : Long.MAX_VALUE;
            requests.add(new Request(at, prompt, max, stop, output, abort));
            histories.add(Prompt.builder().all(prompt).span(output, stop).build());
            at += random.nextInt(3) == 0 ? 0 : random.nextLong(pace);
        }
        return requests;
    }
}
