package dev.warmroute.export.run;

import dev.warmroute.router.policy.Policies;
import dev.warmroute.simulator.engine.EngineConfig;
import dev.warmroute.simulator.replay.FleetReplay;
import dev.warmroute.simulator.replay.FleetSpec;
import dev.warmroute.simulator.replay.Outcome;
import dev.warmroute.simulator.replay.Progress;
import dev.warmroute.simulator.replay.Seeds;
import dev.warmroute.simulator.replay.WorkloadLoad;
import dev.warmroute.simulator.replay.WorkloadSpec;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Replays of the published agent load, a minute and a half each, on caches that are too small for it. */
public final class SampleRuns {
    private static final WorkloadSpec LOAD = WorkloadSpec.named("lm-warden").withSessions(16);
    private static final FleetSpec FLEET = LOAD.fleetSpec();

    private SampleRuns() {}

    static FleetSpec fleet() {
        return FLEET;
    }

    static Outcome outcome(String policy, FleetSpec fleet) {
        return FleetReplay.run(
                new WorkloadLoad(LOAD, new Seeds(1)),
                fleet,
                Policies.create(policy, Map.of(), fleet.engine().maxNumSeqs()),
                new Seeds(1),
                TimeUnit.SECONDS.toNanos(90),
                Progress.NONE);
    }

    static FleetSpec withoutLimit() {
        EngineConfig engine = FLEET.engine().withUnlimitedBlocks();
        return FLEET.withEngine(engine);
    }

    public static RunView view(String policy) {
        return RunView.of(policy, 1, outcome(policy, FLEET), RunMachine.of(FLEET));
    }
}
