package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.format.TraceFormat;
import dev.warmroute.recorder.format.TraceSource;
import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.router.policy.RoutingPolicy;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.engine.HostMemory;
import dev.warmroute.simulator.timing.TimingPresets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each missed token has exactly one cause, on every trace and on workloads that were made up. */
class MissCausesTest {
    private static final String[] POLICIES = {"round_robin", "warden", "warden:overflow_threshold=1", "random"};

    /** Folders of the shared data whose name is not that of their format. */
    private static final Map<String, String> FORMAT_OF = Map.of("vllm-fleet", "fleet");

    @TestFactory
    @Tag("corpus")
    Stream<DynamicTest> onEveryTraceOfTheSharedData() throws IOException {
        Path data = Data.file("README.md").getParent();
        List<String> traces = new ArrayList<>();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String folder = data.relativize(file).getName(0).toString();
                String name = file.getFileName().toString();
                String format = folder.equals("tracelab") && name.endsWith(".csv")
                        ? "tracelab-replay"
                        : FORMAT_OF.getOrDefault(folder, folder);
                if (TraceFormat.names().contains(format) && (name.contains(".jsonl") || name.endsWith(".csv"))) {
                    traces.add(format + ":" + file);
                }
            }
        }
        assertThat(traces).hasSizeGreaterThanOrEqualTo(22);
        return traces.stream().map(t -> DynamicTest.dynamicTest(t.substring(t.lastIndexOf('/') + 1), () -> onTrace(t)));
    }

    private static void onTrace(String trace) {
        TraceSource.Trace read = TraceSource.read(trace);
        TraceLoad load = new TraceLoad(read.turns());
        boolean fleet = trace.startsWith("fleet:");
        int blockSize = fleet ? 32 : Math.max(16, read.description().blockSize());
        EngineConfig engine =
                EngineConfig.defaults().withBlockSize(blockSize).withUsableBlocks(fleet ? 299 : 2_000_000 / blockSize);
        Outcome outcome = replay(load, engine, "warden:overflow_threshold=1", TimingPresets.DEFAULT);
        assertThat(missedByCause(outcome)).isEqualTo(missed(outcome)).isPositive();
        Outcome serial = SerialReplay.run(load.turns(), load.index(), 4, engine, policy("random"), new Seeds(1));
        assertThat(missedByCause(serial)).isEqualTo(missed(serial)).isPositive();
        assertThat(serial.missedTokens()[MissCause.EVICTED_WAITING.ordinal()]).isZero();
    }

    @Property(tries = 200)
    void onWorkloadsThatWereMadeUp(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int blockSize = 1 << random.nextInt(2, 6);
        TraceLoad load = new TraceLoad(workload(random));
        int longest = load.turns().stream()
                .mapToInt(t -> t.prompt().tokens() + t.outputTokens())
                .max()
                .orElseThrow();
        EngineConfig engine = EngineConfig.defaults()
                .withBlockSize(blockSize)
                .withUsableBlocks(longest / blockSize + 2 + random.nextInt(200));
        Outcome outcome = replay(load, engine, POLICIES[random.nextInt(POLICIES.length)], TimingPresets.A4000_QWEN3_4B);
        for (int r = 0; r < outcome.requests().size(); r++) {
            assertThat(missedByCause(outcome, r)).as("request %d", r).isEqualTo(missed(outcome, r));
        }
    }

    /** Restarts at any moment, with requests on the way: every request ends, and the sum stays exact. */
    @Property(tries = 100)
    void onRestartsInTheMiddleOfTheWork(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Turn> turns = workload(random);
        List<TraceLoad.Restart> restarts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            restarts.add(new TraceLoad.Restart(random.nextInt(4), random.nextLong(5_000_000_000L)));
        }
        EngineConfig engine = EngineConfig.defaults().withBlockSize(16).withUsableBlocks(130 + random.nextInt(200));
        if (random.nextBoolean()) {
            engine = engine.withHostMemory(new HostMemory(200, 0, 1_000_000, 1_000_000));
        }
        Outcome outcome = replay(
                new TraceLoad(turns, restarts),
                engine,
                POLICIES[random.nextInt(POLICIES.length)],
                TimingPresets.A4000_QWEN3_4B);
        for (int r = 0; r < outcome.requests().size(); r++) {
            assertThat(missedByCause(outcome, r)).as("request %d", r).isEqualTo(missed(outcome, r));
            assertThat(outcome.requests().hasEnded(r))
                    .as("request %d has ended", r)
                    .isTrue();
        }
        assertThat(outcome.requests().size()).isEqualTo(turns.size());
    }

    /** Whatever cause a simulation without restarts can have is there: none is charged by another's name. */
    @Test
    void aFullFleetHasEveryCauseButARestart() {
        long[] sum = new long[MissCause.values().length];
        for (int seed = 0; seed < 20; seed++) {
            TraceLoad load = new TraceLoad(workload(new SplittableRandom(seed)));
            EngineConfig engine = EngineConfig.defaults().withBlockSize(16).withUsableBlocks(130);
            add(sum, replay(load, engine, "warden:overflow_threshold=2", TimingPresets.A4000_QWEN3_4B));
        }
        WorkloadSpec crowded = WorkloadSpec.named("lm-warden");
        Seeds seeds = new Seeds(1);
        add(
                sum,
                FleetReplay.run(
                        new WorkloadLoad(crowded, seeds),
                        crowded.fleetSpec(),
                        policy("warden"),
                        seeds,
                        60_000_000_000L,
                        Progress.NONE));
        for (MissCause cause : MissCause.values()) {
            assertThat(sum[cause.ordinal()] > 0).as(cause.wireName()).isEqualTo(cause != MissCause.REPLICA_RESTARTED);
        }
    }

    /** What a conversation had on a replica that started again is missed once, for that reason. */
    @Test
    void aRestartIsChargedToTheTurnsThatFindTheCacheEmpty() {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            turns.add(new Turn(
                    i,
                    i * 60_000_000_000L,
                    "s",
                    "",
                    i + 1,
                    50_000_000_000L,
                    Prompt.of(0, 161 + 160 * i),
                    1,
                    161L + 160 * i,
                    Turn.Recorded.NOTHING));
        }
        EngineConfig engine = EngineConfig.defaults().withBlockSize(16).withUsableBlocks(500);
        FleetSpec fleet = FleetSpec.of(1, engine, TimingPresets.DEFAULT.preset());
        TraceLoad load =
                new TraceLoad(turns, List.of(new TraceLoad.Restart(0, 70_000_000_000L), new TraceLoad.Restart(7, 1)));
        Outcome outcome = FleetReplay.run(load.closed(0), fleet, policy("warden"), new Seeds(1), Progress.NONE);
        RequestLog log = outcome.requests();
        assertThat(log.cachedTokens(1)).isEqualTo(160);
        assertThat(log.cachedTokens(2)).isZero();
        assertThat(log.missed(2, MissCause.REPLICA_RESTARTED)).isEqualTo(320);
        assertThat(missedByCause(outcome, 2)).isEqualTo(missed(outcome, 2));
    }

    /** Two replicas: what the restarted one had is charged to the restart though round robin takes the next turn elsewhere. */
    @Test
    void aRestartIsChargedThoughTheNextTurnGoesElsewhere() {
        List<Turn> turns = List.of(
                new Turn(0, 0, "s", "", 1, 0, Prompt.of(0, 161), 1, 161, Turn.Recorded.NOTHING),
                new Turn(
                        1,
                        60_000_000_000L,
                        "s",
                        "",
                        2,
                        50_000_000_000L,
                        Prompt.of(0, 321),
                        1,
                        321,
                        Turn.Recorded.NOTHING));
        FleetSpec fleet = FleetSpec.of(
                2, EngineConfig.defaults().withBlockSize(16).withUsableBlocks(500), TimingPresets.DEFAULT.preset());
        Outcome before = FleetReplay.run(
                new TraceLoad(turns).closed(0), fleet, policy("round_robin"), new Seeds(1), Progress.NONE);
        int home = before.requests().replica(0);
        assertThat(before.requests().replica(1)).isNotEqualTo(home);
        assertThat(before.requests().missed(1, MissCause.MOVED)).isEqualTo(160);
        TraceLoad load = new TraceLoad(turns, List.of(new TraceLoad.Restart(home, 20_000_000_000L)));
        Outcome outcome = FleetReplay.run(load.closed(0), fleet, policy("round_robin"), new Seeds(1), Progress.NONE);
        assertThat(outcome.requests().replica(1)).isNotEqualTo(home);
        assertThat(outcome.requests().missed(1, MissCause.REPLICA_RESTARTED)).isEqualTo(160);
        assertThat(outcome.requests().missed(1, MissCause.MOVED)).isZero();
        assertThat(missedByCause(outcome, 1)).isEqualTo(missed(outcome, 1));
    }

    private static void add(long[] sum, Outcome outcome) {
        long[] tokens = outcome.missedTokens();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += tokens[i];
        }
    }

    /** Conversations that grow, are edited now and then, and requests without a session, some of which repeat others. */
    private static List<Turn> workload(SplittableRandom random) {
        List<Turn> turns = new ArrayList<>();
        Prompt[] said = new Prompt[1 + random.nextInt(12)];
        int[] turnOf = new int[said.length];
        long now = 0;
        for (int i = 0; i < 60; i++) {
            now += random.nextInt(100_000_000);
            long fresh = (i + 1L) << 20;
            int added = 1 + random.nextInt(150);
            int output = 1 + random.nextInt(60);
            int s = random.nextInt(said.length);
            if (random.nextInt(6) == 0) {
                long start = (1L << 40) + (random.nextInt(3) << 12);
                turns.add(new Turn(
                        i,
                        now,
                        "",
                        "",
                        0,
                        Turn.UNKNOWN,
                        Prompt.builder().span(0, 64).span(start, added).build(),
                        output,
                        fresh + added,
                        Turn.Recorded.NOTHING));
                continue;
            }
            Prompt.Builder prompt = Prompt.builder();
            if (said[s] == null || said[s].tokens() > 1200) {
                prompt.span(0, 64);
            } else if (random.nextInt(8) == 0) {
                prompt.prefixOf(said[s], random.nextInt(said[s].tokens()));
            } else {
                prompt.all(said[s]);
            }
            Prompt whole = prompt.span(fresh, added).build();
            turns.add(new Turn(
                    i, now, "s" + s, "", ++turnOf[s], 1_000_000, whole, output, fresh + added, Turn.Recorded.NOTHING));
            said[s] = Prompt.builder().all(whole).span(fresh + added, output).build();
        }
        return turns;
    }

    private static Outcome replay(TraceLoad load, EngineConfig engine, String policy, TimingPresets timing) {
        FleetSpec fleet = FleetSpec.of(4, engine, timing.preset());
        boolean closed = load.index().sessions() > 0;
        return FleetReplay.run(
                closed ? load.closed(0) : load.open(), fleet, policy(policy), new Seeds(1), Progress.NONE);
    }

    private static RoutingPolicy policy(String text) {
        String[] parts = text.split("[:=]");
        Map<String, String> parameters = parts.length == 3 ? Map.of(parts[1], parts[2]) : Map.of();
        return Policies.create(parts[0], parameters, 64);
    }

    private static long missed(Outcome outcome) {
        long missed = 0;
        for (int r = 0; r < outcome.requests().size(); r++) {
            missed += missed(outcome, r);
        }
        return missed;
    }

    private static long missed(Outcome outcome, int r) {
        RequestLog log = outcome.requests();
        return log.wasAdmitted(r) ? log.promptTokens(r) - log.cachedTokens(r) : 0;
    }

    private static long missedByCause(Outcome outcome) {
        long sum = 0;
        for (long tokens : outcome.missedTokens()) {
            sum += tokens;
        }
        return sum;
    }

    private static long missedByCause(Outcome outcome, int r) {
        long sum = 0;
        for (MissCause cause : MissCause.values()) {
            sum += outcome.requests().missed(r, cause);
        }
        return sum;
    }
}
