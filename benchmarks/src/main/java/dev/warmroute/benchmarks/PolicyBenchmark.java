package dev.warmroute.benchmarks;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.router.fleet.ReplicaStatus;
import dev.warmroute.router.fleet.Signals;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingRequest;
import dev.warmroute.router.prompt.PromptChain;
import dev.warmroute.router.prompt.PromptReader;
import dev.warmroute.router.state.Completion;
import dev.warmroute.router.state.ModelRouter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One decision among 8 replicas with what the router remembers for it, taken and released: turns of 100 conversations, 12,000
 * to 20,000 tokens, 32 of them in flight. What a prompt's fingerprint costs is in {@link FingerprintBenchmark}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PolicyBenchmark {
    private static final int REPLICAS = 8;
    private static final int TURNS = 2_000;
    private static final int IN_FLIGHT = 32;
    private static final long BETWEEN_NANOS = 50_000_000;

    @Param({"round_robin", "warden", "dynamo_kv"})
    private String policy;

    private final RoutingRequest[] requests = new RoutingRequest[TURNS];
    private final PromptChain[] chains = new PromptChain[TURNS];
    private final long[] inFlight = new long[IN_FLIGHT];
    private List<ReplicaStatus> fleet;
    private ModelRouter router;
    private long decisions;

    @Setup
    public void fill() {
        Prompt[] prompts = Conversations.turns(100, TURNS);
        for (int i = 0; i < TURNS; i++) {
            long conversation = prompts[i].start(0);
            long[] hashes = new long[prompts[i].tokens() / PromptReader.BLOCK_TOKENS];
            for (int b = 0; b < hashes.length; b++) {
                hashes[b] = (conversation + b) * 0x9E3779B97F4A7C15L;
            }
            requests[i] = new RoutingRequest("conversation-" + (conversation >>> 32), prompts[i].tokens(), i);
            chains[i] = PromptChain.of(PromptChain.Unit.TOKENS, PromptReader.BLOCK_TOKENS, prompts[i].tokens(), hashes);
        }
        fleet = IntStream.range(0, REPLICAS)
                .mapToObj(r -> ReplicaStatus.up("r" + r, new Signals(4, 0, 0.1 * r, 200))
                        .withCapacityTokens(640_000))
                .toList();
        router = new ModelRouter(Policies.create(policy, Map.of(), 64));
        decisions = 0;
        for (int i = 0; i < IN_FLIGHT; i++) {
            decideOne();
        }
    }

    @Benchmark
    public String decide() {
        router.release(
                inFlight[(int) (decisions % IN_FLIGHT)], new Completion(12_000, 8_000, 200), decisions * BETWEEN_NANOS);
        return decideOne();
    }

    private String decideOne() {
        int turn = (int) (decisions % TURNS);
        ModelRouter.Decision decision =
                router.decide(requests[turn], chains[turn], fleet, false, decisions * BETWEEN_NANOS);
        inFlight[(int) (decisions++ % IN_FLIGHT)] = decision.ticket();
        return decision.replica();
    }
}
