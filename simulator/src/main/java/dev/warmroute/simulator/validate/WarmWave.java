package dev.warmroute.simulator.validate;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Load;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WarmStart;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import dev.warmroute.simulator.timing.StepTimeLaw;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Requests with one system prompt that are sent together to one engine as vllm-mlx is one: it computes the prompts of a batch
 * together, so that all of their first tokens come at its end; its cache has no blocks, and what a request computes is known to
 * others only when it has ended, so that cold requests of one moment share nothing.
 *
 * @param requests how many
 */
record WarmWave(int requests, int systemTokens, int userTokens) {
    private static final int OUTPUT_TOKENS = 128;
    /** Long after the system prompt was computed. */
    private static final long SENT_NANOS = TimeUnit.HOURS.toNanos(10);

    private static final long OWN_SPACE = 1L << 32;

    /** Mean time to first token in seconds; warm: the replica has computed the system prompt when it started. */
    double meanTtft(StepTimeLaw law, boolean warm) {
        Prompt system = Prompt.of(0, systemTokens);
        EngineConfig engine = EngineConfig.defaults()
                .withBlockSize(1)
                .withMaxNumBatchedTokens(Math.multiplyExact(requests, systemTokens + userTokens))
                .withAsyncScheduling(false)
                .withPrefixCaching(warm);
        FleetSpec fleet = new FleetSpec(1, engine, law, FrontendDelay.NONE, SharedHost.NONE, 0, FleetSpec.SCRAPE_NANOS)
                .withWarmStart(warm ? WarmStart.of(List.of(system)) : WarmStart.NONE);
        Outcome outcome = FleetReplay.run(
                new Together(system), fleet, Policies.create("round_robin", Map.of(), 1), new Seeds(1), share -> {});
        return IntStream.range(0, requests)
                .mapToDouble(
                        r -> (outcome.requests().first(r) - outcome.requests().sent(r)) * 1e-9)
                .average()
                .orElseThrow();
    }

    /** Sends them. */
    private final class Together implements Load {
        private final Prompt system;

        Together(Prompt system) {
            this.system = system;
        }

        @Override
        public void begin(Sender sender) {
            for (int i = 0; i < requests; i++) {
                long own = OWN_SPACE * (i + 1);
                Prompt prompt =
                        Prompt.builder().all(system).span(own, userTokens).build();
                Turn turn = new Turn(
                        i,
                        SENT_NANOS,
                        "",
                        "",
                        0,
                        Turn.UNKNOWN,
                        prompt,
                        OUTPUT_TOKENS,
                        own + userTokens,
                        Turn.Recorded.NOTHING);
                sender.send(turn, i, -1, -1, SENT_NANOS);
            }
        }

        @Override
        public void ended(int item, long at, Sender sender) {
            // nothing waits for it
        }

        @Override
        public long expected() {
            return requests;
        }
    }
}
