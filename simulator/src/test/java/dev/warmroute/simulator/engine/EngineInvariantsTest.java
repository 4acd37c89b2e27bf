package dev.warmroute.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.simulator.engine.Workload.Request;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What must hold after every single step of any engine under any workload. */
class EngineInvariantsTest {
    @Property(tries = 400)
    void blocksAreConservedAndCountersNeverFall(@ForAll long seed, @ForAll boolean hybrid, @ForAll boolean inExtents) {
        Workload workload = Workload.of(seed, hybrid);
        new Check(workload, inExtents && ExtentKvCache.serves(workload.config())).run();
    }

    private static final class Check implements EngineListener {
        private final Workload workload;
        private final EngineConfig config;
        private final Engine engine;
        private final Map<Integer, Request> live = new HashMap<>();
        private long[] counters = new long[10];
        private int firsts;
        private int finished;

        Check(Workload workload, boolean inExtents) {
            this.workload = workload;
            this.config = workload.config();
            this.engine = new Engine(config, new ChainInterner(config.blockSize()), this, inExtents);
        }

        void run() {
            int added = 0;
            int aborted = 0;
            for (Request request : workload.requests()) {
                if (engine.fits(request.prompt().tokens(), request.stopTokens())) {
                    int handle = engine.add(
                            request.prompt(), request.maxTokens(), request.stopTokens(), request.outputStart());
                    assertThat(live.put(handle, request))
                            .as("a handle is given to one request at a time")
                            .isNull();
                    added++;
                    if (request.abortAt() != Long.MAX_VALUE) {
                        step();
                        if (live.remove(handle, request)) {
                            engine.abort(handle);
                            aborted++;
                        }
                    }
                }
                step();
            }
            int most = 200_000;
            while (engine.hasRequests() || engine.inFlight() > 0) {
                step();
                assertThat(most--).as("every request ends").isPositive();
            }
            assertThat(finished).isEqualTo(added - aborted);
            assertThat(firsts).isBetween(finished, added);
            assertThat(live).isEmpty();
            assertThat(engine.usedBlocks()).as("nobody holds a block").isZero();
            assertThat(engine.resetPrefixCache()).isTrue();
            assertThat(engine.cachedBlocks()).isZero();
        }

        private void step() {
            Batch batch = engine.step();
            int tokens = 0;
            for (int i = 0; i < batch.size(); i++) {
                tokens += batch.tokens(i);
                assertThat(batch.tokens(i)).isPositive();
            }
            assertThat(tokens).isLessThanOrEqualTo(config.maxNumBatchedTokens());
            assertThat(engine.running()).isLessThanOrEqualTo(config.maxNumSeqs());
            assertThat(engine.usedBlocks() + engine.freeBlocks()).isEqualTo(config.usableBlocks());
            assertThat(engine.usedBlocks()).isNotNegative();
            assertThat(engine.cachedBlocks()).isBetween(0, config.usableBlocks());
            if (!config.prefixCaching()) {
                assertThat(engine.cachedBlocks()).isZero();
            }
            EngineCounters c = engine.counters();
            long[] now = {
                c.queries(),
                c.hits(),
                c.preemptions(),
                c.promptTokens(),
                c.promptTokensCached(),
                c.generatedTokens(),
                c.finished(),
                c.aborted(),
                c.steps(),
                engine.evictedBlocks()
            };
            for (int i = 0; i < now.length; i++) {
                assertThat(now[i]).as("counter %d", i).isGreaterThanOrEqualTo(counters[i]);
            }
            assertThat(c.hits()).isLessThanOrEqualTo(c.queries());
            counters = now;
        }

        @Override
        public void admitted(int request, int cachedTokens, boolean resumed) {
            assertThat(cachedTokens % config.blockSize()).isZero();
            int known = engine.promptTokens(request) + engine.outputTokens(request);
            assertThat(cachedTokens).isBetween(0, known - 1);
            if (!resumed) {
                assertThat(engine.cachedTokens(request)).isEqualTo(cachedTokens);
                assertThat(known).isEqualTo(live.get(request).prompt().tokens());
            }
        }

        @Override
        public void firstToken(int request) {
            firsts++;
        }

        @Override
        public void finished(int request, int outputTokens) {
            Request ended = live.remove(request);
            int room = config.maxModelLen() - ended.prompt().tokens();
            assertThat(outputTokens).isEqualTo(Math.min(ended.stopTokens(), room));
            finished++;
        }
    }
}
