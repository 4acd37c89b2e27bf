package dev.warmroute.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warmroute.recorder.trace.Prompt;
import dev.warmroute.recorder.trace.Turn;
import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.timing.AffineLaw;
import dev.warmroute.simulator.timing.FrontendDelay;
import dev.warmroute.simulator.timing.SharedHost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedHostTest {
    private static final long MS = 1_000_000;

    private static Turn request(int index, long at, int output) {
        return new Turn(
                index,
                at,
                "",
                "",
                0,
                Turn.UNKNOWN,
                Prompt.of((long) index << 32, 16),
                output,
                Turn.freshOutput(index),
                Turn.Recorded.NOTHING);
    }

    private static RequestLog run(SharedHost host, Turn... turns) {
        FleetSpec fleet = new FleetSpec(
                2,
                EngineConfig.defaults().withAsyncScheduling(false),
                AffineLaw.ofSeconds(0.010, 0, 0, 0, 0),
                FrontendDelay.NONE,
                host,
                0,
                1_000_000_000L);
        return FleetReplay.run(
                        new TraceLoad(List.of(turns)).open(),
                        fleet,
                        Policies.create("round_robin", Map.of(), 8),
                        new Seeds(1),
                        Progress.NONE)
                .requests();
    }

    @Test
    void stepsTakeLongerWhileAnotherReplicaHasWorkAndNoLonger() {
        // The second replica has work from 100 ms on: 10 steps of 15 ms, which is until 250 ms.
        RequestLog log = run(new SharedHost(0.5), request(0, 0, 100), request(1, 100 * MS, 10));
        assertThat(log.end(1)).isEqualTo(250 * MS);
        // The first takes 10 steps alone, 10 beside the other, 80 alone.
        assertThat(log.end(0)).isEqualTo((100 + 150 + 800) * MS);
    }

    @Test
    void replicasOnMachinesOfTheirOwnDoNotNoticeEachOther() {
        RequestLog log = run(SharedHost.NONE, request(0, 0, 100), request(1, 100 * MS, 10));
        assertThat(log.end(0)).isEqualTo(1000 * MS);
        assertThat(log.end(1)).isEqualTo(200 * MS);
    }
}
